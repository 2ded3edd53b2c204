// @vitest-environment happy-dom
// Every kind of row, from recorded sessions.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AgentStreamEvent,
  type Conversation,
  createConversation,
  type Part,
  type PartType,
  reduce,
} from '@tailrace/core';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import { isFoldable, opensItself } from './folding.ts';
import { PartRow } from './part-row.tsx';
import { SurroundingsContext } from './surroundings.ts';

afterEach(cleanup);

const fixtures = join(import.meta.dirname, '../../../../fixtures/');

function eventsOf(path: string): readonly AgentStreamEvent[] {
  return JSON.parse(readFileSync(`${fixtures}${path}.events.json`, 'utf8'));
}

function recorded(path: string): Conversation {
  return eventsOf(path).reduce(reduce, createConversation());
}

function allParts(conversation: Conversation): readonly Part[] {
  return conversation.parts.flat();
}

/** Draws the part of a conversation that is asked for. */
function draw(conversation: Conversation, wanted: (part: Part) => boolean, isOpen = true): HTMLElement {
  const part = allParts(conversation).find(wanted);
  if (!part) throw new Error('there is no such part');
  return render(
    <PartRow part={part} conversation={conversation} isOpen={isOpen} onToggle={() => undefined} sessionId="s" />,
  ).container;
}

const ofType =
  (type: PartType) =>
  (part: Part): boolean =>
    part.type === type;
const call =
  (wanted: Partial<Extract<Part, { type: 'call' }>>) =>
  (part: Part): boolean =>
    part.type === 'call' &&
    Object.entries(wanted).every(([name, value]) =>
      Object.entries(part).some(([key, is]) => key === name && is === value),
    );

const claude = (name: string): Conversation => recorded(`claude/2.1.325/${name}`);

describe('a call in a line', () => {
  test('tells the tool, what it acts on, the result in a word and how long it took', () => {
    const container = draw(claude('demo'), call({ kind: 'execute', status: 'failed' }), false);
    const line = within(container).getByRole('button', { expanded: false });
    expect(line.textContent).toMatch(/^Bash.*node cart\.test\.mjs.*✖ exit 1.*84 ms$/);
  });

  test('opens and folds', async () => {
    const conversation = claude('demo');
    const part = allParts(conversation).find(ofType('call'));
    if (!part) throw new Error('no call');
    let toggles = 0;
    render(<PartRow part={part} conversation={conversation} isOpen={false} onToggle={() => toggles++} sessionId="s" />);
    await userEvent.click(screen.getByRole('button', { expanded: false }));
    expect(toggles).toBe(1);
  });

  test.each([
    ['claude/2.1.325/permission-denied', 'denied', '⊘ denied'],
    ['claude/2.1.325/tool-errors', 'failed', '✖ failed'],
    ['codex/0.166.0/abort-sigint-tool', 'unknown', 'no result'],
    ['goose/1.34.0/abort-sigint', 'cancelled', 'cancelled'],
  ] as const)('%s: says that it is %s', (name, status, words) => {
    expect(draw(recorded(name), call({ status }), false).textContent).toContain(words);
  });

  test('that waits for the person says so in the colour that means nothing else', () => {
    const events = eventsOf('claude/2.1.325/permission-stdio');
    const until = events.findIndex(({ type }) => type === 'permission-request');
    const conversation = events.slice(0, until + 1).reduce(reduce, createConversation());
    const container = draw(conversation, (part) => part.type === 'call' && part.status === 'waiting', false);
    expect(within(container).getByText('waiting for you').className).toContain('text-waiting');
  });

  test('that runs grows older, in a replay it does not', () => {
    const events = eventsOf('claude/2.1.325/demo');
    const until = events.findIndex(({ type }) => type === 'tool-call-end');
    const conversation = events.slice(0, until).reduce(reduce, createConversation());
    const part = allParts(conversation).find((one) => one.type === 'call');
    if (part?.type !== 'call') throw new Error('no call');
    const running: Part = { ...part, status: 'running', time: Date.now() - 72_000 };
    const { container, rerender } = render(
      <PartRow part={running} conversation={conversation} isOpen={false} onToggle={() => undefined} sessionId="s" />,
    );
    expect(container.textContent).toMatch(/running1:1\d$/);
    rerender(
      <SurroundingsContext value={{ isLive: false, subagents: new Map() }}>
        <PartRow part={running} conversation={conversation} isOpen={false} onToggle={() => undefined} sessionId="s" />
      </SurroundingsContext>,
    );
    expect(container.textContent).toMatch(/running$/);
  });
});

