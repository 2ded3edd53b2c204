// Made-up trees of session files, with everything that makes counting go wrong: answers in several lines, in two files and in forks,
// totals that go on over resumes or are missing, sub-agents in two layouts, and texts that look like figures.

import fc from 'fast-check';

export type Tree = ReadonlyMap<string, string>;

const count = fc.integer({ min: 0, max: 5000 });
const model = fc.constantFrom('claude-opus-4-5-20251101', 'claude-haiku-4-5-20251001', 'modèle-日本', '<synthetic>');
const text = fc.constantFrom(
  'ordinary words',
  'größer — 日本語 ✅ "quoted" \\ and a tab\t',
  '{"type":"assistant","message":{"id":"msg_fake","usage":{"input_tokens":9,"output_tokens":9}}}',
  'max_tokens, "-state" and "cost-state"',
  '\u2028line\u2029 separators, \u0000 and lone \ud83d surrogates',
);

interface Answer {
  readonly fresh: number;
  readonly read: number;
  readonly write: number;
  readonly hour: number;
  readonly output: number;
  readonly model: string;
  readonly blocks: number;
  readonly text: string;
  readonly flags: number;
}

const answer: fc.Arbitrary<Answer> = fc.record({
  fresh: count,
  read: count,
  write: count,
  hour: count,
  output: count,
  model,
  blocks: fc.integer({ min: 1, max: 3 }),
  text,
  flags: fc.nat(255),
});

type Step =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'total'; readonly extra: number; readonly isNew: boolean }
  | { readonly kind: 'result'; readonly text: string }
  | { readonly kind: 'subagent'; readonly answers: readonly Answer[]; readonly layout: number }
  | { readonly kind: 'noise'; readonly line: string };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('answer' as const), answer }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('result' as const), text }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('total' as const),
      extra: fc.constantFrom(0, 0, 70, 9000),
      isNew: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('subagent' as const),
      answers: fc.array(answer, { minLength: 1, maxLength: 3 }),
      layout: fc.nat(1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('noise' as const),
      line: fc.constantFrom(
        '',
        'no JSON at all, but _tokens',
        '{"type":"assistant","message":{"usage":{"input_tokens":1',
        '[1,2,{"usage":{"input_tokens":3}}]',
        '{"type":"file-history-snapshot","snapshot":{"usage":{"input_tokens":5}}}',
        '{"type":"cost-state","modelUsage":7}',
        '"output_tokens"',
      ),
    }),
  },
);

const session = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 14 }),
  folder: fc.constantFrom('/home/dev/shop', '/home/dev/größe/日本', 'C:\\work\\app'),
  forkAfter: fc.option(fc.nat(20), { nil: undefined }),
  end: fc.constantFrom('\n', '', '\r\n', '\n{"type":"assistant","mess'),
});

/** A tree of some sessions. */
export const tree: fc.Arbitrary<Tree> = fc.array(session, { minLength: 1, maxLength: 4 }).map(makeTree);

type Line = Record<string, unknown> | string;

