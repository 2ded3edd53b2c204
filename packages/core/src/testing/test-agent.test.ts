import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { capture, captures } from '../../test/captures.ts';
import type { Agent, AgentCommand, EventWriter, StartOptions, Translator } from '../agents/agent.ts';
import { claude } from '../agents/claude/index.ts';
import { readExit } from '../agents/exit.ts';
import type { EventDraft } from '../event/draft.ts';
import { asObject, type Json } from '../event/json.ts';
import { type AgentFixture, type AgentRule, type AgentTestOptions, agentCases, testAgent } from './index.ts';

/** A subtype of a type that Claude has. */
const invented = [{ type: 'system', subtype: 'tailrace_invented' }];

const all: readonly AgentFixture[] = captures.map(({ name, bytes }) => ({
  name,
  bytes,
  unknown: name === 'unknown-block-partial' ? ['hologram'] : [],
}));

testAgent(
  claude,
  {
    fixtures: all,
    firstLine: true,
    invented,
    counts: { cuts: counts.cuts, bends: counts.agentBends },
  },
  test,
);

/** Called for each new translator; what it returns stands between the translator and the writer. */
type Interpose = () => (draft: EventDraft, pass: (draft: EventDraft) => void) => void;

/** What of an agent can be broken, each in its place. */
interface Break {
  readonly detect?: Agent['detect'];
  readonly write?: Interpose;
  readonly translate?: (message: Json, out: EventWriter) => void;
  readonly end?: Translator['end'];
  readonly shows?: Agent['shows'];
  readonly command?: Agent['command'];
  readonly readExit?: Agent['readExit'];
}

/** What the rich stream below shows. */
const RICH: NonNullable<Agent['shows']> = [
  'partial_text',
  'running_calls',
  'subagents',
  'subagent_work',
  'usage',
  'step_usage',
  'cost',
];

const startClaude = (options: StartOptions): AgentCommand => {
  if (!claude.command) throw new Error('Claude has a command');
  return claude.command(options);
};

/** Claude's translator with one thing broken. */
function broken({ write, translate, end, ...parts }: Break): Agent {
  return {
    name: 'broken',
    detect: claude.detect,
    shows: RICH,
    command: startClaude,
    readExit,
    ...parts,
    createTranslator() {
      const inner = claude.createTranslator();
      const change = write?.();
      const wrap = (out: EventWriter): EventWriter => {
        const pass = (draft: EventDraft): void => out.write(draft);
        const writeDraft = (draft: EventDraft): void => (change ? change(draft, pass) : pass(draft));
        const writeDelta: EventWriter['writeDelta'] = (type, messageId, blockId, delta) =>
          writeDraft({ type, messageId, blockId, delta });
        return new Proxy(out, {
          get(target, key) {
            if (key === 'write') return writeDraft;
            if (key === 'writeDelta') return writeDelta;
            const value = Reflect.get(target, key);
            return typeof value === 'function' ? value.bind(target) : value;
          },
        });
      };
      return {
        translate(message, out) {
          translate?.(message, out);
          inner.translate(message, wrap(out));
        },
        end: (exit, out) => (end && exit.signal ? end(exit, out) : inner.end(exit, wrap(out))),
      };
    },
  };
}

const unlike =
  (type: EventDraft['type']): Interpose =>
  () =>
  (draft, pass) => {
    if (draft.type !== type) pass(draft);
  };

/** A draft with a value that its type forbids. */
const forge = (draft: EventDraft, fields: Readonly<Record<string, unknown>>): EventDraft => ({ ...draft, ...fields });

/** How many streams there have been: what no translator may know. */
function counting(from: number): Interpose {
  let streams = 0;
  return () => {
    const stream = streams++;
    return (draft, pass) => pass(draft.type === 'session-start' && stream >= from ? forge(draft, { stream }) : draft);
  };
}

/** What is asked of streams that are whole is asked of killed and bent ones, too. */
const ALWAYS: readonly AgentRule[] = ['killed', 'hostile'];

