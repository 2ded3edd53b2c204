// Texts that try to get out of where they are shown, and events that hold them in every field.

import type { AgentStreamEvent } from '@tailrace/core';

const BREAKERS = [
  '',
  '"',
  "'",
  '>',
  '">',
  "'>",
  '</pre>',
  '</style>',
  '</title>',
  '</details>',
  '-->',
  ']]>',
  '`',
  '```\n',
  '\n\n',
  '&',
  '\\',
  '*/',
];
const ATTACKS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](  JaVaScRiPt:alert(1) )',
  '[x](data:text/html,<script>alert(1)</script>)',
  '![x](https://example.org/track.png)',
  '[x](https://example.org/"onmouseover="alert(1))',
  '<style>@import url(https://example.org/x.css)</style>',
  '<iframe srcdoc="<script>alert(1)</script>">',
];
const ODD = [
  '\u202eexe.txt\u202c',
  '\u2066a\u2069',
  'a\u200bb\u200fc\ufeffd',
  '\u0000\u0001\u001b]0;title\u0007',
  '\ud800 alone \udc00',
  '\u2028\u2029\u0085',
  '\u{e0041}\u{e0042}',
  '__proto__',
  'constructor',
  '[x]: javascript:alert(1)\n[x]',
  'a ` b\n`<script>alert(1)</script>`',
  '<!--',
  '<![CDATA[',
  '&lt;script&gt;',
  '# heading\n===\n- a\n  - b\n> q\n| a | b |\n|---|---|\n| <b> | `x` |',
  '**a _b ~~c `d [e](https://example.org/f) g',
  '\\`<script>alert(1)</script>`',
  '`` ` <script>alert(1)</script>',
  'https://example.org/<script>alert(1)</script>',
  'mailto:a@b.c?subject="><script>',
  '%3Cscript%3E\\u003cscript\\u003e',
  'url(https://example.org)',
  '{{constructor.constructor("alert(1)")()}}',
];

/** At least two hundred. */
export const payloads: readonly string[] = [
  ...ATTACKS.flatMap((attack) => BREAKERS.map((breaker) => breaker + attack + breaker)),
  ...ODD,
];

