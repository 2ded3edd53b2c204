// Tool calls. A part of the reader goes through its states in order: input streaming, input available, approval, output. What comes
// out of order is held until it can be said, or said with what is known.

import type { EventOf } from '../../event/event.ts';
import { hasFailed } from '../../event/failed.ts';
import { asText, type Json } from '../../event/json.ts';
import { type Approval, createApproval } from './approval.ts';
import type { Send, ToolFacts, UIToolChunk } from './chunk.ts';
import { errorTextOf, growOutput, hasMore, outputOf, type Printed } from './output.ts';
import type { Steps } from './steps.ts';
import { ownFacts, told } from './told.ts';

export interface Calls {
  start(event: EventOf<'tool-call-start'>): void;
  growInput(event: EventOf<'tool-call-input-delta'>): void;
  endInput(event: EventOf<'tool-call-input-end'>): void;
  update(event: EventOf<'tool-call-update'>): void;
  end(event: EventOf<'tool-call-end'>): void;
  /** The approval of a call that can still be approved. */
  approvalOf(toolCallId: string | undefined): Approval | undefined;
  /**
   * Has the part of a call show what somebody is asked about, which may be another input than the call was made with; false when it
   * cannot any more.
   */
  showAsked(toolCallId: string, input: Json): boolean;
  /** Whether the input of a call of the main thread still grows. */
  hasOpenInput(): boolean;
  closeAll(outcome: 'cancelled' | 'unknown'): void;
  drop(key: string): void;
  /** Nothing is told of it. */
  ignore(toolCallId: string): void;
}

interface Call {
  readonly name: string;
  facts: ToolFacts;
  /** `silent`: the reader has no part of it yet. */
  stage: 'silent' | 'input' | 'running' | 'over' | 'dropped';
  /** Some of its output was shown: a part that has an output can be refused no more. */
  hasShown: boolean;
  readonly approval: Approval;
  /** What its part shows. */
  input: Json;
  /** What somebody was asked about before its input was whole. */
  asked: Json | undefined;
  printed: Printed | undefined;
}

