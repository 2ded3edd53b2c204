// One run: a process from its start to its end, whatever it does. The end is ours: it comes once, after the process is gone, its
// pipes are read, and nothing that it started is left.

import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Agent, AgentStreamEvent, HostLine, RunState } from '@tailrace/core';
import type { Clock } from '../clock.ts';
import type { Guard } from '../process/guard.ts';
import type { ProcessName } from '../process/targets.ts';
import type { Sweep } from '../process/terminate.ts';
import { TailraceError } from '../start/errors.ts';
import type { Workspace, WorkspaceOptions } from '../workspace/workspace.ts';
import { createAnswers, type Policy } from './answers.ts';
import { createDemands } from './demands.ts';
import { createProcesses, drained } from './end.ts';
import { createFeed } from './feed.ts';
import { createGreeting } from './greeting.ts';
import { Listeners, type RunListener } from './listeners.ts';
import { type Endings, noteEnding, type RunEnd, type RunResult, resultOf } from './result.ts';
import type { Run, SessionIds } from './run.ts';
import { Status } from './status.ts';
import { createStdin } from './stdin.ts';
import type { Waits } from './waits.ts';
import { createWishes } from './wishes.ts';

/** What a run is made of; see start.ts. */
export interface RunParts {
  readonly id: string;
  readonly agent: Agent;
  readonly cwd: string;
  readonly workOrderId: string | undefined;
  readonly askedSession: string | undefined;
  readonly prompt: string;
  readonly promptId: string;
  /** Whom a signal has to reach. */
  readonly signals: 'process' | 'group';
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
  /** Whether the agent keeps a file of this session. */
  readonly hasFile: (sessionId: string) => boolean;
  readonly openWorkspace: (sink: Pick<WorkspaceOptions, 'onChange' | 'onWarning'>) => Workspace | undefined;
  readonly listener: RunListener;
}

/** As much of stderr is told at the end. */
const STDERR_TAIL = 4_000;

