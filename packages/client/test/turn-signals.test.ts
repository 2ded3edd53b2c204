// Where one answer ends and the next begins, and that nothing of an answer goes before the next prompt is there.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AgentStreamEvent, createDecoder } from '@tailrace/core';
import { expect, test } from 'vitest';
import { startStreamingMessage } from '../src/react/streaming-message.ts';
import type { StreamSignal } from '../src/stream-source.ts';
import { createTurnSignals } from '../src/turn-signals.ts';
import { event } from './session-events.ts';

const run = event({ type: 'run-start', runId: 'r', agent: 'claude', prompt: 'One' });
const turn = (turnId: string) => event({ type: 'turn-start', turnId });
const end = (turnId: string) => event({ type: 'turn-end', turnId, outcome: 'success' });
const prompt = (origin: string, more = {}) => event({ type: 'user-message', origin, content: [], ...more });
const block = (blockId: string, more = {}) => event({ type: 'text-start', messageId: 'm', blockId, ...more });
const call = event({ type: 'tool-call-start', toolCallId: 'c', toolName: 'Bash', kind: 'execute' });

function told(events: readonly AgentStreamEvent[], knowsPrompts?: boolean): string {
  const signalsOf = createTurnSignals(knowsPrompts);
  return events.flatMap((one) => signalsOf(one).map(({ type }) => type)).join(' ');
}

test.each<[string, readonly AgentStreamEvent[], string]>([
  ['a turn', [turn('1'), block('a'), end('1')], 'start block end'],
  ['a run that never comes to a turn', [turn('1'), end('1'), run], 'start end start'],
  [
    'turns whose prompts nobody echoes',
    [turn('1'), block('a'), end('1'), turn('2'), block('b'), end('2')],
    'start block end start block end',
  ],
  [
    'turns that are asked for',
    [run, turn('1'), prompt('replay'), block('a'), end('1'), turn('2'), prompt('replay'), block('b'), end('2')],
    'start start start block end start block end',
  ],
  [
    'a turn that nobody asked for',
    [run, turn('1'), block('a'), end('1'), turn('2'), block('b'), call, end('2')],
    'start start block end go-on block end',
  ],
  [
    'one that begins with a call, in a stream that echoes its prompts',
    [turn('1'), prompt('replay'), block('a'), end('1'), turn('2'), call, block('b'), end('2')],
    'start start block end go-on block end',
  ],
  [
    'a prompt that is taken up on the way',
    [run, turn('1'), block('a'), prompt('replay'), block('b'), end('1')],
    'start start block block end',
  ],
  [
    'what the agent says to itself',
    [run, turn('1'), block('a'), end('1'), turn('2'), prompt('injected'), block('b'), end('2')],
    'start start block end go-on block end',
  ],
  [
    'a prompt that was never taken up, told at the end',
    [run, turn('1'), prompt('replay'), block('a'), end('1'), prompt('prompt')],
    'start start start block end',
  ],
  [
    'a prompt that comes before its turn',
    [prompt('prompt'), turn('1'), block('a'), end('1'), prompt('prompt'), turn('2')],
    'start block end start',
  ],
  [
    'turns that overlap',
    [run, turn('1'), block('a'), turn('2'), block('b'), end('1'), end('2')],
    'start start block block end end',
  ],
  [
    'turns that overlap, of which nobody tells the prompts',
    [turn('1'), block('a'), turn('2'), block('b'), end('1'), end('2'), turn('3')],
    'start block block end end start',
  ],
  [
    'what a sub-agent says and is told',
    [run, turn('1'), prompt('prompt', { subagentId: 't' }), block('a', { subagentId: 't' }), block('b'), end('1')],
    'start start block end',
  ],
  [
    'a block whose beginning is not told again',
    [turn('1'), event({ type: 'text-end', messageId: 'm', blockId: 'a', text: 'whole' }), block('b')],
    'start block block',
  ],
])('%s', (_name, events, signals) => {
  expect(told(events)).toBe(signals);
});

test('whoever joins in the middle of a run of which all prompts are told wipes nothing away', () => {
  expect(told([block('a'), end('1'), turn('2'), block('b'), end('2')], true)).toBe('go-on block end go-on block end');
  expect(told([end('1'), turn('2'), prompt('replay'), block('b'), end('2')], true)).toBe('end start block end');
});

const fixtures = fileURLToPath(new URL('../../../fixtures/', import.meta.url));
const captures = readdirSync(fixtures, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ndjson') && !path.endsWith('.stdin.ndjson') && !/^demo|hooks/.test(path))
  .sort();

test('[G-13] of ten agents: an answer only grows until the next prompt comes', () => {
  expect(captures.length).toBeGreaterThan(300);
  let prompts = 0;
  let more = 0;
  for (const path of captures) {
    const signalsOf = createTurnSignals();
    const listeners = new Set<(signal: StreamSignal) => void>();
    const source = {
      subscribe(listener: (signal: StreamSignal) => void) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    };
    const message = startStreamingMessage(source, undefined, () => {});
    const say = (signal: StreamSignal) => {
      for (const listener of listeners) listener(signal);
    };
    const decoder = createDecoder({ agent: path.split('/')[0] ?? '' });
    const events = [run, ...decoder.feed(readFileSync(join(fixtures, path))), ...decoder.end()];
    for (const one of events) {
      const before = message.read();
      for (const signal of signalsOf(one)) {
        if (signal.type === 'go-on' && before.content !== '') more++;
        say({ ...signal, sessionId: 's' });
      }
      if (one.type === 'text-end' && one.subagentId === undefined)
        say({ type: 'text', sessionId: 's', content: one.text });
      const isPrompt = one.type === 'user-message' && one.origin !== 'injected' && one.subagentId === undefined;
      if (isPrompt) prompts++;
      else expect(message.read().content.startsWith(before.content), `${path} ${one.seq}`).toBe(true);
    }
  }
  // Both are there, or nothing was looked at.
  expect(prompts).toBeGreaterThan(50);
  expect(more).toBeGreaterThan(5);
});
