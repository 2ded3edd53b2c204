// What is asked of every agent, over recordings of it. Knows no test runner: a case is a name and a function that throws.
// docs/adding-an-agent.md says what each rule means.

import type { Agent } from '../agents/agent.ts';
import type { AgentStreamEvent } from '../event/event.ts';
import type { Json } from '../event/json.ts';
import { compareShown, type NamedEvents } from './features.ts';
import { type AgentFixture, decodePieces, type PreparedFixture, prepare } from './fixture.ts';
import { framed, joined, numbered, ofTheTen, ordered, paired, type StreamRule, unique } from './promises.ts';
import { tryCommand, tryExit } from './running.ts';
import {
  INVENTED_MESSAGE,
  tryBends,
  tryChunks,
  tryDetection,
  tryField,
  tryKilling,
  tryMessage,
  tryReplay,
  tryStrangeMessages,
  tryStrangers,
} from './trials.ts';

export interface AgentTestOptions {
  /** Recorded runs: the more of what the agent can do is in them, the more the suite says. */
  readonly fixtures: readonly AgentFixture[];
  /** The first message alone tells whose stream it is. */
  readonly firstLine?: boolean | undefined;
  /** Its flags take the next argument whatever it looks like, and know no `=`. */
  readonly takesNext?: boolean | undefined;
  /** Messages in the agent's own manner that nobody knows, beside the suite's. */
  readonly invented?: readonly Json[] | undefined;
  /** How often the costly cases try. */
  readonly counts?: Partial<AgentTestCounts> | undefined;
}

export interface AgentTestCounts {
  /** Lines after which each fixture is cut. */
  readonly cuts: number;
  /** Random ways in which each fixture is cut into pieces. */
  readonly chunkings: number;
  /** Fixtures up to this many bytes are cut in two at every byte. */
  readonly everyByteUpTo: number;
  /** Places in each fixture where an invented message is put. */
  readonly inventions: number;
  /** Messages that are bent, over all fixtures. */
  readonly bends: number;
}

const COUNTS: AgentTestCounts = { cuts: 300, chunkings: 10, everyByteUpTo: 2_000, inventions: 10, bends: 2_000 };

export type AgentRule =
  | 'known'
  | 'session'
  | 'numbers'
  | 'pairs'
  | 'ids'
  | 'deltas'
  | 'calls'
  | 'kinds'
  | 'killed'
  | 'replay'
  | 'chunks'
  | 'unknown-message'
  | 'unknown-field'
  | 'detection'
  | 'hostile'
  | 'shows'
  | 'command'
  | 'exit';

/** One thing that is asked. `run` throws an error that says what is broken and where. */
export interface AgentCase {
  readonly rule: AgentRule;
  readonly name: string;
  run(): void;
}

/**
 * Registers the suite with a test runner: `test` is its function that takes a name and a function.
 *
 * @example
 * testAgent(myAgent, { fixtures, firstLine: true }, test);
 */
export function testAgent(
  agent: Agent,
  options: AgentTestOptions,
  test: (name: string, run: () => void) => unknown,
): void {
  for (const { name, run } of agentCases(agent, options)) test(`${agent.name}: ${name}`, run);
}

/** The suite as a list, for whoever wants to run it in another way. */
export function agentCases(agent: Agent, options: AgentTestOptions): AgentCase[] {
  const fixtures = options.fixtures.map(prepare);
  if (!fixtures.some(({ messages }) => messages.length > 0)) {
    throw new TypeError('testAgent needs fixtures with messages: without any, every rule would hold');
  }
  const counts: AgentTestCounts = { ...COUNTS, ...options.counts };
  const wholes = new Map<PreparedFixture, readonly AgentStreamEvent[]>();

  function eventsOf(fixture: PreparedFixture): readonly AgentStreamEvent[] {
    const events = wholes.get(fixture) ?? decodePieces(agent, [fixture.bytes], fixture.exit);
    wholes.set(fixture, events);
    return events;
  }

  /** A case that looks at each fixture. */
  function each(rule: AgentRule, name: string, look: (fixture: PreparedFixture) => readonly string[]): AgentCase {
    return {
      rule,
      name,
      run: () => report(fixtures.flatMap((fixture) => look(fixture).map((sentence) => `${fixture.name}: ${sentence}`))),
    };
  }
  const keeps = (rule: AgentRule, name: string, promise: StreamRule): AgentCase =>
    each(rule, name, (fixture) => promise(eventsOf(fixture)));

  return [
    each('known', 'every message of the fixtures is known', (fixture) => findUnknown(fixture, eventsOf(fixture))),
    keeps('session', 'session-start is first and session-end is last, each once', framed),
    keeps('numbers', 'events are numbered 0, 1, 2', numbered),
    keeps('pairs', 'every start has one end, and every end its start', paired),
    keeps('ids', 'no id starts twice', unique),
    keeps('deltas', 'the deltas of a block are the text of its end', joined),
    keeps('calls', "a call's result follows the call and its input", ordered),
    keeps('kinds', 'the kind of a tool is one of the ten', ofTheTen),
    each('killed', 'all of this holds when the process is killed after any line', (fixture) =>
      tryKilling(agent, fixture, counts.cuts),
    ),
    each('replay', 'a replay gives the same events, ids included', (fixture) => tryReplay(agent, fixture)),
    each('chunks', 'any chunking gives the same events', (fixture) => tryChunks(agent, fixture, counts)),
    each('unknown-message', 'an invented message survives as raw and disturbs nothing', (fixture) =>
      [INVENTED_MESSAGE, ...(options.invented ?? [])].flatMap((message) =>
        tryMessage(agent, fixture, message, counts.inventions),
      ),
    ),
    each('unknown-field', 'an invented field harms nothing', (fixture) => tryField(agent, fixture)),
    {
      rule: 'detection',
      name: 'it knows its own streams, and no others',
      run: () => report([...tryStrangers(agent), ...tryDetection(agent, fixtures, options.firstLine ?? false)]),
    },
    {
      rule: 'hostile',
      name: 'it never throws on input, and keeps its promises, however messages are bent',
      run: () => report([...tryStrangeMessages(agent, fixtures), ...tryBends(agent, fixtures, counts.bends)]),
    },
    {
      rule: 'shows',
      name: 'what it says it shows is what the fixtures show',
      run: () => report(agent.shows ? compareShown(agent.shows, fixtures.map(named(eventsOf))) : []),
    },
    {
      rule: 'command',
      name: 'nothing that a person says becomes a flag of its command',
      run: () => report(tryCommand(agent, options.takesNext ?? false)),
    },
    { rule: 'exit', name: 'it reads how the process ended', run: () => report(tryExit(agent)) },
  ];
}

const MAX_SENTENCES = 10;

function report(sentences: readonly string[]): void {
  if (sentences.length === 0) return;
  const shown = sentences.slice(0, MAX_SENTENCES);
  if (sentences.length > shown.length) shown.push(`… and ${sentences.length - shown.length} more`);
  throw new Error(shown.join('\n'));
}

function findUnknown(fixture: PreparedFixture, events: readonly AgentStreamEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type !== 'raw' || (event.reason !== 'unknown_type' && event.reason !== 'unknown_block')) return [];
    const { nativeType = '', line } = event;
    return fixture.unknown?.includes(nativeType) ? [] : [`"${nativeType}" in line ${line} is not known`];
  });
}

const named =
  (eventsOf: (fixture: PreparedFixture) => readonly AgentStreamEvent[]) =>
  (fixture: PreparedFixture): NamedEvents => ({ name: fixture.name, events: eventsOf(fixture) });