const BREAKS: readonly (readonly [AgentRule, string, () => Break, readonly AgentRule[]])[] = [
  [
    'known',
    'calls a message unknown that the fixtures hold',
    () => ({
      write: () => (draft, pass) => {
        if (draft.type === 'turn-end') pass({ type: 'raw', reason: 'unknown_type', nativeType: 'result', value: 1 });
        pass(draft);
      },
    }),
    [],
  ],
  ['session', 'forgets session-end', () => ({ write: unlike('session-end') }), ALWAYS],
  ['numbers', 'numbers by itself', () => ({ write: () => (draft, pass) => pass(forge(draft, { seq: 7 })) }), ALWAYS],
  ['pairs', 'leaves steps open', () => ({ write: unlike('step-end') }), ALWAYS],
  ['pairs', 'ends steps that never began', () => ({ write: unlike('step-start') }), ALWAYS],
  [
    'ids',
    'gives one id to two things',
    () => ({
      write: () => (draft, pass) => {
        pass(draft);
        if (draft.type !== 'message-start') return;
        pass({ type: 'hook-start', hookId: 'h', name: 'h' });
        pass({ type: 'hook-end', hookId: 'h', outcome: 'success' });
      },
    }),
    ALWAYS,
  ],
  [
    'deltas',
    'ends with another text than it streamed',
    () => ({
      write: () => (draft, pass) => pass(draft.type === 'text-end' ? { ...draft, text: `${draft.text}!` } : draft),
    }),
    ALWAYS,
  ],
  ['calls', 'never tells the whole input', () => ({ write: unlike('tool-call-input-end') }), ALWAYS],
  [
    'kinds',
    'invents a kind of tool',
    () => ({
      write: () => (draft, pass) => pass(draft.type === 'tool-call-start' ? forge(draft, { kind: 'magic' }) : draft),
    }),
    ALWAYS,
  ],
  [
    'killed',
    'closes nothing when it is killed',
    () => ({ end: (_, out) => out.write({ type: 'session-end', outcome: 'cancelled' }) }),
    [],
  ],
  [
    'replay',
    'counts streams',
    () => ({ write: counting(0) }),
    ['chunks', 'unknown-message', 'unknown-field', 'detection'],
  ],
  // A translator never sees pieces: only what it keeps between streams can make it depend on them. With a single fixture, the
  // rules that decode twice do not notice a third stream.
  [
    'chunks',
    'is another one from the third stream on',
    () => ({ write: counting(2) }),
    ['unknown-message', 'unknown-field'],
  ],
  [
    'unknown-message',
    'drops what it does not know',
    () => ({
      write: () => (draft, pass) => {
        if (draft.type !== 'raw') pass(draft);
      },
    }),
    [],
  ],
  [
    'unknown-message',
    'remarks on what it does not know',
    () => ({
      translate: (message, out) => {
        if (asObject<{ type: string }>(message)?.type === 'tailrace_invented' && out.started)
          out.write({ type: 'notice', severity: 'info', title: 'what is this?' });
      },
    }),
    [],
  ],
  [
    'unknown-field',
    'remarks on a field that it does not know',
    () => ({
      translate: (message, out) => {
        const { type, tailrace_invented } = asObject<{ type: string; tailrace_invented: Json }>(message) ?? {};
        if (type !== 'tailrace_invented' && tailrace_invented !== undefined && out.started)
          out.write({ type: 'notice', severity: 'info', title: 'what is this?' });
      },
    }),
    [],
  ],
  [
    'killed',
    'calls a killed run a success',
    () => ({
      write: () => (draft, pass) => pass(draft.type === 'session-end' ? { ...draft, outcome: 'success' } : draft),
    }),
    [],
  ],
  [
    'killed',
    'does not say what it made up itself',
    () => ({ write: () => (draft, pass) => pass(forge(draft, { synthetic: undefined })) }),
    [],
  ],
  ['detection', 'never knows its own', () => ({ detect: () => 0 }), []],
  ['detection', 'takes everything for its own', () => ({ detect: () => 1 }), []],
  ['detection', 'is surer than sure', () => ({ detect: (messages) => claude.detect(messages) * 2 }), []],
  [
    'hostile',
    'trusts the type to be a string',
    () => ({ translate: (message) => (message as { type: string }).type.toUpperCase() }),
    [],
  ],
  ['shows', 'streams no text, though it says so', () => ({ write: unlike('text-delta') }), []],
  ['shows', 'says less than it shows', () => ({ shows: RICH.filter((feature) => feature !== 'subagents') }), []],
  ['shows', 'says more than it shows', () => ({ shows: [...RICH, 'call_output'] }), []],
  [
    'command',
    'takes the prompt for a word of its command line',
    () => ({ command: ({ prompt }) => ({ program: 'claude', args: ['-p', prompt], signals: 'process' }) }),
    [],
  ],
  ['command', 'has nothing to start', () => ({ command: (options) => ({ ...startClaude(options), program: '' }) }), []],
  ['exit', 'takes silence for success', () => ({ readExit: (_, seen) => seen.ending ?? { outcome: 'success' } }), []],
  ['exit', 'does not hear a signal', () => ({ readExit: (exit, seen) => readExit({ code: exit.code }, seen) }), []],
];

