// Silence: when it is work, when it is a stall, and when it is the end.

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endOf, FakeClock, isAlive, play, temporaryFolder } from './fake.ts';

const MINUTE = 60_000;

test('a run that hangs after its result ends by itself', async () => {
  const clock = new FakeClock();
  const { run, until, told } = await play([['init'], ['prompt'], ['result'], ['hang']], { clock });
  await until(() => run.state === 'idle');
  const { pid } = told();
  clock.pass(2_000);
  expect(run.state).toBe('finishing');
  expect(isAlive(pid)).toBe(true);
  clock.pass(10_000);
  expect(await endOf(run, clock)).toMatchObject({ end: 'hung', outcome: 'success', success: true });
});

test('a run that is silent inside a tool for ten minutes is not shot, nor called stalled', async () => {
  const clock = new FakeClock();
  const { run, until, told, events, states } = await play(
    [['init'], ['prompt'], ['call', 'c1', 'Bash', { command: 'make' }], ['await-file', 'x'], ['hang']],
    { clock },
  );
  await until(() => events.some(({ type }) => type === 'tool-call-start'));
  clock.pass(10 * MINUTE);
  expect(run.state).toBe('working');
  expect(states).not.toContain('stalled');
  expect(isAlive(told().pid)).toBe(true);
});

test('a run that is silent with nothing open is reported stalled within the set time, and works again when it speaks', async () => {
  const clock = new FakeClock();
  const go = join(temporaryFolder(), 'go');
  const { run, until, told } = await play(
    [['init'], ['prompt'], ['await-file', go], ['text', 'Here I am.'], ['hang']],
    {
      clock,
      waits: { stall: 5 * MINUTE },
    },
  );
  await until(() => run.state === 'working');
  clock.pass(5 * MINUTE - 1);
  expect(run.state).toBe('working');
  clock.pass(1);
  expect(run.state).toBe('stalled');
  expect(isAlive(told().pid)).toBe(true);
  writeFileSync(go, '');
  await until(() => run.state === 'working');
});

test('waiting for a background task is neither a stall nor the end', async () => {
  const clock = new FakeClock();
  const { run, until, events } = await play([['init'], ['prompt'], ['background', 't1'], ['result'], ['hang']], {
    clock,
  });
  await until(() => events.some(({ type }) => type === 'turn-end'));
  clock.pass(60 * MINUTE);
  expect(run.state).toBe('working');
});

test('the pause before a retry is no stall', async () => {
  const clock = new FakeClock();
  const retry =
    '{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":600000,"error_status":529,"error":"overloaded","session_id":"s"}\n';
  const { run, until, events } = await play([['init'], ['prompt'], ['raw', retry], ['hang']], {
    clock,
    waits: { stall: MINUTE },
  });
  await until(() => events.some(({ type }) => type === 'retry-start'));
  clock.pass(10 * MINUTE);
  expect(run.state).toBe('working');
  clock.pass(MINUTE);
  expect(run.state).toBe('stalled');
});

test('who keeps the record slowly makes the agent wait, not memory grow', async () => {
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let kept = 0;
  const texts = Array.from({ length: 60 }, () => ['text', 'x'.repeat(1_000_000)] as const);
  const { run, until } = await play(
    [['init'], ['prompt'], ...texts, ['write', 'finished', ''], ['result'], ['exit', 0]],
    {
      onLines: (lines) => {
        kept += lines.reduce((sum, { bytes }) => sum + bytes.length, 0);
        return gate;
      },
    },
  );
  // Until it grows no more: a slow machine can only make this pass too early.
  let last = { size: 0, at: Date.now() };
  await until(() => {
    if (kept !== last.size) last = { size: kept, at: Date.now() };
    return kept > 16 * 1024 * 1024 && Date.now() - last.at > 500;
  });
  expect(kept).toBeLessThan(24 * 1024 * 1024);
  expect(existsSync(join(run.cwd, 'finished'))).toBe(false);
  release();
  expect((await run.ended).success).toBe(true);
  expect(kept).toBeGreaterThan(60_000_000);
});
