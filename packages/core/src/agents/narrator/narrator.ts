// Tells an agent's run as neutral events, and keeps what is promised about them whatever order the agent's messages come in:
// what starts ends once, ids are never used twice, deltas make the text of their end, and at the end nothing is left open.
// A translator says what happened; it need not remember what is open.

import type { AgentError, Outcome } from '../../event/event.ts';
import { asObject, asText, type Json } from '../../event/json.ts';
import type { Ending, EventWriter, Exit, Seen } from '../agent.ts';
import { readExit } from '../exit.ts';
import { newFacts } from '../facts.ts';
import { type BlockEnd, closeBlock, closeMessage, openBlock } from './blocks.ts';
import { type Call, type CallStart, closeCall, createCall, endCall, type OpenCall } from './calls.ts';
import type { Fields, SessionFacts } from './fields.ts';
import { Ids } from './ids.ts';
import { type BlockKind, createThread, type Message, type Thread, writeAs } from './thread.ts';

export interface NarratorOptions {
  /** The agent's name. */
  readonly agent: string;
  /** Where its exit codes have a meaning of their own. */
  readonly readExit?: ((exit: Exit, seen: Seen) => Ending) | undefined;
}

interface Request {
  readonly id: string;
  readonly kind: 'permission' | 'question';
}

export class Narrator {
  out!: EventWriter;
  private readonly agent: string;
  private readonly readExit: (exit: Exit, seen: Seen) => Ending;
  private readonly ids = new Ids();
  private facts: SessionFacts = {};
  private readonly main = createThread();
  private readonly threads = new Map<string, Thread>();
  private thread: Thread = this.main;
  private turn: { readonly id: string; steps: number; hasSubagents: boolean } | undefined;
  private turns = 0;
  /** Everything that is open, by the agent's own id. */
  private readonly calls = new Map<string, Call>();
  private readonly tasks = new Map<string, { readonly id: string; readonly parent: Thread }>();
  private readonly hooks = new Map<string, string>();
  private readonly requests = new Map<string, Request>();
  private retry: number | undefined;
  private compaction: string | undefined;
  private ending: Ending | undefined;
  private error: AgentError | undefined;
  private isAborted = false;

  constructor({ agent, readExit: ownReadExit = readExit }: NarratorOptions) {
    this.agent = agent;
    this.readExit = ownReadExit;
  }

  /** A message comes: what follows is written to `out`, on the main thread. Starts the session if nobody has. */
  begin(out: EventWriter, facts: SessionFacts = {}): void {
    this.out = out;
    this.thread = this.main;
    out.subagentId = undefined;
    if (!out.started) {
      this.facts = facts;
      out.write({ type: 'session-start', agent: this.agent, ...facts });
    } else this.learn(facts);
  }

  // ── Session ─────────────────────────────────────────────────────────────────────────────────────

  /** Tells what is new of what the session is run with. */
  learn(facts: SessionFacts): void {
    const fresh = newFacts(this.facts, facts);
    if (!fresh) return;
    this.facts = { ...this.facts, ...fresh };
    this.out.write({ type: 'session-update', ...fresh });
  }

  /** A message that has no event of its own: kept whole. */
  keep(value: Json, nativeType: string | undefined = typeOf(value)): void {
    this.out.write({ type: 'raw', reason: 'no_counterpart', value, nativeType });
  }

  /** A message that nobody knows. */
  keepUnknown(value: Json, nativeType: string | undefined = typeOf(value)): void {
    this.out.write({ type: 'raw', reason: 'unknown_type', value, nativeType });
  }

  /** Something failed. Told once, however often the agent repeats it within a turn. */
  fail(error: AgentError, fatal: boolean): void {
    const isMain = this.thread === this.main;
    const isTold = isMain && this.error?.message === error.message;
    // What fails in a sub-agent is not what the turn fails with.
    if (isMain) this.error = error;
    if (!isTold) writeAs(this.out, this.thread, { type: 'error', error, fatal });
  }