/** One stream with everything that the rules ask about. */
const rich = capture('subagents-background-two');

const options: AgentTestOptions = {
  fixtures: [rich],
  firstLine: true,
  counts: { cuts: 8, chunkings: 3, inventions: 3, bends: 60 },
};

/** The rules that do not hold for what the breakage makes of Claude. Each is asked of a new agent: breakages have memory. */
function failing(make: () => Break, more: Partial<AgentTestOptions> = {}): AgentRule[] {
  const rules = agentCases(claude, options).map(({ rule }) => rule);
  return rules.filter((rule) => {
    const found = agentCases(broken(make()), { ...options, ...more }).find((one) => one.rule === rule);
    try {
      found?.run();
      return false;
    } catch {
      return true;
    }
  });
}

describe('the suite', () => {
  test('finds nothing in an agent that is only wrapped', () => {
    expect(failing(() => ({}))).toEqual([]);
  });

  test.each(BREAKS)('%s: finds an agent that %s', (rule, _what, make, others) => {
    expect(failing(make).sort()).toEqual([rule, ...others].sort());
  });

  test('has an agent that breaks each of its rules', () => {
    const rules = agentCases(claude, options).map(({ rule }) => rule);
    expect(new Set(BREAKS.map(([rule]) => rule))).toEqual(new Set(rules));
  });

  test('asks nothing about what is not declared', () => {
    const silent = { shows: undefined, command: undefined, readExit: undefined };
    expect(failing(() => ({ ...silent, write: unlike('text-delta') }))).toEqual([]);
    expect(failing(() => ({ shows: [...RICH, 'call_output'] }))).toEqual(['shows']);
  });

  test('finds a message that nobody knows, unless the fixture says so', () => {
    const { name, bytes } = capture('unknown-block-partial');
    const ask = (unknown: readonly string[]): AgentRule[] =>
      failing(() => ({ shows: undefined }), { fixtures: [{ name, bytes, unknown }] });
    expect(ask([])).toEqual(['known']);
    expect(ask(['hologram'])).toEqual([]);
  });

  test('says where, and not more than can be read', () => {
    const [known, , numbers] = agentCases(
      broken({ write: () => (draft, pass) => pass(forge(draft, { seq: 7 })) }),
      options,
    );
    expect(() => known?.run()).not.toThrow();
    expect(() => numbers?.run()).toThrow(/^subagents-background-two: event 0, session-start, has the number 7\n/);
    expect(() => numbers?.run()).toThrow(/\n… and \d+ more$/);
    const hostile = agentCases(
      broken({ translate: (message) => (message as { type: string }).type.toUpperCase() }),
      options,
    ).find(({ rule }) => rule === 'hostile');
    expect(() => hostile?.run()).toThrow(/given null, it throws TypeError/);
  });

  test('cannot be passed without fixtures', () => {
    expect(() => agentCases(claude, { fixtures: [] })).toThrow(TypeError);
    expect(() => agentCases(claude, { fixtures: [{ name: 'empty', bytes: new Uint8Array(0) }] })).toThrow(TypeError);
  });

  test('is registered by name', () => {
    const names: string[] = [];
    testAgent(claude, { fixtures: [rich] }, (name) => names.push(name));
    expect(names).toHaveLength(agentCases(claude, options).length);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^claude: /);
  });
});
