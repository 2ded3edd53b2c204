import { describe, expect, test } from 'vitest';
import { type Drafts, printed } from '../../test/printed.ts';

const agent = { toolCallId: 'a', toolName: 'Agent' };
const inner = { toolCallId: 'i', subagentId: 's' };
const agentStart = { type: 'tool-call-start', ...agent, kind: 'think', title: 'Find it' } as const;
const task = { type: 'task-start', taskId: 's', kind: 'agent', toolCallId: 'a', name: 'Explore' } as const;
const bash = { toolCallId: 'c', toolName: 'Bash' };
const bashStart = { type: 'tool-call-start', ...bash, kind: 'execute', title: 'npm run dev' } as const;
const command = { type: 'task-start', taskId: 't', kind: 'command', toolCallId: 'c', background: true } as const;
const text = (words: string) => [{ type: 'text', text: words }] as const;

describe('a sub-agent', () => {
  test('shows a change of its own once, on the card of the call', () => {
    const edit = { ...inner, toolName: 'Edit' };
    const shown = printed([
      agentStart,
      task,
      { type: 'tool-call-start', ...edit, kind: 'edit', title: 'a.txt' },
      { type: 'tool-call-end', ...edit, outcome: 'success', content: [] },
      {
        type: 'file-change',
        ...inner,
        outcome: 'success',
        changes: [{ path: 'a.txt', operation: 'modify', patch: '-old\n+new' }],
      },
      { type: 'tool-call-end', ...agent, outcome: 'success', content: [] },
    ]);
    expect(shown).toBe('  ✓ Agent Find it (Explore)\n      ✓ Edit  a.txt  +1 −1\n          - old\n          + new\n');
  });

  test('that was stopped has the call it was at under its card, and nowhere else', () => {
    const read = { ...inner, toolName: 'Read' };
    const drafts: Drafts = [
      agentStart,
      task,
      { type: 'tool-call-start', ...read, kind: 'read', title: 'a.txt' },
      { type: 'tool-call-end', ...agent, outcome: 'cancelled', content: [] },
      { type: 'task-end', taskId: 's', outcome: 'cancelled' },
      { type: 'text-end', messageId: 'm', blockId: 'b', text: 'Stopped.' },
      { type: 'tool-call-end', ...read, outcome: 'unknown', content: [], synthetic: true },
    ];
    expect(printed(drafts)).toMatch(
      /^ {2}✖ Agent Find it \(Explore\) +cancelled\n {6}\? Read {2}a\.txt +no result\n\nStopped\.\n$/,
    );
  });

  test('that says something after its card is named with it', () => {
    const shown = printed([
      agentStart,
      task,
      { type: 'tool-call-end', ...agent, outcome: 'success', content: [] },
      { type: 'text-end', messageId: 'm', blockId: 'b', text: 'Meanwhile.' },
      { type: 'text-end', messageId: 'n', blockId: 'n', text: 'One thing more.', subagentId: 's' },
      { type: 'text-end', messageId: 'o', blockId: 'o', text: 'And another.', subagentId: 's' },
    ]);
    expect(shown).toMatch(/Meanwhile\.\n {2}↳ Agent Find it \(Explore\)\n {6}One thing more\.\n {6}And another\.\n$/);
  });

  test('that is told of after its call has one card, with what it came back with', () => {
    const shown = printed([
      agentStart,
      { type: 'tool-call-end', ...agent, outcome: 'success', content: [] },
      task,
      { type: 'task-end', taskId: 's', outcome: 'success', result: 'It is in a.txt' },
    ]);
    expect(shown).toBe('  ✓ Agent Find it (Explore)\n      It is in a.txt\n');
  });

  test('that is told of after its call, and goes on, is in the background', () => {
    const shown = printed([
      agentStart,
      { type: 'tool-call-end', ...agent, outcome: 'success', content: [] },
      task,
      { type: 'text-end', messageId: 'm', blockId: 'b', text: 'Meanwhile.' },
      { type: 'task-end', taskId: 's', outcome: 'success', result: 'It is in a.txt' },
    ]);
    expect(shown).toMatch(
      /^ {2}✓ Agent Find it \(Explore\) +in the background\n\nMeanwhile\.\n {2}✓ Agent Find it \(Explore\) +ended\n {6}It is in a\.txt\n$/,
    );
  });

  test('is known to be in the background when that is told after its call', () => {
    const shown = printed([
      task,
      agentStart,
      { type: 'tool-call-end', ...agent, outcome: 'success', content: [] },
      { type: 'task-update', taskId: 's', background: true },
    ]);
    expect(shown).toMatch(/^ {2}✓ Agent Find it \(Explore\) +in the background\n$/);
  });

  test('stands under the one that sent it off, whichever is told of first', () => {
    const bottom = { toolCallId: 'i', toolName: 'Agent', subagentId: 's' };
    const shown = printed([
      { type: 'task-start', taskId: 'd', kind: 'agent', toolCallId: 'i', parentTaskId: 's' },
      task,
      agentStart,
      { type: 'tool-call-start', ...bottom, kind: 'think', title: 'Deeper' },
      { type: 'text-end', messageId: 'm', blockId: 'b', text: 'Here.', subagentId: 'd' },
      { type: 'tool-call-end', ...bottom, outcome: 'success', content: [] },
      { type: 'tool-call-end', ...agent, outcome: 'success', content: [] },
    ]);
    expect(shown).toBe('  ✓ Agent Find it (Explore)\n      ✓ Agent Deeper\n          Here.\n');
  });

  test('of which no cost is known yet tells its tokens', () => {
    const spent = () => ({ costUsd: 0, costState: 'estimated', usage: { inputTokens: 1200 }, state: 'known' }) as const;
    expect(
      printed([agentStart, task, { type: 'tool-call-end', ...agent, outcome: 'success', content: [] }], { spent }),
    ).toMatch(/≥ 1200 tokens\n/);
  });
});