describe('an open call', () => {
  test('of a command shows the command, its exit code and what it printed', () => {
    const container = draw(claude('demo'), call({ kind: 'execute', status: 'failed' }));
    expect([...container.querySelectorAll('pre')].map((one) => one.textContent)).toEqual([
      'node cart.test.mjs',
      'Exit code 1\nFAIL total of two items: expected 10, got 6',
    ]);
    expect(container.textContent).toContain('exit code 1');
    expect(within(container).getByRole('button', { name: 'Copy command' })).toBeDefined();
    expect(within(container).getByRole('button', { name: 'Copy output' })).toBeDefined();
  });

  test('of an edit shows what changed, and in its line how much', () => {
    const container = draw(claude('demo'), call({ kind: 'edit' }));
    expect(within(container).getByRole('table', { name: 'changes in cart.mjs' })).toBeDefined();
    expect(within(container).getByRole('button', { expanded: true }).textContent).toContain('+1 −1');
  });

  test('of a new file shows it as added', () => {
    const container = draw(
      claude('plan-mode'),
      (part) => part.type === 'call' && part.changes?.[0]?.operation === 'add',
    );
    expect(container.textContent).toContain('added: beta');
  });

  test('of a file that was read shows its lines without their numbers', () => {
    const container = draw(claude('demo'), call({ kind: 'read' }));
    expect(container.textContent).toContain('lines 1 to');
    expect(container.querySelector('pre')?.textContent).toMatch(/^export function total/);
  });

  test('of a picture shows it', () => {
    const container = draw(claude('image-read'), call({ kind: 'read' }));
    expect(container.querySelector('img')?.getAttribute('src')).toMatch(/^data:image\/png;base64,/);
  });

  test('of a search shows the files', () => {
    const container = draw(claude('tools-grep-glob'), call({ kind: 'search' }));
    expect(
      within(container)
        .getAllByRole('listitem')
        .map((one) => one.textContent),
    ).toEqual(['src/a.ts', 'src/b.ts']);
    expect(container.textContent).toContain('2 files');
  });

  test('of a search in the web shows the query and where it led', () => {
    const container = draw(claude('server-search-partial'), call({ kind: 'fetch' }));
    expect(container.textContent).toContain('searched for mill race');
    expect(within(container).getByRole('link', { name: 'Race' }).getAttribute('href')).toBe('https://example.com/race');
  });

  test('of a page shows its address', () => {
    const container = draw(claude('webfetch-offline'), call({ kind: 'fetch' }));
    expect(within(container).getByRole('link').getAttribute('href')).toBe('http://nowhere.invalid/page');
  });

  test("of a server's tool names both, and shows what went in and out", () => {
    const container = draw(claude('mcp-tools'), (part) => part.type === 'call' && part.mcp?.tool === 'add');
    expect(container.textContent).toContain('calc · add');
    expect(container.textContent).toContain('a:2b:40');
    expect(container.querySelector('pre')?.textContent).toBe('42');
  });

  test('that keeps a list shows the list', () => {
    const container = draw(claude('demo'), (part) => part.type === 'call' && part.todos?.length === 3);
    expect(within(container).getAllByRole('listitem')).toHaveLength(3);
    expect(within(container).getAllByRole('img', { name: 'to do' })).toHaveLength(3);
  });

  test('that asks shows the question, the options and which was chosen', () => {
    const container = draw(claude('ask-user-question'), (part) => part.type === 'call' && part.question !== undefined);
    expect(container.textContent).toContain('Which colour?');
    expect(within(container).getByRole('img', { name: 'chosen' }).parentElement?.textContent).toContain('Blue');
    expect(within(container).getByRole('img', { name: 'not chosen' }).parentElement?.textContent).toContain('Red');
  });

  test('of a sub-agent shows what it was told, what it used and what came of it', () => {
    const container = draw(claude('demo'), (part) => part.type === 'call' && part.task !== undefined);
    expect(container.textContent).toContain('Work of AGENT-A');
    expect(container.textContent).toContain('general-purpose');
    expect(container.textContent).toContain('1 call');
    expect(container.textContent).toContain('Only cart.test.mjs calls total()');
  });

  test('of a sub-agent shows what it cost, as the summary of the session knows it', () => {
    const conversation = claude('demo');
    const part = allParts(conversation).find((one) => one.type === 'call' && one.task !== undefined);
    if (part?.type !== 'call' || !part.task) throw new Error('no sub-agent');
    const figures = {
      usage: { inputTokens: 4000, outputTokens: 900, state: 'known' },
      costUsd: 0.013,
      costState: 'estimated',
    } as const;
    const { container } = render(
      <SurroundingsContext value={{ isLive: false, subagents: new Map([[part.task.taskId, figures]]) }}>
        <PartRow part={part} conversation={conversation} isOpen={false} onToggle={() => undefined} sessionId="s" />
      </SurroundingsContext>,
    );
    expect(container.textContent).toContain('4.9k tokens');
    expect(container.textContent).toContain('~$0.013');
  });

  test('of no known kind shows its input and its result as they are', () => {
    const container = draw(claude('json-schema'), call({ kind: 'other' }));
    expect(JSON.parse(container.querySelector('pre')?.textContent ?? '')).toEqual({ name: 'Ada', age: 36 });
  });

  test('that was denied says why', () => {
    const container = draw(claude('permission-denied'), call({ status: 'denied' }));
    expect(container.textContent).toContain('denied by a rule');
  });
});