function makeTree(sessions: readonly (typeof session extends fc.Arbitrary<infer T> ? T : never)[]): Tree {
  const files = new Map<string, string>();
  let clock = Date.UTC(2026, 10, 1, 9);
  let ids = 0;
  const next = (prefix: string): string => `${prefix}_${String(ids++).padStart(6, '0')}`;
  const uuid = (): string => `00000000-0000-4000-8000-${String(ids++).padStart(12, '0')}`;

  for (const { steps, folder, forkAfter, end } of sessions) {
    const sessionId = uuid();
    const own: Line[] = [];
    /** Calls of the main thread that have no result yet. */
    const open: string[] = [];
    let since = clock;
    /** What a total has to have in it, by model. */
    let served = new Map<string, number[]>();

    const say = (lines: Line[], one: Answer, agentId?: string, id: string = next('msg')): void => {
      const hour = Math.min(one.hour, one.write);
      const usage = {
        input_tokens: one.fresh,
        output_tokens: one.output,
        cache_read_input_tokens: one.read,
        cache_creation_input_tokens: one.write,
        cache_creation: { ephemeral_1h_input_tokens: hour, ephemeral_5m_input_tokens: one.write - hour },
      };
      if (one.model !== '<synthetic>') {
        const sum = served.get(one.model) ?? [0, 0, 0, 0, 0];
        served.set(
          one.model,
          [one.fresh, one.output, one.read, one.write, hour].map((value, index) => value + (sum[index] ?? 0)),
        );
      }
      for (let block = 0; block < one.blocks; block++) {
        clock += 1 + (one.flags % 7) * 1000;
        const call = next('toolu');
        const isCall = (one.flags & 8) !== 0;
        if (isCall && agentId === undefined && one.model !== '<synthetic>') open.push(call);
        const content = isCall
          ? [{ type: 'tool_use', id: call, name: 'X', input: { usage: { input_tokens: 77 }, note: one.text } }]
          : [{ type: 'text', text: one.text }];
        lines.push({
          parentUuid: null,
          isSidechain: agentId !== undefined,
          ...(agentId !== undefined && { agentId }),
          message: {
            id,
            type: 'message',
            role: 'assistant',
            model: one.model,
            content,
            ...(one.flags & 64 && { stop_reason: 'end_turn' }),
            // Before the last line an older version told less.
            usage:
              one.flags & 16 && block < one.blocks - 1 ? { ...usage, output_tokens: Math.min(1, one.output) } : usage,
          },
          ...(one.flags & 32 && { requestId: next('req') }),
          type: 'assistant',
          uuid: uuid(),
          timestamp: new Date(clock).toISOString(),
          cwd: folder,
          sessionId,
        });
      }
    };

    for (const one of steps) {
      switch (one.kind) {
        case 'answer':
          say(own, one.answer);
          break;
        case 'result': {
          clock += 1000;
          const call = open.shift();
          own.push({
            parentUuid: null,
            isSidechain: false,
            type: 'user',
            message: {
              role: 'user',
              content: call === undefined ? one.text : [{ type: 'tool_result', tool_use_id: call, content: one.text }],
            },
            toolUseResult: { usage: { input_tokens: 3, output_tokens: 4 }, stdout: one.text },
            uuid: uuid(),
            timestamp: new Date(clock).toISOString(),
            cwd: folder,
            sessionId,
          });
          break;
        }
        case 'subagent': {
          const agentId = uuid().slice(-8);
          const lines: Line[] = [];
          for (const part of one.answers) say(lines, part, agentId);
          const path =
            one.layout === 0 ? `p/${sessionId}/subagents/agent-${agentId}.jsonl` : `p/agent-${agentId}.jsonl`;
          files.set(path, textOf(lines, '\n'));
          break;
        }
        case 'total':
          own.push({
            type: 'cost-state',
            sessionId,
            startTime: since,
            totalCostUSD: costOf(served, one.extra),
            modelUsage: Object.fromEntries(
              [...served].map(([name, [fresh = 0, output = 0, read = 0, write = 0, hour = 0]]) => [
                name,
                {
                  inputTokens: fresh + one.extra,
                  outputTokens: output,
                  cacheReadInputTokens: read,
                  cacheCreationInputTokens: write,
                  cacheCreationEphemeral1hInputTokens: hour,
                  costUSD: costOf(new Map([[name, [fresh, output, read, write, hour]]]), one.extra),
                },
              ]),
            ),
          });
          // The next process goes on with these figures, or knows nothing of them.
          if (one.isNew) {
            clock += 60_000;
            since = clock;
            served = new Map();
          }
          break;
        case 'noise':
          own.push(one.line);
      }
    }
    files.set(`p/${sessionId}.jsonl`, textOf(own, end));
    if (forkAfter === undefined) continue;
    const fork = uuid();
    const copied = own.slice(0, forkAfter).filter((line) => typeof line === 'string' || line['type'] !== 'cost-state');
    const forked = copied.map((line) => (typeof line === 'string' ? line : { ...line, sessionId: fork }));
    files.set(`p/${fork}.jsonl`, textOf(forked, '\n'));
  }
  return files;
}

function costOf(served: ReadonlyMap<string, readonly number[]>, extra: number): number {
  let cost = 0;
  for (const [fresh = 0, output = 0, read = 0, write = 0, hour = 0] of served.values())
    cost += ((fresh + extra) * 4 + output * 20 + read * 0.4 + (write - hour) * 5 + hour * 8) / 1e6;
  return cost;
}

function textOf(lines: readonly Line[], end: string): string {
  return lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n') + end;
}
