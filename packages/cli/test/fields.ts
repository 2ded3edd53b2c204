// Every field of an event that a terminal shows, with a text in it that came from an agent.

import type { AgentStreamEvent } from '@tailrace/core';

type Draft = AgentStreamEvent extends infer E ? (E extends AgentStreamEvent ? Omit<E, 'seq'> : never) : never;

const ids = { messageId: 'm', blockId: 'b' };
const call = { toolCallId: 'c', toolName: 'Bash' };
const start = { type: 'tool-call-start', ...call, kind: 'execute' } as const;
const end = { type: 'tool-call-end', ...call, outcome: 'success', content: [] } as const;
const session = { type: 'session-start', agent: 'claude', model: 'a-model', cwd: '/home/me/project' } as const;

function pieces(text: string, type: 'text-delta' | 'reasoning-delta'): readonly Draft[] {
  const size = Math.max(1, Math.ceil(text.length / 7));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => ({
    type,
    ...ids,
    delta: text.slice(at * size, (at + 1) * size),
  }));
}

/** Where text is prose, or what a program printed: sequences go without a trace. */
export const prose: Readonly<Record<string, (text: string) => readonly Draft[]>> = {
  'an answer': (text) => [{ type: 'text-end', ...ids, text }],
  'an answer in pieces': (text) => [...pieces(text, 'text-delta'), { type: 'text-end', ...ids, text }],
  'an answer that nobody ends': (text) => pieces(text, 'text-delta'),
  'a thought': (text) => [
    { type: 'reasoning-start', ...ids },
    ...pieces(text, 'reasoning-delta'),
    { type: 'reasoning-end', ...ids, text, form: 'full' },
  ],
  'a prompt': (text) => [session, { type: 'user-message', content: [{ type: 'text', text }], origin: 'prompt' }],
  'a second prompt': (text) => [
    { type: 'user-message', content: [{ type: 'text', text: 'first' }], origin: 'prompt' },
    { type: 'user-message', content: [{ type: 'text', text }], origin: 'prompt' },
  ],
  'what a command printed': (text) => [start, { ...end, content: [{ type: 'text', text }] }],
  'what a command printed before it failed': (text) => [
    start,
    { ...end, outcome: 'error', exitCode: 1, content: [{ type: 'text', text }] },
  ],
  'a failure': (text) => [start, { ...end, outcome: 'error', error: { code: 'unknown', message: text } }],
  'a plan': (text) => [{ type: 'plan-update', text }],
  'a result': (text) => [{ type: 'turn-end', turnId: 't', outcome: 'success', result: text }],
  'a structured result': (text) => [
    { type: 'turn-end', turnId: 't', outcome: 'success', structured: { text, [text]: 1 } },
  ],
};