describe('the other rows', () => {
  test('a prompt says who and can be copied', () => {
    const container = draw(claude('clear'), (part) => part.type === 'prompt' && part.origin === 'prompt');
    expect(container.textContent).toMatch(/^You.*One$/);
    expect(within(container).getByRole('button', { name: 'Copy prompt' })).toBeDefined();
  });

  test('what the agent put in itself is folded', () => {
    const conversation = claude('compact-manual');
    const injected = allParts(conversation).find((part) => part.type === 'prompt' && part.origin === 'injected');
    expect(injected && isFoldable(injected)).toBe(true);
    expect(draw(conversation, (part) => part === injected, false).textContent).toContain('put in by the agent');
  });

  test('text is markdown and can be copied', () => {
    const container = draw(claude('demo'), (part) => part.type === 'text' && part.text.includes('**1**'));
    expect(container.querySelector('strong')?.textContent).toBe('1');
    expect(within(container).getByRole('button', { name: 'Copy text' })).toBeDefined();
  });

  test('reasoning is folded to how long it took', () => {
    expect(draw(claude('demo'), ofType('reasoning'), false).textContent).toBe('thought for 8 ms');
    expect(
      draw(claude('redacted-thinking'), (part) => part.type === 'reasoning' && part.form === 'redacted', false)
        .textContent,
    ).toContain('kept secret');
  });

  test.each<readonly [string, (part: Part) => boolean, RegExp]>([
    ['api-retry', ofType('retry'), /^the API was overloaded, tried again after 0\.6 s \(1 of 10\), and it answered$/],
    ['compact-manual', ofType('compaction'), /^the context was summarised, as you asked: 24k → 2\.5k tokens/],
    ['refusal-first-turn', ofType('notice'), /refused|safeguards|stopped/],
    ['api-error-400', ofType('error'), /something is invalid \(HTTP 400, invalid_request_error\)$/],
    ['controls', (part) => part.type === 'mode' && part.mode === 'plan', /^the mode is now plan, it was acceptEdits$/],
    ['demo', ofType('turn'), /^done in .* s\$0\.080\d+k in \(83 % cached\)/],
    ['max-turns', ofType('turn'), /^stopped: it took as many steps as it may/],
    ['max-budget', ofType('turn'), /^stopped: it cost as much as it may/],
    ['control-interrupt', ofType('turn'), /^stopped/],
    ['sigkill', ofType('raw'), /^a line was cut off here: what followed is missing/],
    ['unknown-block-partial', ofType('raw'), /kind that is not known: hologram/],
    ['hook-deny-events', ofType('hook'), /^hook PreToolUse:Bash ran/],
    ['plan-mode', ofType('plan'), /^Planapproved/],
  ])('%s is a small row at its place', (name, wanted, words) => {
    expect(draw(claude(name), wanted, false).textContent).toMatch(words);
  });

  test('what an agent prints beside its messages is shown as it is', () => {
    const container = draw(recorded('goose/1.34.0/abort-sigint'), ofType('raw'), false);
    expect(container.textContent).toContain('new session');
  });

  test('a task that no call has started has its row', () => {
    const container = draw(recorded('copilot/1.0.102/subagent-background'), ofType('task'), false);
    expect(container.textContent).toMatch(/^Sub-agent.*no result$/);
  });
});

