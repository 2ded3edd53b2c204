// The main process's side of the bridge: runs agents for the app's pages, and tells every window what they do.

import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { BridgeRun, BridgeStart } from '@tailrace/protocol';
import {
  type Checkpoint,
  type Clock,
  createRegistry,
  type FolderLook,
  type Registry,
  type Run,
  type RunOptions,
  systemClock,
  TailraceError,
} from '@tailrace/runner';
import type { IpcMain } from '../electron.ts';
import { createBroadcast } from './broadcast.ts';
import { callSafely } from './call-safely.ts';
import { externalUrl } from './external-url.ts';
import { type Handlers, handleCalls } from './handle-calls.ts';
import { createIds, isSameId, isTaken, keyOf } from './ids.ts';
import { createLettingGo, type LettingGo } from './letting-go.ts';
import type { MetadataStore } from './metadata.ts';
import { checkPages } from './own-page.ts';
import { createRewinds } from './rewinds.ts';
import { createRunTelling, type RunTelling } from './run-telling.ts';
import type { SenderOptions } from './sender.ts';

/** What a page does not decide: the agent, the folder, what it may do, who is asked about the folder. */
export type Launch = Omit<RunOptions, 'id' | 'prompt' | 'resume' | 'resumeAt' | 'fork' | 'signal'>;

export interface TailraceOptions extends SenderOptions {
  /** What a run is made with that a page asks for. Whatever it throws is told to the page. */
  readonly launch: (wanted: BridgeStart) => Launch | Promise<Launch>;
  /** Where the totals of sessions are kept, if anywhere. */
  readonly metadata?: MetadataStore | undefined;
  /** `(url) => shell.openExternal(url)`; without it nothing is opened. */
  readonly openExternal?: ((url: string) => unknown) | undefined;
  /** Neutral events are told beside the light messages; true unless set. Without them a page does not learn that a turn is over. */
  readonly events?: boolean | undefined;
  /** Lines that could not be read, totals that were not kept, calls that were refused. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

export interface Tailrace {
  /** The runs, and the prompts that can be gone back to, by the agents' own ids of sessions. */
  readonly registry: Registry;
  /** Takes no more calls, stops every run, and settles when nothing is left. */
  close(): Promise<void>;
}

/**
 * Lets the app's pages start, answer and stop agents.
 *
 * @example
 * const tailrace = registerTailrace(ipcMain, {
 *   windows: () => BrowserWindow.getAllWindows(),
 *   pages: pathToFileURL(join(import.meta.dirname, 'index.html')).href,
 *   launch: () => ({ agent: claude, cwd: projectFolder, conversation: true }),
 *   openExternal: (url) => shell.openExternal(url),
 * });
 * app.on('before-quit', () => tailrace.close());
 */