/** Where a text names something: what hides is written out. */
export const names: Readonly<Record<string, (text: string) => readonly Draft[]>> = {
  'a model': (text) => [
    { ...session, model: text },
    { type: 'error', error: { code: 'unknown', message: 'x' }, fatal: true },
  ],
  'a folder': (text) => [
    { ...session, cwd: `/home/${text}` },
    { type: 'error', error: { code: 'unknown', message: 'x' }, fatal: true },
  ],
  'an agent': (text) => [
    { type: 'session-start', agent: text },
    { type: 'error', error: { code: 'unknown', message: 'x' }, fatal: true },
  ],
  'a tool': (text) => [
    { ...start, toolName: text },
    { ...end, toolName: text },
  ],
  'a command': (text) => [{ ...start, title: text }, end],
  'a path': (text) => [
    { ...start, kind: 'read' },
    { type: 'tool-call-input-end', toolCallId: 'c', input: {}, title: `src/${text}` },
    end,
  ],
  'an input': (text) => [start, { type: 'tool-call-input-end', toolCallId: 'c', input: { [text]: text } }, end],
  'a tool of another program': (text) => [{ ...start, mcp: { server: text, tool: text } }, end],
  'a path that changed': (text) => [
    { type: 'file-change', changes: [{ path: text, operation: 'modify', linesAdded: 1 }], outcome: 'success' },
  ],
  'a new file': (text) => [
    { type: 'file-change', changes: [{ path: 'a', operation: 'add', newText: text }], outcome: 'success' },
  ],
  'a patch': (text) => [
    {
      type: 'file-change',
      changes: [{ path: 'a', operation: 'modify', patch: `@@ -1 +1 @@\n-a\n+${text}` }],
      outcome: 'success',
    },
  ],
  'a todo': (text) => [{ type: 'todo-update', entries: [{ content: text, status: 'pending' }] }],
  'a permission': (text) => [{ type: 'permission-request', requestId: 'r', toolName: text, title: text }],
  'a question': (text) => [{ type: 'question-request', requestId: 'r', message: text }],
  'a sub-agent': (text) => [
    start,
    { type: 'task-start', taskId: 's', kind: 'agent', toolCallId: 'c', name: text, description: text },
    { type: 'text-end', ...ids, text, subagentId: 's' },
    end,
  ],
  'a sub-agent that says something later': (text) => [
    { ...start, toolName: text },
    { type: 'task-start', taskId: 's', kind: 'agent', toolCallId: 'c', name: text, description: text },
    { ...end, toolName: text },
    { type: 'text-end', ...ids, text: 'Meanwhile.' },
    { type: 'text-end', ...ids, text, subagentId: 's' },
  ],
  'a sub-agent that was stopped': (text) => [
    start,
    { type: 'task-start', taskId: 's', kind: 'agent', toolCallId: 'c' },
    { ...start, toolCallId: 'i', toolName: text, title: text, subagentId: 's' },
    { ...end, outcome: 'cancelled' },
  ],
  'a command in the background': (text) => [
    { ...start, title: text },
    { type: 'task-start', taskId: 's', kind: 'command', toolCallId: 'c', description: text, background: true },
    end,
    { type: 'task-end', taskId: 's', outcome: 'success', result: text },
  ],
  'a choice': (text) => [
    {
      type: 'question-request',
      requestId: 'r',
      message: text,
      questions: [{ question: text, options: [{ label: text }] }],
    },
  ],
  'an answer to a question': (text) => [
    start,
    { type: 'question-request', requestId: 'r', toolCallId: 'c', message: 'Which?' },
    { type: 'question-resolve', requestId: 'r', answer: { Which: text }, outcome: 'success' },
    end,
  ],
  'what the model was told': (text) => [
    { type: 'user-message', content: [{ type: 'text', text }], origin: 'injected' },
    { type: 'text-end', ...ids, text: 'Well.' },
  ],
  'what an image is': (text) => [
    { ...start, kind: 'read' },
    { ...end, content: [{ type: 'image', mediaType: text }] },
  ],
  'what another program answered': (text) => [
    { ...start, mcp: { server: 'a', tool: 'b' } },
    { ...end, content: [{ type: 'text', text: text.slice(0, 24) }] },
  ],
  'an error': (text) => [{ type: 'error', error: { code: 'unknown', message: text }, fatal: false }],
  'a notice': (text) => [{ type: 'notice', severity: 'warning', title: text }],
  'a denial': (text) => [{ type: 'permission-resolve', decision: 'denied', by: 'policy', reason: text }],
  'an answer that was taken back': (text) => [{ type: 'message-retract', reason: text }],
  'a stalled run': (text) => [{ type: 'run-state', state: 'stalled', reason: text }],
  'a line that is no JSON': (text) => [{ type: 'raw', reason: 'not_json', text }],
  'what nobody knows': (text) => [{ type: 'raw', reason: 'unknown_type', value: { text } }],
};

export function eventsOf(drafts: readonly Draft[]): readonly AgentStreamEvent[] {
  // Each draft is an event but for its number.
  return drafts.map((draft, seq) => ({ seq, ...draft }) as AgentStreamEvent);
}