/** One event of every type at least, with every field that can hold a text, a list or a value. */
export const samples: readonly AgentStreamEvent[] = numbered([
  { type: 'run-start', runId: 'r', agent: 'claude', prompt: 'p', promptId: 'p', cwd: '/mill' },
  { type: 'run-state', state: 'working', toolCallIds: ['c1'], reason: 'x' },
  {
    type: 'session-start',
    agent: 'claude',
    agentVersion: '1',
    model: 'm',
    cwd: '/mill',
    permissionMode: 'x',
    tools: ['t'],
    mcpServers: [{ name: 'n', status: 's' }],
    commands: ['c'],
    sessionId: 's',
  },
  { type: 'session-update', title: 't', model: 'm', permissionMode: 'y' },
  { type: 'turn-start', turnId: 't' },
  {
    type: 'user-message',
    messageId: 'u',
    origin: 'prompt',
    content: [
      { type: 'text', text: 'x' },
      { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
      { type: 'resource', uri: 'u', title: 't', text: 'x' },
      { type: 'json', value: { a: ['b'] } },
    ],
  },
  { type: 'step-start', stepId: 's', model: 'm' },
  { type: 'message-start', messageId: 'm1', model: 'm' },
  { type: 'reasoning-start', messageId: 'm1', blockId: 'b0' },
  { type: 'reasoning-delta', messageId: 'm1', blockId: 'b0', delta: 'x' },
  { type: 'reasoning-end', messageId: 'm1', blockId: 'b0', text: 'x', form: 'full', signature: 's', durationMs: 1 },
  { type: 'text-start', messageId: 'm1', blockId: 'b1' },
  { type: 'text-delta', messageId: 'm1', blockId: 'b1', delta: 'x' },
  { type: 'text-end', messageId: 'm1', blockId: 'b1', text: 'x' },
  {
    type: 'text-end',
    messageId: 'm1',
    blockId: 'b9',
    text: '```js\nx\n```\n\n- x\n- [ ] x\n\n1. x\n\n> x\n\n| x | x |\n|---|---|\n| x | x |\n\n# x\n\n**x** `x` [x](https://example.org/x)',
  },
  {
    type: 'tool-call-start',
    toolCallId: 'c1',
    toolName: 'Bash',
    kind: 'execute',
    title: 'x',
    tags: ['mcp'],
    messageId: 'm1',
    mcp: { server: 's', tool: 't' },
  },
  { type: 'tool-call-input-delta', toolCallId: 'c1', delta: 'x' },
  {
    type: 'tool-call-input-end',
    toolCallId: 'c1',
    input: { command: 'x', list: ['x'], deep: { x: 'x' } },
    title: 'x',
    locations: [{ path: 'x', line: 1 }],
  },
  { type: 'tool-call-update', toolCallId: 'c1', outputDelta: 'x', status: 'in_progress', stream: 'stdout' },
  {
    type: 'permission-request',
    requestId: 'q1',
    toolCallId: 'c1',
    toolName: 'Bash',
    input: { x: 'x' },
    title: 'x',
    reason: 'x',
    options: [{ optionId: 'o', name: 'n', kind: 'allow_once' }],
  },
  { type: 'permission-resolve', requestId: 'q1', toolCallId: 'c1', decision: 'allowed', by: 'user', reason: 'x' },
  {
    type: 'tool-call-end',
    toolCallId: 'c1',
    toolName: 'Bash',
    outcome: 'error',
    content: [
      { type: 'text', text: 'x' },
      { type: 'image', mediaType: 'image/svg+xml', data: 'PHN2Zz4=' },
    ],
    output: { x: 'x' },
    exitCode: 1,
    error: { code: 'unknown', message: 'x', nativeCode: 'x' },
    nativeStatus: 'x',
  },
  { type: 'tool-call-start', toolCallId: 'c2', toolName: 'Edit', kind: 'edit', title: 'x' },
  { type: 'tool-call-input-end', toolCallId: 'c2', input: 'x' },
  {
    type: 'file-change',
    toolCallId: 'c2',
    outcome: 'success',
    changes: [
      { path: 'x', operation: 'modify', fromPath: 'x', oldText: 'x', newText: 'x', patch: '@@ -1 +1 @@\n-x\n+x\n x' },
      { path: 'x', operation: 'add', newText: 'x' },
      { path: 'x', operation: 'modify', oldText: 'x', newText: 'x' },
    ],
  },
  { type: 'tool-call-end', toolCallId: 'c2', toolName: 'Edit', outcome: 'success', content: [] },
  {
    type: 'file-change',
    outcome: 'success',
    changes: [{ path: 'x', operation: 'delete', patch: 'x' }],
    candidates: ['c1'],
  },
  { type: 'todo-update', entries: [{ id: 'i', content: 'x', status: 'pending', priority: 'high' }] },
  { type: 'plan-update', text: 'x', path: 'x' },
  { type: 'tool-call-start', toolCallId: 'c3', toolName: 'Agent', kind: 'think', tags: ['subagent'], title: 'x' },
  {
    type: 'task-start',
    taskId: 'k1',
    kind: 'agent',
    toolCallId: 'c3',
    name: 'x',
    description: 'x',
    prompt: 'x',
    model: 'x',
  },
  { type: 'text-end', messageId: 'm2', blockId: 'b2', text: 'x', subagentId: 'k1' },
  { type: 'task-update', taskId: 'k1', status: 'x', summary: 'x', lastToolName: 'x' },
  { type: 'task-end', taskId: 'k1', outcome: 'error', result: 'x', error: { code: 'unknown', message: 'x' } },
  {
    type: 'tool-call-end',
    toolCallId: 'c3',
    toolName: 'Agent',
    outcome: 'success',
    content: [{ type: 'text', text: 'x' }],
  },
  { type: 'task-start', taskId: 'k2', kind: 'command', name: 'x', description: 'x' },
  { type: 'usage-update', scope: 'turn', model: 'x', usage: { inputTokens: 1 } },
  { type: 'rate-limit-update', status: 'warning', window: 'x' },
  { type: 'retry-start', attempt: 1, error: { code: 'overloaded', message: 'x' } },
  { type: 'retry-end', attempt: 1, outcome: 'success' },
  { type: 'compaction-start', compactionId: 'z', trigger: 'auto' },
  { type: 'compaction-end', compactionId: 'z', outcome: 'success', summary: 'x' },
  {
    type: 'question-request',
    requestId: 'q2',
    message: 'x',
    questions: [{ question: 'x', options: [{ label: 'x', description: 'x' }] }],
    schema: { x: 'x' },
    choices: ['x'],
  },
  { type: 'question-resolve', requestId: 'q2', answer: { x: 'x' }, outcome: 'success' },
  { type: 'hook-start', hookId: 'h', name: 'x', on: 'x' },
  { type: 'hook-end', hookId: 'h', outcome: 'error', output: 'x', exitCode: 1 },
  { type: 'notice', severity: 'warning', title: 'x', description: 'x', nativeCode: 'x' },
  { type: 'error', error: { code: 'unknown', message: 'x' }, fatal: true },
  { type: 'raw', reason: 'not_json', text: 'x' },
  { type: 'raw', reason: 'unknown_type', value: { x: 'x' }, nativeType: 'x' },
  { type: 'message-end', messageId: 'm1', stopReason: 'end_turn', error: { code: 'unknown', message: 'x' } },
  { type: 'message-retract', messageIds: ['m0'], reason: 'x' },
  { type: 'step-end', stepId: 's', model: 'x' },
  {
    type: 'turn-end',
    turnId: 't',
    outcome: 'success',
    result: 'x',
    structured: { x: 'x' },
    error: { code: 'unknown', message: 'x' },
    models: { x: { inputTokens: 1 } },
  },
  { type: 'session-end', outcome: 'success', error: { code: 'unknown', message: 'x' }, signal: 'x' },
]);

type Draft = AgentStreamEvent extends infer E ? (E extends AgentStreamEvent ? Omit<E, 'seq'> : never) : never;

function numbered(drafts: readonly Draft[]): readonly AgentStreamEvent[] {
  return drafts.map((draft, seq) => ({ seq, ...draft }) as AgentStreamEvent);
}

/** What keeps events together; without it hardly anything would be shown. */
const TIES: ReadonlySet<string> = new Set(
  'type messageId blockId toolCallId taskId subagentId turnId stepId requestId hookId compactionId sessionId kind origin outcome status state reason form'.split(
    ' ',
  ),
);

/** The same events with a payload in place of every text; with `all`, also in what ties them together and in words of ours. */
export function hostileEvents(payload: string, all: boolean): readonly AgentStreamEvent[] {
  const change = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') {
      if (key === 'type' || (!all && TIES.has(key))) return value;
      return value.length > 20 ? value.replaceAll('x', payload) : payload;
    }
    if (Array.isArray(value)) return value.map((item) => change(item, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name === 'x' ? payload : name, change(item, name)]),
    );
  };
  return samples.map((event) => change(event, '') as AgentStreamEvent);
}
