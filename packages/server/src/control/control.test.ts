// Answers and commands that come twice, late, or to something else.

import type { RequestEvent } from '@tailrace/core';
import { describe, expect, test } from 'vitest';
import { createOnce, KeyReused } from './once.ts';
import { createOpenRequests, digestOf } from './open-requests.ts';

const request = (requestId: string, fields: object = {}): RequestEvent =>
  ({
    type: 'permission-request',
    seq: 1,
    requestId,
    toolName: 'Bash',
    input: { command: 'ls' },
    ...fields,
  }) as unknown as RequestEvent;

const given = (): void => {};

describe('[T-21] an answer', () => {
  test('is taken once, for what was shown', () => {
    const requests = createOpenRequests();
    requests.add('run', request('q'));
    const digest = digestOf(request('q'));
    expect(requests.take('run', 'q', digestOf(request('q', { input: { command: 'rm -rf /' } })), given)).toBe(
      'changed',
    );
    expect(requests.take('run', 'q', digest, given)).toBe('taken');
    expect(requests.take('run', 'q', digest, given)).toBe('answered');
    expect(requests.take('run', 'other', digest, given)).toBe('unknown');
    expect(requests.take('another run', 'q', digest, given)).toBe('unknown');
  });

  test('that cannot be given uses nothing up, and while it is given nobody else takes the request', () => {
    const requests = createOpenRequests();
    requests.add('run', request('q'));
    const digest = digestOf(request('q'));
    const refuse = (): void => {
      expect(requests.take('run', 'q', digest, given)).toBe('answered');
      throw new Error('it is none');
    };
    expect(() => requests.take('run', 'q', digest, refuse)).toThrow('it is none');
    expect(requests.take('run', 'q', digest, given)).toBe('taken');
  });

  test('does not hit the next request, not even one of the same id', () => {
    const requests = createOpenRequests();
    requests.add('run', request('q'));
    const digest = digestOf(request('q'));
    requests.take('run', 'q', digest, given);
    requests.add('run', request('q', { input: { command: 'rm -rf /' } }));
    expect(requests.take('run', 'q', digest, given)).toBe('changed');
  });

  test('comes too late when it was given elsewhere, taken back, or the run has ended', () => {
    const requests = createOpenRequests();
    requests.add('run', request('q'));
    requests.settle('run', 'q');
    expect(requests.take('run', 'q', digestOf(request('q')), given)).toBe('answered');
    requests.add('run', request('p'));
    requests.end('run');
    expect(requests.take('run', 'p', digestOf(request('p')), given)).toBe('unknown');
  });

  test('of two tabs, a thousand times: one each, none on the next', () => {
    const requests = createOpenRequests();
    for (let round = 0; round < 1000; round++) {
      const one = request(`q${round}`, { input: { round } });
      requests.add('run', one);
      const digest = digestOf(one);
      const tabs = [1, 2].map(() => requests.take('run', `q${round}`, digest, given));
      expect(tabs).toEqual(['taken', 'answered']);
      const next = request(`q${round + 1}`, { input: { round: round + 1 } });
      requests.add('run', next);
      expect(requests.take('run', `q${round + 1}`, digest, given)).toBe('changed');
    }
  });

  test('is to what was asked, whenever and in whichever order its fields came', () => {
    const { requestId, ...rest } = request('q');
    expect(digestOf({ ...rest, requestId, seq: 9, at: 5, line: 7 } as RequestEvent)).toBe(digestOf(request('q')));
    expect(digestOf(request('q', { input: [1, 2] }))).not.toBe(digestOf(request('q', { input: [2, 1] })));
    expect(digestOf(request('q', { input: { a: 1 } }))).not.toBe(digestOf(request('q', { input: [['a', 1]] })));
  });
});

describe('a command with a key', () => {
  test('is done once, also when it comes again while the first is at it', async () => {
    const once = createOnce<number>();
    let done = 0;
    const work = async (): Promise<number> => ++done;
    const replies = await Promise.all([once.run('me', 'k', 'x', work), once.run('me', 'k', 'x', work)]);
    expect([replies, await once.run('me', 'k', 'x', work), done]).toEqual([[1, 1], 1, 1]);
  });

  test("is the caller's own, and another thing under the same key is refused", async () => {
    const once = createOnce<string>();
    await once.run('me', 'k', 'x', async () => 'mine');
    expect(await once.run('you', 'k', 'x', async () => 'yours')).toBe('yours');
    expect(await once.run('me","k', '', 'x', async () => 'other')).toBe('other');
    await expect(once.run('me', 'k', 'y', async () => 'twice')).rejects.toThrow(KeyReused);
  });

  test('that failed fails again', async () => {
    const once = createOnce<string>();
    const fail = (): Promise<string> => Promise.reject(new Error('no'));
    await expect(once.run('me', 'k', 'x', fail)).rejects.toThrow('no');
    await expect(once.run('me', 'k', 'x', async () => 'yes')).rejects.toThrow('no');
  });

  test('is remembered for some time, and not too many of them', async () => {
    let now = 0;
    const once = createOnce<number>({ clock: () => now, keepMs: 10, maxKeys: 3 });
    let done = 0;
    const work = async (): Promise<number> => ++done;
    await once.run('me', 'a', 'x', work);
    now = 10;
    expect(await once.run('me', 'a', 'x', work)).toBe(2);
    for (const key of ['b', 'c', 'd', 'e']) await once.run('me', key, 'x', work);
    expect(await once.run('me', 'a', 'x', work)).toBe(7);
  });
});