  /** The stream says that somebody stopped the run. */
  abort(): void {
    this.isAborted = true;
  }

  // ── Turns and steps ─────────────────────────────────────────────────────────────────────────────

  /** Begins a turn, unless one is open. */
  startTurn(id = `turn-${this.out.line}`): void {
    if (this.turn) return;
    this.turn = { id: this.ids.unique('turn', id), steps: 0, hasSubagents: false };
    this.ending = undefined;
    this.error = undefined;
    this.isAborted = false;
    writeAs(this.out, this.main, { type: 'turn-start', turnId: this.turn.id });
  }

  get isTurnOpen(): boolean {
    return this.turn !== undefined;
  }

  /** A turn has ended, and nothing has happened since: whoever says so again repeats himself. */
  get isTurnOver(): boolean {
    return this.turn === undefined && this.ending !== undefined;
  }

  /** Whether the turn has had sub-agents, which the totals of some agents leave out. */
  get hasSubagents(): boolean {
    return this.turn?.hasSubagents ?? false;
  }

  /** The turn is over, and with it what the main thread has left open. A turn of which nothing was seen is begun first. */
  endTurn(end: Fields<'turn-end', 'turnId' | 'steps'>): void {
    this.startTurn();
    this.closeThread(this.main, end.outcome, undefined);
    const { id = '', steps = 0 } = this.turn ?? {};
    const error = end.error ?? (end.outcome === 'error' ? this.error : undefined);
    this.turns++;
    writeAs(this.out, this.main, { type: 'turn-end', turnId: id, steps: steps || undefined, ...end, error });
    this.turn = undefined;
    this.ending = { outcome: end.outcome, ...(error && { error }) };
  }

  /** A model call begins; one that is open on the thread is over. */
  startStep(step: { readonly id?: string | undefined; readonly model?: string | undefined } = {}): void {
    this.endStep({});
    if (this.thread === this.main) this.startTurn();
    const nativeId = step.id ?? `step-${this.out.line}`;
    this.thread.step = { id: this.ids.unique('step', nativeId), hasMessage: false };
    if (this.turn && this.thread === this.main) this.turn.steps++;
    writeAs(this.out, this.thread, { type: 'step-start', stepId: this.thread.step.id, model: step.model });
  }

  /** The model call is over, and its message with it. Tokens are counted by message, so one that said nothing has one too. */
  endStep(end: Fields<'step-end', 'stepId'>): void {
    const { thread } = this;
    const { step } = thread;
    if (!step) return;
    if (end.usage && !step.hasMessage) this.startMessage({ model: end.model });
    this.endMessage({ stopReason: end.stopReason, usage: end.usage });
    thread.step = undefined;
    writeAs(this.out, thread, { type: 'step-end', stepId: step.id, ...end });
  }

  get isStepOpen(): boolean {
    return this.thread.step !== undefined;
  }

  // ── Messages and their blocks ───────────────────────────────────────────────────────────────────

  /** Begins a message, unless it is the one that is open. Without an id it is the step's own, or one more. */
  startMessage({ id, model }: { readonly id?: string | undefined; readonly model?: string | undefined } = {}): Message {
    const { thread } = this;
    const { step } = thread;
    if (thread.message && (id === undefined || thread.message.nativeId === id)) return thread.message;
    this.endMessage();
    if (thread === this.main) {
      this.startTurn();
      this.endRetry('success');
    }
    const ofStep = step && !step.hasMessage ? step.id : undefined;
    const nativeId = id ?? ofStep ?? `message-${this.out.line}`;
    if (step) step.hasMessage = true;
    const message = { id: this.ids.unique('message', nativeId), nativeId, blocks: new Map(), count: 0 };
    thread.message = message;
    writeAs(this.out, thread, { type: 'message-start', messageId: message.id, model });
    return message;
  }

  get isMessageOpen(): boolean {
    return this.thread.message !== undefined;
  }

  endMessage(end: Fields<'message-end', 'messageId'> = {}): void {
    closeMessage(this.out, this.thread, end, undefined);
  }