export function createCalls(send: Send, steps: Steps): Calls {
  const calls = new Map<string, Call>();
  /** Inputs of the main thread that grow. */
  const inputs = new Set<string>();

  function add(id: string, name: string | undefined, facts: ToolFacts): Call {
    const call: Call = {
      name: asText(name) || 'unknown',
      facts,
      stage: 'silent',
      hasShown: false,
      approval: createApproval(send, id),
      input: null,
      asked: undefined,
      printed: undefined,
    };
    calls.set(id, call);
    return call;
  }

  const chunkOf = (id: string, call: Call): UIToolChunk => ({
    toolCallId: id,
    dynamic: true,
    providerExecuted: true,
    toolMetadata: ownFacts(call.facts),
  });

  function makeAvailable(id: string, call: Call, input: Json | undefined, title?: string): void {
    if (call.stage === 'silent') steps.add(keyOfCall(id), call.facts.messageId);
    call.stage = 'running';
    inputs.delete(id);
    call.input = input ?? null;
    showInput(id, call, call.asked, title);
    call.approval.open();
  }

  /** `asked`: what somebody is asked about, if anybody is. */
  function showInput(id: string, call: Call, asked: Json | undefined, title?: string): void {
    if (asked !== undefined && !isSame(asked, call.input)) {
      call.facts = { calledWith: call.input, ...call.facts };
      call.input = asked;
    }
    const named = { type: 'tool-input-available', toolName: call.name, input: call.input } as const;
    send({ ...named, ...chunkOf(id, call), ...told({ title: asText(title) }) });
  }

  function finish(id: string, call: Call, event: EventOf<'tool-call-end'>): void {
    const { outcome, exitCode, durationMs, nativeStatus } = event;
    call.facts = { ...call.facts, ...told({ outcome, exitCode, durationMs, nativeStatus }) };
    const isGood = !hasFailed(event);
    call.stage = 'over';
    call.printed = undefined;
    if (!isGood && !call.hasShown && isRefused(call.approval, event)) {
      call.approval.settle(false, errorTextOf(event));
      return send({ type: 'tool-output-denied', toolCallId: id });
    }
    call.approval.settle(true);
    if (isGood) return send({ type: 'tool-output-available', output: outputOf(event), ...chunkOf(id, call) });
    const more = told({ output: event.output, content: hasMore(event.content) ? event.content : undefined });
    send({
      type: 'tool-output-error',
      errorText: errorTextOf(event),
      ...chunkOf(id, { ...call, facts: { ...call.facts, ...more } }),
    });
  }

  return {
    start(event) {
      const { toolCallId: id, toolName, kind, tags, mcp, messageId, subagentId, title } = event;
      if (typeof id !== 'string' || calls.has(id)) return;
      const call = add(id, toolName, told({ kind, tags, mcp, messageId, subagentId }));
      // The input of a sub-agent's call may still grow in the next step of the main thread: it is shown when it is whole.
      if (subagentId !== undefined) return;
      call.stage = 'input';
      inputs.add(id);
      steps.add(keyOfCall(id), messageId);
      send({ type: 'tool-input-start', toolName: call.name, ...chunkOf(id, call), ...told({ title: asText(title) }) });
    },
    growInput({ toolCallId: id, delta }) {
      if (calls.get(id)?.stage === 'input' && typeof delta === 'string' && delta !== '')
        send({ type: 'tool-input-delta', toolCallId: id, inputTextDelta: delta });
    },
    endInput(event) {
      const { toolCallId: id, input, title, locations, subagentId } = event;
      if (typeof id !== 'string') return;
      const call = calls.get(id) ?? add(id, undefined, told({ subagentId }));
      if (call.stage !== 'silent' && call.stage !== 'input') return;
      call.facts = { ...call.facts, ...told({ locations }) };
      makeAvailable(id, call, input, title);
    },
    update(event) {
      const call = calls.get(event.toolCallId);
      if (call?.stage !== 'running') return;
      call.printed ??= { text: '', fresh: 0 };
      const output = growOutput(call.printed, event);
      // While somebody is asked, the part says that.
      if (!output || call.approval.isWaiting() || call.approval.isDenied()) return;
      call.hasShown = true;
      send({ type: 'tool-output-available', output, preliminary: true, ...chunkOf(event.toolCallId, call) });
    },
    end(event) {
      const { toolCallId: id, toolName, subagentId } = event;
      if (typeof id !== 'string') return;
      const call = calls.get(id) ?? add(id, toolName, told({ subagentId }));
      if (call.stage === 'over' || call.stage === 'dropped') return;
      if (call.stage === 'silent' || call.stage === 'input') makeAvailable(id, call, undefined);
      finish(id, call, event);
    },
    approvalOf(id) {
      const call = id === undefined ? undefined : calls.get(id);
      return call && !call.hasShown && call.stage !== 'over' && call.stage !== 'dropped' ? call.approval : undefined;
    },
    showAsked(id, input) {
      const call = calls.get(id);
      if (!call) return false;
      if (call.stage !== 'running') call.asked = input;
      else if (!isSame(input, call.input)) {
        if (!steps.has(keyOfCall(id))) return false;
        showInput(id, call, input);
      }
      return true;
    },
    hasOpenInput: () => inputs.size > 0,
    closeAll(outcome) {
      for (const [toolCallId, { stage, name: toolName }] of calls)
        if (stage !== 'over' && stage !== 'dropped')
          this.end({ type: 'tool-call-end', seq: 0, toolCallId, toolName, outcome, content: [], synthetic: true });
    },
    ignore(id) {
      if (typeof id === 'string' && !calls.has(id)) add(id, undefined, {}).stage = 'dropped';
    },
    drop(key) {
      const id = key.slice(keyOfCall('').length);
      const call = calls.get(id);
      if (!call || keyOfCall(id) !== key) return;
      call.stage = 'dropped';
      inputs.delete(id);
    },
  };
}

function isSame(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether it was not run because somebody did not want it, or never answered. */
function isRefused(approval: Approval, { outcome, error, synthetic }: EventOf<'tool-call-end'>): boolean {
  if (outcome === 'denied' || error?.code === 'denied' || approval.isDenied()) return true;
  return approval.isWaiting() && (outcome === 'cancelled' || synthetic === true);
}

/** How a step knows a call. */
export function keyOfCall(id: string): string {
  return `call:${id}`;
}
