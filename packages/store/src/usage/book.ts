// The bill between two questions: what was read stays in memory, and only sessions that have changed are read again. With ten thousand
// sessions reading all of them takes seconds.

import { setImmediate } from 'node:timers/promises';
import type { History, NamedBy, UsageEntry, UsageNames } from '../contract.ts';
import { bySession, tokensIn } from './by-session.ts';
import { byBegin, countOnce, type Measured, measure } from './count-once.ts';
import { namesWithFiles } from './names.ts';
import { within } from './take-apart.ts';

export interface UsageBook {
  /** Each id once, from the side that has more of a session: `files` are the entries of the agents' own files, the same list while they are the same. */
  entries(files: readonly UsageEntry[]): Promise<readonly UsageEntry[]>;
  names(by: NamedBy): Promise<UsageNames>;
  /** Lets go of everything; the next question reads it again. */
  forget(): void;
}

/** So many sessions are read before others get their turn. */
const SESSIONS_AT_ONCE = 250;

type Kept = Pick<History, 'usageOfSessions' | 'usageNames'>;

export function createUsageBook(history: Kept): UsageBook {
  let versions: ReadonlyMap<string, string> = new Map();
  let filed: { readonly from: readonly UsageEntry[]; readonly sessions: ReadonlyMap<string, readonly UsageEntry[]> } = {
    from: [],
    sessions: new Map(),
  };
  let stored = createPage();
  let joined = createPage();
  let named = new Map<NamedBy, Named>();

  /** The side that tells more. */
  function better(id: string): readonly UsageEntry[] {
    const [file, own] = [filed.sessions.get(id) ?? [], stored.of(id)];
    return tokensIn(own) > tokensIn(file) ? own : file;
  }

  /** Takes up what has changed in the store; gives the sessions that may be others now. */
  async function readStore(): Promise<Set<string>> {
    const now = await history.usageOfSessions(versions);
    const touched = new Set(now.changed.keys());
    for (const id of versions.keys()) if (!now.versions.has(id)) touched.add(id);
    if (touched.size === 0) return touched;
    const before = stored.kin();
    for (const id of touched) stored.set(id, now.changed.get(id) ?? []);
    versions = now.versions;
    // What one has of another may have changed with it.
    for (const id of [...before, ...stored.kin()]) touched.add(id);
    return touched;
  }

  return {
    async entries(files) {
      const touched = await readStore();
      if (files !== filed.from) {
        for (const id of filed.sessions.keys()) touched.add(id);
        filed = { from: files, sessions: bySession(files) };
        for (const id of filed.sessions.keys()) touched.add(id);
      }
      for (const id of touched) joined.set(id, better(id));
      return joined.entries();
    },
    async names(by) {
      const known = named.get(by) ?? new Map();
      const changed = [...versions].flatMap(([id, version]) => (known.get(id)?.version === version ? [] : id));
      named.set(by, known);
      for (let first = 0; first < changed.length; first += SESSIONS_AT_ONCE) {
        if (first > 0) await setImmediate();
        const some = changed.slice(first, first + SESSIONS_AT_ONCE);
        const names = await history.usageNames(by, some);
        for (const id of some) known.set(id, { version: versions.get(id) ?? '', names });
      }
      return namesWithFiles(by, (entry) => known.get(entry.sessionId)?.names(entry) ?? NOBODY);
    },
    forget() {
      versions = new Map();
      filed = { from: [], sessions: new Map() };
      stored = createPage();
      joined = createPage();
      named = new Map();
    },
  };
}

const NOBODY: readonly string[] = [];

type Named = Map<string, { readonly version: string; readonly names: UsageNames }>;

interface Session extends Measured {
  /** Each answer once. */
  readonly own: readonly UsageEntry[];
}

interface Page {
  /** What a session has now, by itself. */
  set(id: string, entries: readonly UsageEntry[]): void;
  /** What is a session's own. */
  of(id: string): readonly UsageEntry[];
  /** The sessions that have something of each other. */
  kin(): ReadonlySet<string>;
  /** All of them, in the order in which `countOnce` has them: sums come out the same to the last digit. */
  entries(): readonly UsageEntry[];
}

/** Sessions side by side; those that have something of each other are taken apart, which is few of them. */
function createPage(): Page {
  const sessions = new Map<string, Session>();
  /** Who has an answer: mostly one. */
  const owners = new Map<string, string | Set<string>>();
  /** Answers that several have. */
  const shared = new Set<string>();
  let settled: Settled | undefined;

  function give(answer: string, session: string): void {
    const owner = owners.get(answer);
    if (owner === undefined) owners.set(answer, session);
    else if (typeof owner === 'object') owner.add(session);
    else if (owner !== session) {
      owners.set(answer, new Set([owner, session]));
      shared.add(answer);
    }
  }

  function take(answer: string, session: string): void {
    const owner = owners.get(answer);
    if (owner === session) owners.delete(answer);
    if (typeof owner !== 'object') return;
    owner.delete(session);
    const [last, ...others] = owner;
    if (others.length > 0) return;
    shared.delete(answer);
    if (last === undefined) owners.delete(answer);
    else owners.set(answer, last);
  }

  function kin(): ReadonlySet<string> {
    const all = new Set<string>();
    for (const answer of shared) {
      const owner = owners.get(answer);
      if (typeof owner === 'object') for (const session of owner) all.add(session);
    }
    return all;
  }

  function settle(): Settled {
    if (settled) return settled;
    const related = kin();
    const apart = countOnce([...related].map((id) => sessions.get(id)?.entries ?? []));
    settled = { kin: related, apart: bySession(apart), takenApart: apart, all: undefined };
    return settled;
  }

  function flatten(one: Settled): readonly UsageEntry[] {
    const alone = [...sessions.values()].filter(({ sessionId }) => !one.kin.has(sessionId)).sort(byBegin);
    return [...alone.map(({ own }) => own), one.takenApart].flat();
  }

  return {
    set(id, entries) {
      for (const { id: answer } of sessions.get(id)?.own ?? []) take(answer, id);
      const own = onceEach(entries);
      if (own.length > 0) sessions.set(id, { ...measure(entries), own });
      else sessions.delete(id);
      for (const { id: answer } of own) give(answer, id);
      settled = undefined;
    },
    of(id) {
      const { apart, kin: related } = settle();
      return (related.has(id) ? apart.get(id) : sessions.get(id)?.own) ?? [];
    },
    kin: () => settle().kin,
    entries() {
      const one = settle();
      one.all ??= flatten(one);
      return one.all;
    },
  };
}

interface Settled {
  readonly kin: ReadonlySet<string>;
  readonly apart: ReadonlyMap<string, readonly UsageEntry[]>;
  readonly takenApart: readonly UsageEntry[];
  /** Made when somebody asks for it. */
  all: readonly UsageEntry[] | undefined;
}

/** As one session has it: each answer once. */
function onceEach(entries: readonly UsageEntry[]): readonly UsageEntry[] {
  const all = new Map<string, UsageEntry>();
  for (const entry of entries) {
    const before = all.get(entry.id);
    all.set(entry.id, before ? within(before, entry) : entry);
  }
  return all.size === entries.length ? entries : [...all.values()];
}