  /** Text or reasoning as it is written. `key` tells blocks of one message apart that are open side by side. */
  addText(kind: BlockKind, delta: string, key: string = kind): void {
    if (delta === '') return;
    const { thread } = this;
    const message = this.startMessage();
    const block = openBlock(this.out, thread, message, kind, key);
    block.text += delta;
    this.out.subagentId = thread.taskId;
    this.out.writeDelta(kind === 'text' ? 'text-delta' : 'reasoning-delta', message.id, block.id, delta);
  }

  /** Begins a block of which nothing is known yet. */
  startBlock(kind: BlockKind, key: string = kind): void {
    openBlock(this.out, this.thread, this.startMessage(), kind, key);
  }

  /** A block is whole. Without a text it is what its deltas made. */
  endBlock(kind: BlockKind, text: string | undefined, end: BlockEnd = {}, key: string = kind): void {
    const { thread } = this;
    const known = thread.message?.blocks.get(key);
    if (!known && !text) return;
    const message = this.startMessage();
    const block = known ?? openBlock(this.out, thread, message, kind, key);
    const rest = text === undefined || text.startsWith(block.text) ? (text ?? '').slice(block.text.length) : undefined;
    if (rest === undefined) {
      // Something else was written than what came in pieces: that is taken back.
      closeBlock(this.out, thread, message, key, { partial: true });
      writeAs(this.out, thread, { type: 'message-retract', blockIds: [block.id], reason: 'replaced' });
      this.endBlock(kind, text, end, key);
      return;
    }
    if (block.text !== '' && rest !== '') this.addText(kind, rest, key);
    else block.text += rest;
    closeBlock(this.out, thread, message, key, end);
  }

  // ── Calls ───────────────────────────────────────────────────────────────────────────────────────

  /** A call is known. One that is open under the same id is the same. */
  startCall({ id, name, traits, ...start }: CallStart): OpenCall {
    const nativeId = id ?? `call-${this.out.line}`;
    const open = this.calls.get(nativeId);
    if (open) return open;
    const { thread } = this;
    if (thread === this.main) {
      this.startTurn();
      this.endRetry('success');
    }
    const call = createCall(this.out, thread, this.ids.unique('call', nativeId), name);
    this.calls.set(nativeId, call);
    writeAs(this.out, thread, {
      type: 'tool-call-start',
      toolCallId: call.id,
      toolName: name,
      kind: traits.kind,
      tags: traits.tags,
      messageId: thread.message?.id,
      ...start,
    });
    return call;
  }

  /** The call that is open under the agent's id. */
  openCall(id: Json): OpenCall | undefined {
    return this.callOf(id);
  }

  addInput(id: Json, delta: string): void {
    const call = this.callOf(id);
    if (!call || call.isInputEnded || delta === '') return;
    call.inputText += delta;
    writeAs(this.out, call.thread, { type: 'tool-call-input-delta', toolCallId: call.id, delta });
  }

  /** The whole input; told once. */
  endInput(id: Json, input: Json, facts: Fields<'tool-call-input-end', 'toolCallId' | 'input'> = {}): void {
    const call = this.callOf(id);
    if (!call || call.isInputEnded) return;
    call.isInputEnded = true;
    call.input = input;
    writeAs(this.out, call.thread, { type: 'tool-call-input-end', toolCallId: call.id, input, ...facts });
  }

  /** Something new about a running call; false when none is open under this id. */
  updateCall(id: Json, update: Fields<'tool-call-update', 'toolCallId'>): boolean {
    const call = this.callOf(id);
    if (!call) return false;
    writeAs(this.out, call.thread, { type: 'tool-call-update', toolCallId: call.id, ...update });
    return true;
  }

  /** The call is over; false when none is open under this id. */
  endCall(id: Json, end: Fields<'tool-call-end', 'toolCallId' | 'toolName'>): boolean {
    const call = this.callOf(id);
    if (!call) return false;
    this.calls.delete(id as string);
    endCall(this.out, call, end);
    return true;
  }

