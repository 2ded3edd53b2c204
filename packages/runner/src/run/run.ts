// One run: a process from its start to its end, whatever it does. The end is ours: it comes once, after the process is gone, its
// pipes are read, and nothing that it started is left.

import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  type Agent,
  type AgentStreamEvent,
  type Answer,
  type ContextUsage,
  createDecoder,
  type HostLine,
  type RequestEvent,
  type Rewind,
  type RunState,
} from '@tailrace/core';
import type { Clock } from '../clock.ts';
import { followDescendants } from '../process/follow.ts';
import type { Guard } from '../process/guard.ts';
import type { ProcessName, Remembered, RunTarget } from '../process/targets.ts';
import { type Sweep, signalProcess, sweep } from '../process/terminate.ts';
import { TailraceError } from '../start/errors.ts';
import { createDemands } from './demands.ts';
import { type Arrived, createRecorder, type RecordLine, sizeOf } from './recorder.ts';
import { type Endings, noteEnding, type RunEnd, type RunResult, resultOf } from './result.ts';
import { type OpenCall, Status } from './status.ts';
import { createStdin } from './stdin.ts';
import type { Waits } from './waits.ts';

/** Decides about a request, or leaves it to a person by giving nothing. It is asked once, and may take its time. */
export type Policy = (request: RequestEvent) => Answer | undefined | Promise<Answer | undefined>;

/** Who hears of a run. What they throw is told as a warning and harms nothing. */
export interface RunListener {
  /** Every row of the record. While a promise it gives is pending, no more than a bounded number of bytes is read. */
  readonly onLines?: ((lines: readonly RecordLine[]) => unknown) | undefined;
  readonly onEvents?: ((events: readonly AgentStreamEvent[]) => unknown) | undefined;
  /** The session that the agent reports, with its tools; again when it becomes another. */
  readonly onSession?:
    | ((session: { readonly sessionId: string; readonly tools: readonly string[] }) => unknown)
    | undefined;
  readonly onState?: ((state: RunState, run: Run) => unknown) | undefined;
  /** Something waits for {@link Run.answer}. Not for what the policy has decided. */
  readonly onRequest?: ((request: RequestEvent) => unknown) | undefined;
}

export interface Run {
  readonly id: string;
  readonly agent: string;
  readonly cwd: string;
  readonly state: RunState;
  /** When that state began, in epoch milliseconds. */
  readonly since: number;
  /** The tools that run, the oldest first. */
  readonly calls: readonly OpenCall[];
  /** The session that was asked for, the one the agent reports, and the one whose file lies on disk: they may differ. */
  readonly sessionIds: { readonly asked?: string; readonly reported?: string; readonly onDisk?: string };
  /** What waits for an answer, the oldest first. */
  readonly requests: readonly RequestEvent[];
  /** Settles when the run has ended; never rejects. */
  readonly ended: Promise<RunResult>;
  listen(listener: RunListener): () => void;
  /** Says one more thing; gives the id of the prompt. */
  send(text: string): string;
  /** Answers a request, once: the first answer counts. */
  answer(requestId: string, answer: Answer, by?: 'user' | 'policy'): void;
  /** Breaks off the turn; the run goes on. */
  interrupt(): Promise<void>;
  setModel(model: string): Promise<void>;
  setPermissionMode(mode: string): Promise<void>;
  contextUsage(): Promise<ContextUsage>;
  /** Sets files back to how they were before a prompt. */
  rewindFiles(checkpoint: string, options?: { readonly dryRun?: boolean }): Promise<Rewind>;
  /** Nothing more will be said: the agent may end when its work is done. */
  close(): void;
  /** Interrupt, then TERM, then KILL; settles when nothing is left. */
  stop(): Promise<RunResult>;
  /** KILL at once. */
  kill(): Promise<RunResult>;
}

