// What the reader of a UI message stream asks of it, as the AI SDK's own does (`processUIMessageStream` of `ai` 7) and a little more:
// every part is begun once and ended once, inside a step, and a call goes through its states in order.

import type { AgentStreamEvent } from '../src/index.ts';
import type { UIMessageChunk } from '../src/targets/ai-sdk/chunk.ts';
import { createUIMessageWriter } from '../src/targets/ai-sdk/writer.ts';

/** All chunks of the message that the events give. */
export function chunksOf(events: readonly AgentStreamEvent[]): UIMessageChunk[] {
  const writer = createUIMessageWriter();
  return [...events.flatMap((event) => writer.write(event)), ...writer.end()];
}

interface CallState {
  stage: 'input' | 'running' | 'over' | 'gone';
  readonly step: number;
  asked?: string;
  isAnswered?: boolean;
}

/** What is wrong with the chunks of one message, in words. */
export function brokenRules(chunks: readonly UIMessageChunk[]): string[] {
  const faults: string[] = [];
  const blocks = new Map<string, 'open' | 'over'>();
  const calls = new Map<string, CallState>();
  let step = 0;
  let isInStep = false;

  const types = chunks.map(({ type }) => type);
  const ask = (isSo: boolean, what: string): void => void (isSo || faults.push(what));
  ask(types[0] === 'start' && types.lastIndexOf('start') === 0, 'one start, first');
  ask(types.at(-1) === 'finish' && types.indexOf('finish') === types.length - 1, 'one finish, last');
  for (const type of ['error', 'abort'] as const)
    ask([-1, types.length - 2].includes(types.indexOf(type)), `${type} right before the finish, or not at all`);

  for (const [at, chunk] of chunks.entries()) {
    const say = (what: string): void => void faults.push(`${at} ${chunk.type}: ${what}`);
    const isPart = /^(text-start|reasoning-start|tool-input-start|tool-input-available|steering-message)$/.test(
      chunk.type,
    );
    if (isPart && !isInStep) say('outside of a step');
    if (JSON.stringify(chunk) !== JSON.stringify(structuredClone(chunk))) say('is not plain');
    switch (chunk.type) {
      case 'start-step':
        if (isInStep) say('in a step');
        isInStep = true;
        step += 1;
        break;
      case 'finish-step':
        if (!isInStep) say('outside of a step');
        if ([...blocks.values()].includes('open')) say('with an open block');
        if ([...calls.values()].some(({ stage }) => stage === 'input')) say('with an open input');
        isInStep = false;
        break;
      case 'reset-step':
        if (!isInStep) say('outside of a step');
        for (const call of calls.values()) if (call.step === step) call.stage = 'gone';
        for (const id of blocks.keys()) blocks.set(id, 'over');
        break;
      case 'text-start':
      case 'reasoning-start':
        if (blocks.has(chunk.id)) say(`${chunk.id} again`);
        blocks.set(chunk.id, 'open');
        break;
      case 'text-delta':
      case 'reasoning-delta':
      case 'text-end':
      case 'reasoning-end':
        if (blocks.get(chunk.id) !== 'open') say(`${chunk.id} is not open`);
        if (chunk.type.endsWith('end')) blocks.set(chunk.id, 'over');
        break;
      case 'tool-input-start':
        if (calls.has(chunk.toolCallId)) say(`${chunk.toolCallId} again`);
        calls.set(chunk.toolCallId, { stage: 'input', step });
        break;
      case 'tool-input-available': {
        const call = calls.get(chunk.toolCallId);
        // Again only when somebody is asked about another one.
        const next = chunks[at + 1];
        const isAsked = next?.type === 'tool-approval-request' && next.toolCallId === chunk.toolCallId;
        const mayCome = call?.stage === 'input' || (call?.stage === 'running' && isAsked);
        if (call && (!mayCome || call.step !== step)) say(`${chunk.toolCallId} has an input`);
        calls.set(chunk.toolCallId, { stage: 'running', step });
        break;
      }
      case 'tool-approval-response': {
        const call = [...calls.values()].find(({ asked }) => asked === chunk.approvalId);
        if (call?.stage !== 'running') say(`${chunk.approvalId} was not asked`);
        if (call) call.isAnswered = true;
        break;
      }
      case 'tool-input-delta':
      case 'tool-approval-request':
      case 'tool-output-available':
      case 'tool-output-error':
      case 'tool-output-denied': {
        const call = calls.get(chunk.toolCallId);
        const wanted = chunk.type === 'tool-input-delta' ? 'input' : 'running';
        if (call?.stage !== wanted) say(`${chunk.toolCallId} is ${call?.stage}`);
        if (!call) break;
        if (chunk.type === 'tool-approval-request') {
          call.asked = chunk.approvalId;
          call.isAnswered = false;
        } else if (chunk.type !== 'tool-input-delta') {
          if (call.isAnswered === false) say('while somebody is asked');
          if (!('preliminary' in chunk)) call.stage = 'over';
        }
        break;
      }
    }
  }
  ask(!isInStep, 'the last step is finished');
  ask(![...blocks.values()].includes('open'), 'every block is ended');
  ask(![...calls.values()].some(({ stage }) => stage === 'input' || stage === 'running'), 'every call is ended');
  return faults;
}