  private callOf(id: Json): Call | undefined {
    return typeof id === 'string' ? this.calls.get(id) : undefined;
  }

  // ── Sub-agents and other tasks ──────────────────────────────────────────────────────────────────

  /** What follows, until the next message, is the sub-agent's. One that nobody announced is begun. */
  enterTask(id: string): void {
    if (!this.tasks.has(id)) this.startTask({ id, kind: 'agent' });
    const taskId = this.tasks.get(id)?.id ?? id;
    this.thread = this.threads.get(taskId) ?? createThread(taskId);
    this.threads.set(taskId, this.thread);
    this.out.subagentId = taskId;
  }

  startTask({ id, ...start }: Fields<'task-start', 'taskId'> & { readonly id: string }): void {
    if (this.tasks.has(id)) return;
    const taskId = this.ids.unique('task', id);
    if (this.turn && start.kind === 'agent') this.turn.hasSubagents = true;
    this.tasks.set(id, { id: taskId, parent: this.thread });
    writeAs(this.out, this.thread, { type: 'task-start', taskId, parentTaskId: this.thread.taskId, ...start });
  }

  isTaskOpen(id: Json): boolean {
    return typeof id === 'string' && this.tasks.has(id);
  }

  updateTask(id: string, update: Fields<'task-update', 'taskId'>): boolean {
    const task = this.tasks.get(id);
    if (task) writeAs(this.out, task.parent, { type: 'task-update', taskId: task.id, ...update });
    return task !== undefined;
  }

  endTask(id: string, end: Fields<'task-end', 'taskId'>, synthetic?: true): boolean {
    const task = this.tasks.get(id);
    if (!task) return false;
    const thread = this.threads.get(task.id);
    if (thread) this.closeThread(thread, end.outcome, synthetic);
    this.tasks.delete(id);
    this.threads.delete(task.id);
    // Whoever speaks next in this message is the one who started it.
    if (thread && thread === this.thread) {
      const isParentOpen = [...this.tasks.values()].some((open) => open.id === task.parent.taskId);
      this.thread = isParentOpen ? task.parent : this.main;
      this.out.subagentId = this.thread.taskId;
    }
    writeAs(this.out, task.parent, { type: 'task-end', taskId: task.id, ...end, synthetic });
    return true;
  }

  // ── Weather, questions, hooks ───────────────────────────────────────────────────────────────────

  /** A model call is tried again. It ends with the next attempt, with the next sign of life, or with the turn. */
  startRetry(start: Fields<'retry-start'>): void {
    this.startTurn();
    this.endRetry('error');
    this.retry = start.attempt;
    writeAs(this.out, this.main, { type: 'retry-start', ...start });
  }

  endRetry(outcome: Outcome): void {
    if (this.retry === undefined) return;
    writeAs(this.out, this.main, { type: 'retry-end', attempt: this.retry, outcome });
    this.retry = undefined;
  }

  startCompaction(id = `compaction-${this.out.line}`, start: Fields<'compaction-start', 'compactionId'> = {}): void {
    if (this.compaction !== undefined) return;
    this.compaction = this.ids.unique('compaction', id);
    writeAs(this.out, this.main, { type: 'compaction-start', compactionId: this.compaction, ...start });
  }

  /** One that nobody announced is begun first. */
  endCompaction(end: Fields<'compaction-end', 'compactionId'>, synthetic?: true): void {
    if (!synthetic) this.startCompaction();
    if (this.compaction === undefined) return;
    writeAs(this.out, this.main, { type: 'compaction-end', compactionId: this.compaction, ...end, synthetic });
    this.compaction = undefined;
  }

  startHook(id: string, start: Fields<'hook-start', 'hookId'>): void {
    if (this.hooks.has(id)) return;
    const hookId = this.ids.unique('hook', id);
    this.hooks.set(id, hookId);
    this.out.write({ type: 'hook-start', hookId, ...start });
  }