export function createRun(parts: RunParts): Run {
  const { id, agent, cwd, clock, waits, child, guard } = parts;
  const name = agent.title ?? agent.name;
  const status = new Status(parts.keepBackground);
  const endings: Endings = {};
  const sessionIds: { -readonly [K in keyof SessionIds]: SessionIds[K] } = {};
  if (parts.askedSession !== undefined) sessionIds.asked = parts.askedSession;
  const warn = (code: string, message: string): void => tell({ type: 'warned', code, message });
  const listeners = new Listeners((sentence) => warn('listener', sentence));
  listeners.add(parts.listener);
  const processes = createProcesses(id, child, parts.process, clock);
  const workspace = parts.openWorkspace({
    onChange: (line) => tell(line),
    onWarning: ({ code, message }) => warn(code, message),
  });

  let state: RunState | undefined;
  /** What it is working on, as it was told last. */
  let working = '';
  let since = clock.now();
  let stderr = '';
  /** Why the process is being ended, if it is. */
  let ending: RunEnd | undefined;
  let sweeping: Promise<Sweep> | undefined;
  let hasExited = false;
  const greetingOf = createGreeting();
  let cancelWait = (): void => {};
  let cancelStop = (): void => {};

  // ── What comes ──────────────────────────────────────────────────────────────────────────────────

  const feed = createFeed({
    agent,
    now: () => clock.now(),
    maxLineBytes: parts.maxLineBytes,
    listeners,
    look: () => workspace?.beforeFeed(),
    onEvent: (event) => {
      status.add(event, event.at ?? clock.now());
      noteEnding(endings, event);
      workspace?.hear(event);
    },
    onTold: (events) => events.forEach(react),
    onIdle: () => {
      status.isStalled = false;
      update();
    },
    onPause: (isPaused) => {
      for (const stream of [child.stdout, child.stderr]) isPaused ? stream?.pause() : stream?.resume();
    },
  });

  function tell(line: HostLine): void {
    feed.tell(line);
  }

  function react(event: AgentStreamEvent): void {
    if (event.sessionId !== undefined) sessionIds.reported = event.sessionId;
    const greeting = greetingOf(event);
    if (greeting) listeners.announce('onSession', greeting);
    if (event.type === 'permission-request' || event.type === 'question-request') answers.ask(event);
    demands?.hear(event);
  }

  // ── What is said ────────────────────────────────────────────────────────────────────────────────

  const stdin =
    child.stdin &&
    createStdin(child.stdin, (error) => {
      status.isClosed = true;
      // Broken because it ended is no news.
      if (!hasExited && !status.isStopping)
        warn('stdin', `the agent no longer reads what is said to it: ${error.message}`);
    });
  /** Why nobody would hear what is said now. A process that the agent left behind may still hold the pipe. */
  function deafness(): string | undefined {
    if (hasExited) return 'the agent has ended: nobody reads what is said to it';
    return status.isStopping ? 'the run is being ended: nobody would answer' : undefined;
  }
  /** Into the pipe first: whoever hears of it may say more, or close it. */
  const write = (line: string, about?: HostLine): boolean => {
    if (hasExited || !stdin?.write(line)) return false;
    feed.written(line, about);
    return true;
  };
  const demands = agent.input && createDemands(agent.input, write);
  const answers = createAnswers({
    policy: parts.policy,
    find: (requestId) => status.requests.get(requestId),
    deafness,
    lineOf: agent.input?.answer.bind(agent.input),
    write: ({ requestId }, line, by) => {
      const isWritten = write(line, { type: 'answered', requestId, by });
      if (isWritten) update();
      return isWritten;
    },
    leave: (request) => listeners.announce('onRequest', request),
    warn: (sentence) => warn('policy', sentence),
  });

  // ── State and time ──────────────────────────────────────────────────────────────────────────────

  /** Works out the state anew, tells it when it is another, and sets the one timer that fits it. */
  function update(reason?: string): void {
    const next = status.state;
    const toolCallIds = next === 'working' ? status.toolCallIds : [];
    const isOther = next !== state;
    if (isOther || toolCallIds.join('\n') !== working) {
      state = next;
      working = toolCallIds.join('\n');
      if (isOther) since = clock.now();
      tell({
        type: 'state-changed',
        state: next,
        ...(toolCallIds.length > 0 && { toolCallIds }),
        ...(reason !== undefined && { reason }),
      });
      if (isOther) listeners.announce('onState', next, run);
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

  function end(how: RunEnd, reason: string, patience = waits.kill): void {
    ending ??= how;
    status.isStopping = true;
    cancelStop();
    update(reason);
    if (hasExited) return;
    // One that is asked to end takes its background work with it; one that is killed cannot.
    if (sparesBackground()) processes.signal('SIGKILL', 'process');
    else sweeping = processes.end(patience);
  }

  function sparesBackground(): boolean {
    return parts.keepBackground && status.background.size > 0;
  }

  const ended = new Promise<RunResult>((resolve) => {
    child.once('exit', (code, signal) => {
      hasExited = true;
      processes.forget();
      cancelStop();
      cancelWait();
      drained(child, clock, waits.drain).then(() => conclude(code, signal).then(resolve));
    });
  });

  async function conclude(code: number | null, signal: string | null): Promise<RunResult> {
    for (const stream of [child.stdout, child.stderr, child.stdin]) stream?.destroy();
    await sweeping;
    if (!sparesBackground()) {
      const { left } = await processes.end(waits.terminate);
      if (left.length > 0) warn('left', `${left.length} processes of the run could not be ended`);
    }
    await feed.drain();
    await workspace?.look();
    workspace?.close();
    const { reported, asked } = sessionIds;
    const onDisk = [reported, asked].find((one) => one !== undefined && parts.hasFile(one));
    if (onDisk !== undefined) sessionIds.onDisk = onDisk;
    const how: RunEnd = ending ?? (signal === null ? 'exit' : 'signal');
    tell({
      type: 'exited',
      ...(code !== null && { code }),
      ...(signal !== null && { signal }),
      ...(how === 'hung' && { afterWork: true }),
    });
    status.hasEnded = true;
    update();
    feed.end();
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
      return [...status.requests.values()].filter(({ requestId }) => answers.isWaiting(requestId));
    },
    ended,
    listen: (listener) => listeners.add(listener),
    send(text) {
      if (!agent.input) throw new TailraceError('not-listening', `${name} takes one prompt and no more`);
      const deaf = deafness();
      if (deaf !== undefined) throw new TailraceError('not-listening', deaf);
      const promptId = randomUUID();
      if (!write(agent.input.prompt(text, promptId)))
        throw new TailraceError('not-listening', 'the agent takes no more prompts: its stdin is closed');
      status.isBusy = true;
      update();
      return promptId;
    },
    answer: (requestId, answer, by = 'user') => answers.give(requestId, answer, by),
    async interrupt() {
      if (demands && stdin?.isOpen) await demands.ask({ type: 'interrupt' });
      else processes.signal('SIGINT', parts.signals);
    },
    ...createWishes(demands, name),
    close: () => close('nothing more is asked of it'),
    stop() {
      if (!hasExited && ending === undefined) {
        ending = 'stopped';
        status.isStopping = true;
        run.interrupt().then(
          () => stdin?.close(),
          () => {},
        );
        cancelStop = clock.after(waits.terminate, () => end('stopped', 'it was told to stop'));
        update('it was told to stop');
      }
      return ended;
    },
    kill() {
      if (!hasExited) end('stopped', 'it was told to end at once', 0);
      // Nobody waits for a last look at the files then.
      else workspace?.close();
      return ended;
    },
  };

  // ── Begin ───────────────────────────────────────────────────────────────────────────────────────

  child.stdout?.on('data', (bytes: Buffer) => feed.receive('stdout', bytes));
  child.stderr?.on('data', (bytes: Buffer) => {
    stderr = (stderr + bytes.toString('utf8')).slice(-STDERR_TAIL);
    feed.receive('stderr', bytes);
  });
  tell({
    type: 'run-started',
    runId: id,
    agent: agent.name,
    prompt: parts.prompt,
    promptId: parts.promptId,
    cwd,
    ...(parts.askedSession !== undefined && { sessionId: parts.askedSession }),
    ...(parts.workOrderId !== undefined && { workOrderId: parts.workOrderId }),
  });
  update();
  guard.ended.then((how) => {
    if (how === 'lost' && !status.hasEnded)
      warn('guard', 'the guard of the run is gone: if we were killed now, its processes would stay');
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