/** What a run is made of; see start.ts. */
export interface RunParts {
  readonly id: string;
  readonly agent: Agent;
  readonly cwd: string;
  readonly askedSession: string | undefined;
  readonly prompt: string;
  readonly promptId: string;
  /** Written first. */
  readonly opening: string | undefined;
  /** Stdin stays open for more prompts. */
  readonly isConversation: boolean;
  /** Somebody answers what the agent asks. */
  readonly asks: boolean;
  readonly policy: Policy | undefined;
  readonly keepBackground: boolean;
  readonly maxLineBytes: number;
  readonly waits: Waits;
  readonly clock: Clock;
  readonly guard: Guard;
  readonly child: ChildProcess;
  readonly process: ProcessName | undefined;
  /** Where the agent's own file of a session would be. */
  readonly hasFile: (sessionId: string) => boolean;
  readonly openWorkspace: (sink: WorkspaceSink) => Workspace | undefined;
  readonly listener: RunListener;
}

/** Who tells what changes in the folder. */
export interface Workspace {
  hear(event: AgentStreamEvent): void;
  /** What is there is known: what happens from now on is a change. */
  readonly ready: Promise<void>;
  /** A line came that may tell the end of a call: what it has changed is told before that. Undefined: no call can have. */
  beforeFeed(): Promise<void> | undefined;
  /** Looks once more; settles when everything has been told. */
  look(): Promise<unknown>;
  close(): void;
}

export interface WorkspaceSink {
  readonly onChange: (line: HostLine & { readonly type: 'file-changed' }) => void;
  readonly onWarning: (warning: { readonly code: string; readonly message: string }) => void;
}

/** As many bytes may wait for those who keep the record; then the pipes wait too. */
const MAX_UNKEPT_BYTES = 16 * 1024 * 1024;
/** In milliseconds. */
const FOLLOW_EVERY = 1_000;
/** As much of stderr is told at the end. */
const STDERR_TAIL = 4_000;