test('every part of every recorded session can be drawn, open and folded', () => {
  const seen = new Set<PartType>();
  const files = readdirSync(fixtures, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.events.json'),
  );
  expect(files.length).toBeGreaterThan(100);
  for (const file of files) {
    const conversation = recorded(file.replace('.events.json', ''));
    const rows = allParts(conversation)
      .slice(0, 40)
      .map((part) => {
        seen.add(part.type);
        return (
          <PartRow
            key={part.id}
            part={part}
            conversation={conversation}
            isOpen={isFoldable(part) || opensItself(part)}
            onToggle={() => undefined}
            sessionId="s"
          />
        );
      });
    render(<main>{rows}</main>).unmount();
  }
  expect([...seen].length).toBeGreaterThan(12);
});

/** What an agent, a tool or a file may say to get into the page. */
const PAYLOADS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  'javascript:alert(1)',
  '</pre></code><iframe src=//evil.example>',
];

test.each(PAYLOADS)('[T-17] %s in every text of every kind of part stays text', (payload) => {
  const names = [
    'demo',
    'ask-user-question',
    'plan-mode',
    'mcp-tools',
    'tools-grep-glob',
    'webfetch-offline',
    'server-search-partial',
    'api-retry',
    'compact-manual',
    'api-error-400',
    'sigkill',
    'hook-deny-events',
    'image-read',
    'unknown-block-partial',
    'refusal-first-turn',
  ];
  for (const name of names) {
    const conversation = claude(name);
    for (const part of allParts(conversation)) {
      const hostile = poisoned(part, payload);
      const { container, unmount } = render(
        <PartRow part={hostile} conversation={conversation} isOpen onToggle={() => undefined} sessionId="s" />,
      );
      expect(
        container.querySelector('script, iframe, object, embed, svg:not(.lucide), img:not([src^="data:image/"])'),
        part.type,
      ).toBeNull();
      for (const link of container.querySelectorAll('a'))
        expect(link.getAttribute('href')).toMatch(/^(https?|mailto):/);
      unmount();
    }
  }
});

/** What decides on the form of a part. */
const KEPT = new Set([
  'type',
  'kind',
  'status',
  'tags',
  'severity',
  'outcome',
  'reason',
  'origin',
  'operation',
  'form',
  'decision',
  'by',
  'order',
  'stopReason',
  'code',
  'trigger',
  'currency',
  'changesOutcome',
  'mediaType',
]);

/** The same part with the payload in all its texts. */
function poisoned<T>(value: T, payload: string): T {
  const poison = (one: unknown): unknown => {
    if (typeof one === 'string') return payload;
    if (Array.isArray(one)) return one.map(poison);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(
      Object.entries(one).map(([name, entry]) => [
        name,
        KEPT.has(name) && name !== 'reason' ? entry : name === 'reason' && 'bytes' in one ? entry : poison(entry),
      ]),
    );
  };
  // Only texts were put in the place of texts.
  return poison(value) as T;
}