export function registerTailrace(ipcMain: IpcMain, options: TailraceOptions): Tailrace {
  checkPages(options.pages);
  const { metadata, events = true } = options;
  // Whoever hears of troubles must not make more of them.
  const warn = (message: string): void => callSafely(() => options.onWarning?.(message));
  const send = createBroadcast({ ...options, onWarning: warn });
  const registry = createRegistry();
  const ids = createIds();
  const rewinds = createRewinds(ids.ownOf);
  /** The runs whose end is not told yet: some are over, and what they took is still being kept. */
  const tellings = new Map<Run, { readonly telling: RunTelling; readonly told: Promise<unknown> }>();
  /** The session that a run was asked to go on with, unless it has one of its own. */
  const asked = new WeakMap<Run, string>();
  const clocks = new WeakMap<Run, Clock>();
  /** Sessions whose files are being set back, and those that are just being gone on with. */
  const rewinding = new Set<string>();
  const resuming = new Set<string>();
  /** What is just being started, and what else has to be over before we are. */
  const starting = new Set<Promise<unknown>>();
  const pending = new Set<Promise<unknown>>();
  const ending = createLettingGo(aboutToEnd);
  /** By id of a run that is being started, and of the session that it is to go on with. */
  const launching = new Map<string, { readonly own: LettingGo; readonly settled: Promise<unknown> }>();
  let closing: Promise<void> | undefined;

  function track<T>(work: Promise<T>, among: Set<Promise<unknown>> = pending): Promise<T> {
    const settled = work.catch(() => {}).finally(() => among.delete(settled));
    among.add(settled);
    return work;
  }

  /** A page that names its run takes no id of another run, or of a session. */
  function newId({ runId = randomUUID(), resume }: BridgeStart): string {
    const isOther = resume !== undefined && isSameId(runId, resume);
    if (isOther || resuming.has(keyOf(runId)) || isAtWork(runId) || registry.checkpoints(runId).length > 0)
      throw isTaken(runId);
    ids.begin(runId);
    return runId;
  }

  function sessionOf(id: string): string {
    const told = ids.sessionOf(id);
    if (told === undefined) throw new TailraceError('no-session', `run ${id} has told no session to go on with`);
    return told;
  }

  /** Whether a run works in the session that windows know by this id. */
  function worksIn(run: Run, sessionId: string): boolean {
    return [tellings.get(run)?.telling.sessionId, asked.get(run)].some(
      (own) => own !== undefined && isSameId(own, sessionId),
    );
  }

  function isAtWork(sessionId: string): boolean {
    return registry.runs.some((run) => worksIn(run, sessionId));
  }

  /** The end of a run in the session is told before the next one in it begins. */
  async function allToldOf(sessionId: string): Promise<void> {
    await Promise.all([...tellings].map(([run, { told }]) => worksIn(run, sessionId) && told));
  }

  /** Two that work in one session would write over each other; a fork has one of its own. */
  async function startAlone(wanted: BridgeStart): Promise<Run> {
    const id = newId(wanted);
    const session = wanted.resume && sessionOf(wanted.resume);
    const alone = wanted.fork ? undefined : session;
    if (alone !== undefined && (resuming.has(keyOf(alone)) || isAtWork(alone))) throw isBusy(alone);
    const keys = [id, ...(alone === undefined ? [] : [alone])].map(keyOf);
    const own = createLettingGo(wasStopped);
    const begun = start(id, wanted, session, own);
    for (const key of keys) launching.set(key, { own, settled: begun.catch(() => {}) });
    if (alone !== undefined) resuming.add(keyOf(alone));
    try {
      return await begun;
    } finally {
      for (const key of keys) launching.delete(key);
      if (alone !== undefined) resuming.delete(keyOf(alone));
    }
  }

  /** `session` is the one to go on with, as windows know it. */
  async function start(id: string, wanted: BridgeStart, session: string | undefined, own: LettingGo): Promise<Run> {
    const { prompt, resumeAt, fork } = wanted;
    const resume = session && ids.ownOf(session);
    const signal = AbortSignal.any([ending.signal, own.signal]);
    const unlessGone = <T>(work: T | PromiseLike<T>): Promise<T> => ending.unlessClosed(own.unlessClosed(work));
    const launch = await unlessGone(options.launch(wanted));
    // The app's own code: its types may promise more than it keeps.
    if (typeof (launch as Partial<Launch> | null | undefined)?.agent?.name !== 'string')
      throw new TailraceError('no-launch', 'the app has not said which agent is to be started');
    if (session !== undefined && rewinding.has(keyOf(session))) throw isBusy(session);
    if (session !== undefined && !fork) await unlessGone(allToldOf(session));
    const { agent, program, env, clock = systemClock, waits } = launch;
    const nameOf = (reported: string): string => ids.tell(id, { agent: agent.name, id: reported });
    const telling = createRunTelling({ runId: id, nameOf, send, events, metadata, warn, clock });
    const trust = launch.trust && (async (look: FolderLook) => unlessGone(launch.trust?.(look) ?? false));
    const note = rewinds.note({ agent, program, env, trust, clock, waits, cwd: resolve(launch.cwd ?? '') }, id);
    const run = await registry.start({
      ...launch,
      ...{ id, prompt, resume, resumeAt, fork, trust, signal },
      model: launch.model ?? wanted.model,
      // Without events no page hears that it is asked.
      asks: launch.asks ?? (events || undefined),
      onEvents(some) {
        for (const event of some) {
          telling.add(event);
          note(event, telling.sessionId);
        }
        return launch.onEvents?.(some);
      },
    });
    const told = track(run.ended.then((result) => telling.end(result)).finally(() => tellings.delete(run)));
    tellings.set(run, { telling, told });
    if (session !== undefined && !fork) asked.set(run, session);
    clocks.set(run, clock);
    // Whoever hears of its first events may have stopped it.
    if (signal.aborted) {
      const stopped = track(run.stop());
      if (!ending.signal.aborted) await stopped;
      throw signal.reason;
    }
    return run;
  }

  /** Waits for the agent's word, but not for ever. */
  async function interrupt(run: Run): Promise<void> {
    let cancel = (): void => {};
    const patience = new Promise<never>((_resolve, reject) => {
      cancel = (clocks.get(run) ?? systemClock).after(INTERRUPT_WAIT, () => reject(isDeaf()));
    });
    await Promise.race([run.interrupt(), patience]).finally(() => cancel());
  }

  /** By its own id, or as the newest that works in the session: an agent may call its session as it likes. */
  function mustFind(id: string): Run {
    const run =
      registry.runs.find((one) => isSameId(one.id, id)) ?? [...registry.runs].reverse().find((one) => worksIn(one, id));
    if (run) return run;
    if (launching.has(keyOf(id))) throw new TailraceError('busy', `the run is only being started under ${id}`);
    throw new TailraceError('no-run', `the run is over: nothing goes on under ${id}`);
  }

  /** Nobody works in a session while its files are set back. */
  async function withSession<T>(id: string, act: (sessionId: string) => Promise<T>): Promise<T> {
    const sessionId = sessionOf(id);
    const key = keyOf(sessionId);
    if (rewinding.has(key) || resuming.has(key) || isAtWork(sessionId)) throw isBusy(sessionId);
    rewinding.add(key);
    try {
      return await track(act(sessionId));
    } finally {
      rewinding.delete(key);
    }
  }

  function checkpointsOf(id: string): readonly Checkpoint[] {
    const sessionId = ids.sessionOf(id);
    if (sessionId === undefined) return [];
    const own = ids.find(sessionId);
    return registry.checkpoints(own?.id ?? sessionId, own?.agent);
  }

  const handlers: Handlers = {
    start: async (wanted) => ({ runId: (await track(startAlone(wanted), starting)).id }),
    async send({ id, text }) {
      mustFind(id).send(text);
    },
    async answer({ id, requestId, answer }) {
      mustFind(id).answer(requestId, answer);
    },
    async interrupt({ id }) {
      await interrupt(mustFind(id));
    },
    async stop({ id }) {
      const being = launching.get(keyOf(id));
      being?.own.close();
      await (being ? being.settled : mustFind(id).stop());
    },
    async runs() {
      await Promise.all(starting);
      return registry.runs.map(infoOf);
    },
    checkpoints: async ({ sessionId }) =>
      checkpointsOf(sessionId).map((checkpoint) => ({ at: null, ...checkpoint, sessionId })),
    previewRewind: ({ sessionId, checkpoint }) => withSession(sessionId, (id) => rewinds.preview(id, checkpoint)),
    rewind: ({ sessionId, checkpoint, digest }) =>
      withSession(sessionId, (id) => rewinds.rewind(id, checkpoint, digest)),
    async openExternal({ url }) {
      const safe = externalUrl(url);
      if (!options.openExternal) throw new TailraceError('refused', 'this app opens no addresses');
      if (safe === undefined)
        throw new TailraceError('refused', 'only addresses of the web are opened: http and https');
      await options.openExternal(safe);
    },
  };

  function infoOf(run: Run): BridgeRun {
    const { id: runId, agent, state, requests } = run;
    return { runId, sessionId: tellings.get(run)?.telling.sessionId ?? runId, agent, state, requests };
  }

  async function end(): Promise<void> {
    unhandle();
    // What is just being started stops itself as soon as it is there; whatever else comes to be meanwhile is stopped in the next round.
    while (starting.size > 0 || pending.size > 0 || registry.runs.length > 0)
      await Promise.all([...starting, ...pending, ...registry.runs.map((run) => run.stop())]);
  }

  const unhandle = handleCalls(ipcMain, handlers, options, warn);
  return {
    registry,
    close() {
      ending.close();
      closing ??= end();
      return closing;
    },
  };
}

/** How long an agent gets to say that it was interrupted, in milliseconds. */
export const INTERRUPT_WAIT = 5_000;

function aboutToEnd(): TailraceError {
  return new TailraceError('closed', 'the app is about to end; nothing is started any more');
}

function wasStopped(): TailraceError {
  return new TailraceError('stopped', 'the run was stopped before it had begun');
}

function isDeaf(): TailraceError {
  const seconds = INTERRUPT_WAIT / 1000;
  return new TailraceError(
    'no-reply',
    `the agent was asked to break off, and has said nothing to it in ${seconds} seconds; stop the run to end it`,
  );
}

function isBusy(sessionId: string): TailraceError {
  return new TailraceError('busy', `session ${sessionId} is at work; stop it first`);
}