  endHook(id: string, end: Fields<'hook-end', 'hookId'>, synthetic?: true): boolean {
    const hookId = this.hooks.get(id);
    if (hookId === undefined) return false;
    this.hooks.delete(id);
    this.out.write({ type: 'hook-end', hookId, ...end, synthetic });
    return true;
  }

  askPermission(id: string, request: Fields<'permission-request', 'requestId'>): void {
    const requestId = this.ask(id, 'permission');
    if (requestId !== undefined) writeAs(this.out, this.thread, { type: 'permission-request', requestId, ...request });
  }

  askQuestion(id: string, request: Fields<'question-request', 'requestId'>): void {
    const requestId = this.ask(id, 'question');
    if (requestId !== undefined) writeAs(this.out, this.thread, { type: 'question-request', requestId, ...request });
  }

  /** A permission was given or refused; nobody need have been asked before. */
  resolvePermission(id: string | undefined, resolve: Fields<'permission-resolve', 'requestId'>): void {
    const request = id === undefined ? undefined : this.answered(id, 'permission');
    writeAs(this.out, this.thread, { type: 'permission-resolve', requestId: request?.id, ...resolve });
  }

  resolveQuestion(id: string, resolve: Fields<'question-resolve', 'requestId'>): boolean {
    const request = this.answered(id, 'question');
    if (request) writeAs(this.out, this.thread, { type: 'question-resolve', requestId: request.id, ...resolve });
    return request !== undefined;
  }

  private ask(id: string, kind: Request['kind']): string | undefined {
    if (this.requests.has(id)) return undefined;
    const requestId = this.ids.unique('request', id);
    this.requests.set(id, { id: requestId, kind });
    return requestId;
  }

  private answered(id: string, kind: Request['kind']): Request | undefined {
    const request = this.requests.get(id);
    if (request?.kind !== kind) return undefined;
    this.requests.delete(id);
    return request;
  }

  // ── The end ─────────────────────────────────────────────────────────────────────────────────────

  /** The stream is over: closes what is open, from the inside out, and ends the session. */
  end(exit: Exit, out: EventWriter): void {
    this.begin(out);
    const { outcome, error } = this.readExit(exit, {
      ending: this.turn ? undefined : this.ending,
      isOpen: this.turn !== undefined,
      isAborted: this.isAborted,
      error: this.error,
    });
    const open = outcome === 'cancelled' ? 'cancelled' : 'unknown';
    for (const id of [...this.tasks.keys()].reverse()) this.endTask(id, { outcome: open }, true);
    this.closeThread(this.main, open, true);
    for (const [id, { kind }] of [...this.requests]) {
      if (kind === 'permission') this.resolvePermission(id, { decision: 'cancelled', by: 'unknown' });
      else this.resolveQuestion(id, { outcome: open });
    }
    for (const id of [...this.hooks.keys()]) this.endHook(id, { outcome: open }, true);
    this.endCompaction({ outcome: open }, true);
    if (this.turn) {
      const { id, steps } = this.turn;
      out.write({ type: 'turn-end', turnId: id, outcome, error, steps: steps || undefined, synthetic: true });
    }
    out.write({
      type: 'session-end',
      outcome,
      error,
      turns: this.turns,
      exitCode: exit.code ?? undefined,
      signal: exit.signal ?? undefined,
    });
  }

  /** Ends what a thread has left open. */
  private closeThread(thread: Thread, outcome: Outcome, synthetic: true | undefined): void {
    if (thread === this.main) this.endRetry(outcome);
    closeMessage(this.out, thread, {}, synthetic);
    if (thread.step) {
      writeAs(this.out, thread, { type: 'step-end', stepId: thread.step.id, synthetic: true });
      thread.step = undefined;
    }
    for (const [id, call] of [...this.calls]) {
      if (call.thread !== thread) continue;
      this.calls.delete(id);
      closeCall(this.out, call, { outcome: outcome === 'cancelled' ? 'cancelled' : 'unknown', content: [] }, true);
    }
  }
}

function typeOf(value: Json): string | undefined {
  return asText(asObject<{ type: string }>(value)?.type);
}
