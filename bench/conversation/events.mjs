// Runs to reduce, as events: a made-up one of any length, and a recorded one told again and again.

import { readFileSync } from 'node:fs';
import { createRandom } from '../fixtures/random.mjs';

/** About `count` events: answers in deltas, thoughts, calls with their input and results, sub-agents with calls of their own. */
export function makeRun(count) {
  const random = createRandom(11);
  const events = [];
  const tally = { parts: 0, textLength: 0 };
  let time = 1_790_000_000_000;
  let made = 0;
  const fresh = (kind) => `${kind}_${made++}`;
  const tell = (type, fields, thread) =>
    events.push({ type, seq: events.length, ...fields, ...(thread !== undefined && { subagentId: thread }) });
  const tick = () => {
    time += random.integer(1, 400);
    return time;
  };

  function block(kind, messageId, thread) {
    const blockId = fresh('block');
    tell(`${kind}-start`, { messageId, blockId }, thread);
    let text = '';
    for (let deltas = random.integer(3, 20); deltas > 0; deltas--) {
      const delta = random.prose(random.integer(5, 40));
      text += delta;
      tell(`${kind}-delta`, { messageId, blockId, delta }, thread);
    }
    tell(
      `${kind}-end`,
      { messageId, blockId, text, time: tick(), ...(kind === 'reasoning' && { form: 'full' }) },
      thread,
    );
    tally.parts++;
    tally.textLength += text.length;
  }

  function call(messageId, thread, work) {
    const toolCallId = fresh('call');
    tell('tool-call-start', { toolCallId, toolName: 'Read', kind: 'read', messageId }, thread);
    for (let deltas = random.integer(0, 6); deltas > 0; deltas--)
      tell('tool-call-input-delta', { toolCallId, delta: '{"path":"src"' }, thread);
    tell(
      'tool-call-input-end',
      { toolCallId, input: { path: 'src/lines.ts' }, title: 'src/lines.ts', time: tick() },
      thread,
    );
    tally.parts++;
    work?.(toolCallId);
    const content = [{ type: 'text', text: random.prose(200) }];
    const end = { toolCallId, toolName: 'Read', outcome: 'success', content, durationMs: 5, time: tick() };
    tell('tool-call-end', end, thread);
  }

  function answer(thread) {
    const messageId = fresh('message');
    tell('message-start', { messageId, model: 'opus' }, thread);
    if (random.next() < 0.3) block('reasoning', messageId, thread);
    block('text', messageId, thread);
    for (let calls = random.integer(0, 3); calls > 0; calls--) {
      const isAgent = thread === undefined && random.next() < 0.1;
      call(messageId, thread, isAgent ? subagent : undefined);
    }
    tell('message-end', { messageId, usage: { inputTokens: 900, outputTokens: 90 } }, thread);
  }

  function subagent(toolCallId) {
    const taskId = fresh('task');
    tell('task-start', { taskId, kind: 'agent', toolCallId, name: 'Explore' });
    for (let answers = random.integer(1, 6); answers > 0; answers--) answer(taskId);
    tell('task-end', { taskId, outcome: 'success', toolUses: 3 });
  }

  tell('session-start', { agent: 'bench', sessionId: 'session' });
  while (events.length < count) {
    const turnId = fresh('turn');
    tell('turn-start', { turnId });
    tell('user-message', { messageId: fresh('prompt'), content: [{ type: 'text', text: 'Go on' }], origin: 'prompt' });
    for (let answers = random.integer(1, 8); answers > 0; answers--) answer(undefined);
    tell('turn-end', { turnId, outcome: 'success', usage: { inputTokens: 9000, outputTokens: 900 } });
    tally.parts += 2;
  }
  return { events, tally };
}

/** A recorded run, decoded, so often that it has about `count` events; each time with other ids, and later. */
export function repeatCapture(createDecoder, count) {
  const path = new URL('../../fixtures/claude/2.1.325/demo.ndjson', import.meta.url);
  const decoder = createDecoder();
  const once = [...decoder.feed(readFileSync(path)), ...decoder.end({ code: 0 })].filter(
    ({ type }) => type !== 'session-start' && type !== 'session-end',
  );
  const events = [];
  for (let round = 0; events.length < count; round++) events.push(...once.map((event) => anew(event, round)));
  return { events, tally: {} };
}

const IDS = /^(messageId|blockId|toolCallId|taskId|subagentId|parentTaskId|requestId|hookId|compactionId)$/;
const ROUND_MS = 3_600_000;

function anew(event, round) {
  const entries = Object.entries(event).map(([key, value]) => {
    if (typeof value === 'string' && IDS.test(key)) return [key, `${value} ${round}`];
    return [key, key === 'time' ? value + round * ROUND_MS : value];
  });
  return Object.fromEntries(entries);
}