export function createRun(parts: RunParts): Run {
  const { id, agent, cwd, clock, waits, child, guard } = parts;
  const status = new Status();
  const recorder = createRecorder(() => clock.now(), parts.maxLineBytes);
  const decoder = createDecoder({ agent, maxLineBytes: parts.maxLineBytes });
  const listeners = new Set<RunListener>([parts.listener]);
  const faulty = new Set<keyof RunListener>();
  const answered = new Set<string>();
  const endings: Endings = {};
  const sessionIds: { asked?: string; reported?: string; onDisk?: string } = {};
  if (parts.askedSession !== undefined) sessionIds.asked = parts.askedSession;
  const target: RunTarget = { runId: id, agent: parts.process };
  const remembered: Remembered = new Map(parts.process ? [[parts.process.pid, parts.process.startTime]] : []);
  const workspace = parts.openWorkspace({
    onChange: (line) => tell(line),
    onWarning: ({ code, message }) => tell({ type: 'warned', code, message }),
  });

  let state: RunState | undefined;
  let since = clock.now();
  let stderr = '';
  let unkept = 0;
  let isPaused = false;
  /** Why the process is being ended, if it is. */
  let ending: RunEnd | undefined;
  let sweeping: Promise<Sweep> | undefined;
  let hasExited = false;
  let cancelWait = (): void => {};
  let cancelStop = (): void => {};

  // ── What comes ──────────────────────────────────────────────────────────────────────────────────

  const arrived: Arrived[] = [];
  let pumping: Promise<void> | undefined;
  let isPumping = false;

  /** Lines wait for each other: before one that may end a call, what that call has changed is looked for. */
  function receive(lines: readonly Arrived[]): void {
    arrived.push(...lines);
    count(sizeOf(lines));
    if (!isPumping) pumping = pump();
  }

  async function pump(): Promise<void> {
    isPumping = true;
    for (let line = arrived.shift(); line; line = arrived.shift()) {
      const looked = line.source === 'stdout' ? workspace?.beforeFeed() : undefined;
      if (looked) await looked;
      const rows = [recorder.number(line)];
      // Where nothing has to be looked for, all that is there goes on at once.
      while (!workspace) {
        const next = arrived.shift();
        if (!next) break;
        rows.push(recorder.number(next));
      }
      status.isStalled = false;
      keep(rows);
      count(-sizeOf(rows));
      if (arrived.length === 0) update();
    }
    isPumping = false;
  }

  /** Bytes that wait for somebody: if they are too many, the agent waits rather than our memory growing. */
  function count(size: number): void {
    unkept += size;
    const isFull = unkept > MAX_UNKEPT_BYTES;
    if (isFull === isPaused) return;
    isPaused = isFull;
    for (const stream of [child.stdout, child.stderr]) isFull ? stream?.pause() : stream?.resume();
  }

  // ── What comes and goes ─────────────────────────────────────────────────────────────────────────

  function keep(rows: readonly RecordLine[]): void {
    if (rows.length === 0) return;
    announce('onLines', rows);
    const events = rows.flatMap(({ bytes, at, source }) => decoder.feed(bytes, { at, source }));
    spread(events);
  }

  /** Whoever keeps the record may be slow. Stopping never waits for it. */
  function waitFor(kept: Promise<unknown>, rows: readonly RecordLine[]): void {
    const size = sizeOf(rows);
    count(size);
    kept
      .catch((error: unknown) =>
        tell({ type: 'warned', code: 'record', message: `the record was not kept: ${sentenceOf(error)}` }),
      )
      .finally(() => count(-size));
  }

  function spread(events: readonly AgentStreamEvent[]): void {
    if (events.length === 0) return;
    for (const event of events) {
      status.add(event, event.at ?? clock.now());
      noteEnding(endings, event);
      workspace?.hear(event);
    }
    announce('onEvents', events);
    for (const event of events) react(event);
  }

  function react(event: AgentStreamEvent): void {
    if (event.sessionId !== undefined && event.sessionId !== sessionIds.reported) {
      sessionIds.reported = event.sessionId;
    }
    if (event.type === 'session-start' || event.type === 'session-update') greet(event.sessionId, event.tools);
    if (event.type === 'permission-request' || event.type === 'question-request') ask(event);
    demands?.hear(event);
  }

  let greeted: string | undefined;
  let tools: readonly string[] = [];
  function greet(sessionId: string | undefined, told: readonly string[] | undefined): void {
    tools = told ?? tools;
    if (sessionId === undefined || sessionId === greeted) return;
    greeted = sessionId;
    announce('onSession', { sessionId, tools });
  }

  function ask(request: RequestEvent): void {
    const leave = (): void => {
      if (status.requests.has(request.requestId)) announce('onRequest', request);
    };
    if (!parts.policy) return leave();
    Promise.resolve()
      .then(() => parts.policy?.(request))
      .then(
        (answer) => {
          if (!answer) return leave();
          if (isWaiting(request.requestId)) answerRequest(request.requestId, answer, 'policy');
        },
        (error: unknown) => {
          tell({
            type: 'warned',
            code: 'policy',
            message: `the policy failed, so a person is asked: ${sentenceOf(error)}`,
          });
          leave();
        },
      );
  }

  /** A remark of ours in the record. */
  function tell(line: HostLine): void {
    keep([recorder.host(line)]);
  }

  function announce<K extends keyof RunListener>(name: K, ...words: Parameters<NonNullable<RunListener[K]>>): void {
    for (const listener of listeners) {
      try {
        // The compiler does not see that the words are those of this very name.
        const heard = (listener[name] as ((...all: typeof words) => unknown) | undefined)?.(...words);
        if (name === 'onLines' && heard instanceof Promise) waitFor(heard, words[0] as readonly RecordLine[]);
      } catch (error) {
        // Once: what tells of it is heard by the same listener.
        if (faulty.has(name)) continue;
        faulty.add(name);
        tell({ type: 'warned', code: 'listener', message: `${name} failed: ${sentenceOf(error)}` });
      }
    }
  }

  // ── Stdin ───────────────────────────────────────────────────────────────────────────────────────

  const stdin =
    child.stdin &&
    createStdin(child.stdin, (error) => {
      // Broken because it ended is no news.
      status.isClosed = true;
      if (!hasExited && !status.isStopping)
        tell({
          type: 'warned',
          code: 'stdin',
          message: `the agent no longer reads what is said to it: ${error.message}`,
        });
    });
  const write = (line: string): boolean => {
    if (!stdin?.isOpen) return false;
    keep(recorder.split('stdin', Buffer.from(line)).map(recorder.number));
    return stdin.write(line);
  };
  const demands = agent.input && createDemands(agent.input, write);

  function isWaiting(requestId: string): boolean {
    return status.requests.has(requestId) && !answered.has(requestId);
  }

  function answerRequest(requestId: string, answer: Answer, by: 'user' | 'policy'): void {
    const request = status.requests.get(requestId);
    if (!agent.input || !request || answered.has(requestId))
      throw new TailraceError(
        'no-such-request',
        `no request "${requestId}" waits for an answer: it has one, or was taken back`,
      );
    answered.add(requestId);
    tell({ type: 'answered', requestId, by });
    if (!write(agent.input.answer(request, answer)))
      throw new TailraceError('not-listening', 'the agent takes no more answers');
    update();
  }

  // ── State and time ──────────────────────────────────────────────────────────────────────────────

  /** Works out the state anew, tells it when it is another, and sets the one timer that fits it. */
  function update(reason?: string): void {
    const next = status.state;
    if (next !== state) {
      state = next;
      since = clock.now();
      const { toolCallIds } = status;
      tell({
        type: 'state-changed',
        state: next,
        ...(next === 'working' && toolCallIds.length > 0 && { toolCallIds }),
        ...(reason !== undefined && { reason }),
      });
      announce('onState', next, run);
    }
    cancelWait();
    cancelWait = () => {};
    if (hasExited || status.isStopping) return;
    if (status.isDone) rest();
    else if (!status.hasOpen && !status.isStalled) wait(waits.stall + Math.max(0, status.retryAt - clock.now()), stall);
  }

  function wait(milliseconds: number, act: () => void): void {
    cancelWait = clock.after(milliseconds, act);
  }

  /** All that was asked is done: a run with one prompt is to end, a conversation waits for the person. */
  function rest(): void {
    if (status.isClosed) wait(waits.linger, () => end('hung', 'it did not end when its work was done'));
    else if (!parts.isConversation) wait(waits.quiet, () => close('its work is done'));
    else if (waits.idle !== undefined) wait(waits.idle, () => close('nobody said anything more'));
  }

  function close(reason?: string): void {
    status.isClosed = true;
    stdin?.close();
    update(reason);
  }

  function stall(): void {
    status.isStalled = true;
    update(`nothing came for ${Math.round(waits.stall / 1000)} s, and nothing is open`);
  }

  // ── The end ─────────────────────────────────────────────────────────────────────────────────────

  /** Ends the processes of the run: TERM, and KILL for those that do not follow. */
  function end(how: RunEnd, reason: string, patience = waits.kill): void {
    ending ??= how;
    status.isStopping = true;
    cancelStop();
    update(reason);
    if (hasExited) return;
    sweeping = sweep(target, { clock, patience, remembered });
    cancelWait();
  }

  const ended = new Promise<RunResult>((resolve) => {
    child.once('exit', (code, signal) => {
      hasExited = true;
      cancelFollow();
      cancelStop();
      cancelWait();
      drained().then(() => conclude(code, signal).then(resolve));
    });
  });

  /** Until both pipes are at their end, or somebody who holds them has had his time. */
  function drained(): Promise<void> {
    const open = [child.stdout, child.stderr].filter((stream) => stream && !stream.closed);
    if (open.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      let left = open.length;
      const cancel = clock.after(waits.drain, resolve);
      for (const stream of open)
        stream?.once('close', () => {
          if (--left > 0) return;
          cancel();
          resolve();
        });
    });
  }

  async function conclude(code: number | null, signal: string | null): Promise<RunResult> {
    for (const stream of [child.stdout, child.stderr]) stream?.destroy();
    stdin?.close();
    child.stdin?.destroy();
    await sweeping;
    const spare = parts.keepBackground && status.background.size > 0;
    const { left } = spare ? { left: [] } : await sweep(target, { clock, remembered, patience: waits.terminate });
    if (left.length > 0)
      tell({ type: 'warned', code: 'left', message: `${left.length} processes of the run could not be ended` });
    for (const source of ['stdout', 'stderr'] as const) receive(recorder.rest(source));
    await pumping;
    await workspace?.look();
    workspace?.close();
    const how: RunEnd = ending ?? (signal === null ? 'exit' : 'signal');
    const { reported, asked } = sessionIds;
    const onDisk = [reported, asked].find((one) => one !== undefined && parts.hasFile(one));
    if (onDisk !== undefined) sessionIds.onDisk = onDisk;
    tell({
      type: 'exited',
      ...(code !== null && { code }),
      ...(signal !== null && { signal }),
      ...(how === 'hung' && { afterWork: true }),
    });
    status.hasEnded = true;
    update();
    spread(decoder.end());
    demands?.end('the run has ended');
    guard.release();
    return resultOf(how, { code, signal }, endings.session, endings.turn, stderr.trim());
  }

  // ── From outside ────────────────────────────────────────────────────────────────────────────────

  const run: Run = {
    id,
    agent: agent.name,
    cwd,
    get state() {
      return state ?? 'starting';
    },
    get since() {
      return since;
    },
    get calls() {
      return [...status.calls.values()];
    },
    sessionIds,
    get requests() {
      return [...status.requests.values()].filter(({ requestId }) => !answered.has(requestId));
    },
    ended,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    send(text) {
      if (!agent.input)
        throw new TailraceError('not-listening', `${agent.title ?? agent.name} takes one prompt and no more`);
      const promptId = randomUUID();
      status.isBusy = true;
      if (!write(agent.input.prompt(text, promptId)))
        throw new TailraceError('not-listening', 'the agent takes no more prompts: its stdin is closed');
      update();
      return promptId;
    },
    answer(requestId, answer, by = 'user') {
      answerRequest(requestId, answer, by);
    },
    async interrupt() {
      if (demands && stdin?.isOpen) await demands.ask({ type: 'interrupt' });
      else signalAgent('SIGINT');
    },
    async setModel(model) {
      await speak().ask({ type: 'set-model', model });
    },
    async setPermissionMode(mode) {
      await speak().ask({ type: 'set-permission-mode', mode });
    },
    async contextUsage() {
      return told(await speak().ask({ type: 'context-usage' }), 'what fills the context');
    },
    async rewindFiles(checkpoint, { dryRun } = {}) {
      return told(await speak().ask({ type: 'rewind-files', checkpoint, dryRun }), `how to go back to ${checkpoint}`);
    },
    close() {
      close('nothing more is asked of it');
    },
    stop() {
      if (!hasExited && ending === undefined) {
        ending = 'stopped';
        this.interrupt().then(
          () => stdin?.close(),
          () => {},
        );
        cancelStop = clock.after(waits.terminate, () => end('stopped', 'it was told to stop'));
        status.isStopping = true;
        update('it was told to stop');
      }
      return ended;
    },
    kill() {
      if (!hasExited) end('stopped', 'it was told to end at once', 0);
      return ended;
    },
  };

  function signalAgent(signal: NodeJS.Signals): void {
    if (parts.process) signalProcess(parts.process, signal);
    else child.kill(signal);
  }

  function speak(): NonNullable<typeof demands> {
    if (!demands)
      throw new TailraceError('not-listening', `${agent.title ?? agent.name} cannot be asked anything while it runs`);
    return demands;
  }

  function told<T>(value: T | undefined, what: string): T {
    if (value === undefined) throw new TailraceError('refused', `the agent does not tell ${what}`);
    return value;
  }

  /** Who leaves his parents and his marks behind can be known only by having been seen before. */
  let cancelFollow = (): void => {};
  function follow(): void {
    followDescendants(remembered);
    cancelFollow = clock.after(FOLLOW_EVERY, follow);
  }

  // ── Begin ───────────────────────────────────────────────────────────────────────────────────────

  child.stdout?.on('data', (bytes: Buffer) => receive(recorder.split('stdout', bytes)));
  child.stderr?.on('data', (bytes: Buffer) => {
    stderr = (stderr + bytes.toString('utf8')).slice(-STDERR_TAIL);
    receive(recorder.split('stderr', bytes));
  });
  tell({
    type: 'run-started',
    runId: id,
    agent: agent.name,
    prompt: parts.prompt,
    promptId: parts.promptId,
    cwd,
    ...(parts.askedSession !== undefined && { sessionId: parts.askedSession }),
  });
  update();
  follow();
  guard.ended.then((how) => {
    if (how === 'lost' && !status.hasEnded)
      tell({
        type: 'warned',
        code: 'guard',
        message: 'the guard of the run is gone: if we were killed now, its processes would stay',
      });
  });
  const open = (): void => {
    if (parts.opening !== undefined) write(parts.opening);
    // Whoever is not to be answered needs no open ear; a conversation needs one for what comes next.
    if (!agent.input || !(parts.asks || parts.isConversation)) close();
  };
  if (workspace) workspace.ready.then(open, open);
  else open();
  return run;
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