describe('a command in the background', () => {
  const sent = {
    type: 'tool-call-end',
    ...bash,
    outcome: 'success',
    content: text('It runs with the id t.'),
    durationMs: 38,
  } as const;

  test('says that it runs there, and has its card again when it is over', () => {
    const over = { type: 'task-end', taskId: 't', outcome: 'success', result: 'It ended with 0' } as const;
    expect(printed([bashStart, command, sent, over])).toMatch(
      /^ {2}✓ Bash {2}npm run dev +in the background\n {2}✓ Bash {2}npm run dev +ended\n {6}It ended with 0\n$/,
    );
  });

  test('that was stopped says so', () => {
    expect(printed([bashStart, command, sent, { type: 'task-end', taskId: 't', outcome: 'cancelled' }])).toMatch(
      /in the background\n {2}✖ Bash {2}npm run dev +cancelled\n$/,
    );
  });

  test('that was over before its call was has one card', () => {
    const over = { type: 'task-end', taskId: 't', outcome: 'success' } as const;
    expect(printed([bashStart, command, over, sent])).toMatch(/^ {2}✓ Bash {2}npm run dev +38 ms\n/);
  });

  test('is a call and no sub-agent', () => {
    const over = { type: 'task-end', taskId: 't', outcome: 'success' } as const;
    expect(printed([bashStart, command, sent, over], { only: new Set(['subagents']) })).toBe('');
  });
});

describe('what was asked', () => {
  const ask = { toolCallId: 'q', toolName: 'Ask' };
  const request = {
    type: 'question-request',
    requestId: 'r',
    toolCallId: 'q',
    message: 'Which colour?',
    questions: [{ question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }],
  } as const;

  test('has its choices, and its answer on the card', () => {
    const shown = printed([
      { type: 'tool-call-start', ...ask, kind: 'other', tags: ['question'] },
      { type: 'tool-call-input-end', toolCallId: 'q', input: { any: 'thing' } },
      request,
      { type: 'question-resolve', requestId: 'r', answer: { 'Which colour?': 'Blue' }, outcome: 'success' },
      { type: 'tool-call-end', ...ask, outcome: 'success', content: [] },
    ]);
    expect(shown).toBe('  ? Which colour?\n    · Red\n    · Blue\n  ✓ Ask   Blue\n');
  });

  test('of a plan: the plan stands above, and the card says that it was allowed', () => {
    const exit = { toolCallId: 'p', toolName: 'LeavePlan' };
    const drafts: Drafts = [
      { type: 'tool-call-start', ...exit, kind: 'switch_mode' },
      { type: 'tool-call-input-end', toolCallId: 'p', input: { plan: '1. Go' } },
      { type: 'plan-update', text: '1. Go', toolCallId: 'p' },
      { type: 'permission-request', requestId: 'r', toolCallId: 'p', toolName: 'LeavePlan' },
      { type: 'permission-resolve', requestId: 'r', toolCallId: 'p', decision: 'allowed', by: 'user' },
      { type: 'tool-call-end', ...exit, outcome: 'success', content: [] },
    ];
    expect(printed(drafts)).toMatch(
      /^ {2}plan\n {4}│ 1\. Go\n {2}\? LeavePlan asks for your permission\n {2}✓ LeavePlan +allowed\n$/,
    );
    const denied = { type: 'tool-call-end', ...exit, outcome: 'denied', content: text('Not so.') } as const;
    expect(printed([...drafts.slice(0, 4), denied])).toMatch(/ {2}✖ LeavePlan +denied\n {6}Not so\.\n$/);
  });
});

describe('what came of a call', () => {
  test('that was cancelled is one row: it was not meant for people', () => {
    const shown = printed([
      bashStart,
      { type: 'tool-call-end', ...bash, outcome: 'cancelled', content: text('They do not want it. '.repeat(20)) },
    ]);
    expect(shown.split('\n')).toHaveLength(3);
  });

  test('has no more than one empty line at a place', () => {
    const shown = printed([
      bashStart,
      { type: 'tool-call-end', ...bash, outcome: 'error', exitCode: 3, content: text('out\n\n\n\nended with 3') },
    ]);
    expect(shown).toContain('      out\n\n      ended with 3\n');
  });
});
