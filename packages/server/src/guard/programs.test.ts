import { describe, expect, test } from 'vitest';
import { createGuard, type Right } from './guard.ts';
import { createPrograms, type Program } from './programs.ts';
import { createSignIns } from './sign-ins.ts';

describe('a program', () => {
  test('is known by its token, and by nothing else', () => {
    const programs = createPrograms({ clock: () => 5 });
    const { program, token } = programs.add('ci', ['read']);
    expect(program).toMatchObject({ name: 'ci', rights: ['read'], madeAt: 5 });
    expect(programs.find(token)).toEqual({ kind: 'program', id: program.id, rights: new Set(['read']) });
    for (const other of ['', token.slice(0, -1), `${token}x`, program.hash, program.id])
      expect(programs.find(other)).toBeUndefined();
  });

  test('[T-07] is kept as a hash, and the token stands nowhere', () => {
    let kept: readonly Program[] = [];
    const programs = createPrograms({ keep: (all) => (kept = all) });
    const { token } = programs.add('ci', ['read', 'run']);
    expect(JSON.stringify(kept)).not.toContain(token.slice(9));
    const again = createPrograms({ kept: JSON.parse(JSON.stringify(kept)) });
    expect(again.find(token)?.rights).toEqual(new Set(['read', 'run']));
    expect(programs.add('ci', []).token).not.toBe(token);
  });

  test('[T-01] [T-08] has no right that was not ticked, and none that there is not', () => {
    const programs = createPrograms();
    const { token } = programs.add('ci', ['admin' as Right]);
    expect(programs.find(token)?.rights).toEqual(new Set());
  });

  test('that was taken away is nobody', () => {
    let kept: readonly Program[] = [];
    const programs = createPrograms({ keep: (all) => (kept = all) });
    const { program, token } = programs.add('ci', ['answer']);
    expect(programs.remove(program.id)).toBe(true);
    expect([programs.find(token), kept, programs.remove(program.id)]).toEqual([undefined, [], false]);
  });

  test('passes the guard with its token', () => {
    const programs = createPrograms();
    const guard = createGuard({ port: 1, signIns: createSignIns(), findProgram: programs.find });
    const { token } = programs.add('ci', ['read']);
    const headers = { host: 'localhost:1', authorization: `Bearer ${token}` };
    const knock = { method: 'GET', target: '/', headers, rawHeaders: [], isUpgrade: true };
    expect(guard.check(knock)).toMatchObject({ isLetIn: true, caller: { kind: 'program' } });
  });
});
