// A session in which every string of every event is hostile, ids included.

import type {
  AgentError,
  AgentStreamEvent,
  ContentPart,
  EventType,
  FileChange,
  ToolKind,
  ToolTag,
} from '@tailrace/core';

/** An event without what is added to all of them. */
type Draft = AgentStreamEvent extends infer E ? (E extends AgentStreamEvent ? Omit<E, 'seq'> : never) : never;

/** Every type there is: the compiler asks for a new one. */
export const EVENT_TYPES: Readonly<Record<EventType, true>> = {
  'run-start': true,
  'run-state': true,
  'session-start': true,
  'session-update': true,
  'session-end': true,
  'turn-start': true,
  'turn-end': true,
  'step-start': true,
  'step-end': true,
  'user-message': true,
  'message-start': true,
  'message-end': true,
  'message-retract': true,
  'text-start': true,
  'text-delta': true,
  'text-end': true,
  'reasoning-start': true,
  'reasoning-delta': true,
  'reasoning-end': true,
  'tool-call-start': true,
  'tool-call-input-delta': true,
  'tool-call-input-end': true,
  'tool-call-update': true,
  'tool-call-end': true,
  'file-change': true,
  'todo-update': true,
  'plan-update': true,
  'task-start': true,
  'task-update': true,
  'task-end': true,
  'usage-update': true,
  'rate-limit-update': true,
  'retry-start': true,
  'retry-end': true,
  'compaction-start': true,
  'compaction-end': true,
  'permission-request': true,
  'permission-resolve': true,
  'question-request': true,
  'question-resolve': true,
  'hook-start': true,
  'hook-end': true,
  notice: true,
  error: true,
  raw: true,
};

const KINDS: readonly ToolKind[] = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'other',
];
const TAGS: readonly ToolTag[] = [
  'list',
  'todo',
  'subagent',
  'question',
  'skill',
  'web_search',
  'background',
  'schedule',
  'memory',
  'image',
  'mcp',
  'patch',
  'notebook',
  'worktree',
  'tool_search',
];
const TAGS_AT_ONCE = 3;

/** One of each, with this in every string. */
export function hostileEvents(payload: string, round: number): readonly AgentStreamEvent[] {
  const drafts: Draft[] = [];
  const tell = (draft: Draft): void => void drafts.push(draft);
  const id = (name: string): string => `${name} ${round} ${payload}`;
  const error: AgentError = { code: 'unknown', message: payload, nativeCode: payload, httpStatus: 500 };
  const content: readonly ContentPart[] = [
    { type: 'text', text: payload },
    { type: 'image', mediaType: payload, data: payload, uri: payload },
    { type: 'image', mediaType: 'image/svg+xml', data: 'PHN2ZyBvbmxvYWQ9IndpbmRvdy5yYW49MSIvPg==' },
    { type: 'image', mediaType: 'image/png', uri: payload },
    { type: 'audio', mediaType: payload, uri: payload },
    { type: 'resource', uri: payload, mediaType: payload, text: payload, title: payload },
    { type: 'json', value: { [payload]: payload, list: [payload] } },
  ];
  const fields = [
    'command',
    'description',
    'file_path',
    'path',
    'pattern',
    'query',
    'url',
    'prompt',
    'content',
    'old_string',
    'new_string',
    'plan',
    'cmd',
    'name',
    'subagent_type',
    'skill',
  ] as const;
  const input = { ...Object.fromEntries(fields.map((name) => [name, payload])), [payload]: { [payload]: [payload] } };
  const changes: readonly FileChange[] = [
    { path: payload, operation: 'modify', fromPath: payload, oldText: `${payload}\nold`, newText: `${payload}\nnew` },
    {
      path: payload,
      operation: 'modify',
      patch: `@@ -1,2 +1,2 @@ ${payload}\n-${payload.replaceAll('\n', ' ')}\n+x\n ${payload.replaceAll('\n', ' ')}`,
    },
    { path: payload, operation: 'add', oldText: null, newText: payload },
    { path: payload, operation: 'move', fromPath: payload },
  ];
  const facts = {
    agentVersion: payload,
    model: payload,
    cwd: payload,
    permissionMode: id('mode'),
    tools: [payload],
    mcpServers: [{ name: payload, status: payload }],
    commands: [payload],
  };
  const task = id('task');

  tell({
    type: 'run-start',
    runId: id('run'),
    agent: payload,
    prompt: payload,
    promptId: id('prompt'),
    cwd: payload,
    workOrderId: payload,
  });
  tell({ type: 'run-state', state: 'working', toolCallIds: [payload], reason: payload });
  tell({ type: 'session-start', agent: payload, ...facts });
  tell({ type: 'session-update', ...facts, title: payload, state: 'running', permissionMode: id('other mode') });
  tell({ type: 'turn-start', turnId: id('turn') });
  for (const origin of ['prompt', 'steering', 'injected'] as const)
    tell({ type: 'user-message', messageId: id(`prompt ${origin}`), content, origin });
  tell({ type: 'step-start', stepId: id('step'), model: payload });

  for (const thread of [undefined, task]) {
    const own = thread === undefined ? {} : { subagentId: thread };
    const name = (what: string): string => id(`${what} of ${thread === undefined ? 'main' : 'task'}`);
    const messageId = name('message');
    if (thread !== undefined) {
      tell({
        type: 'tool-call-start',
        toolCallId: id('starter'),
        toolName: payload,
        kind: 'other',
        tags: ['subagent'],
        title: payload,
      });
      tell({ type: 'tool-call-input-end', toolCallId: id('starter'), input, title: payload });
      tell({
        type: 'task-start',
        taskId: task,
        kind: 'agent',
        toolCallId: id('starter'),
        name: payload,
        description: payload,
        prompt: payload,
        model: payload,
      });
      tell({ type: 'task-update', taskId: task, status: payload, summary: payload, lastToolName: payload });
    }
    tell({ type: 'message-start', messageId, model: payload, ...own });
    tell({ type: 'text-start', messageId, blockId: name('text'), ...own });
    tell({ type: 'text-delta', messageId, blockId: name('text'), delta: payload, ...own });
    tell({ type: 'text-end', messageId, blockId: name('text'), text: payload, ...own });
    tell({ type: 'reasoning-start', messageId, blockId: name('reasoning'), ...own });
    tell({ type: 'reasoning-delta', messageId, blockId: name('reasoning'), delta: payload, ...own });
    tell({
      type: 'reasoning-end',
      messageId,
      blockId: name('reasoning'),
      text: payload,
      form: 'full',
      signature: payload,
      ...own,
    });
    tell({ type: 'message-end', messageId, stopReason: 'end_turn', error, ...own });
  }

  const someTags = Array.from(
    { length: TAGS_AT_ONCE },
    (_, index) => TAGS[(round * TAGS_AT_ONCE + index) % TAGS.length],
  );
  const calls: readonly { readonly kind: ToolKind; readonly tag?: ToolTag | undefined }[] = [
    ...KINDS.map((kind) => ({ kind })),
    ...someTags.map((tag) => ({ kind: 'other' as const, tag })),
  ];
  for (const [index, { kind, tag }] of calls.entries()) {
    const toolCallId = id(`call ${index}`);
    tell({
      type: 'tool-call-start',
      toolCallId,
      toolName: payload,
      kind,
      ...(tag && { tags: [tag] }),
      ...(index % 2 === 0 && { title: payload }),
      messageId: id('message'),
      ...(tag === 'mcp' && { mcp: { server: payload, tool: payload } }),
    });
    tell({ type: 'tool-call-input-delta', toolCallId, delta: payload });
    tell({
      type: 'tool-call-input-end',
      toolCallId,
      input: index % 3 === 2 ? payload : input,
      locations: [{ path: payload, line: 1 }],
    });
    tell({ type: 'tool-call-update', toolCallId, outputDelta: payload, locations: [{ path: payload }] });
    if (kind === 'edit' || kind === 'delete' || kind === 'move')
      tell({ type: 'file-change', toolCallId, changes, outcome: 'success' });
    if (tag === 'todo')
      tell({ type: 'todo-update', toolCallId, entries: [{ content: payload, status: 'in_progress', id: payload }] });
    if (kind === 'switch_mode') tell({ type: 'plan-update', toolCallId, text: payload, path: payload });
    tell({
      type: 'tool-call-end',
      toolCallId,
      toolName: payload,
      outcome: index % 4 === 3 ? 'error' : 'success',
      content,
      output: { stdout: payload, stderr: payload, [payload]: payload, results: [{ title: payload, url: payload }] },
      exitCode: index % 4,
      ...(index % 4 === 3 && { error }),
      nativeStatus: payload,
    });
  }

  tell({ type: 'file-change', changes, outcome: 'success', candidates: [payload] });
  tell({ type: 'todo-update', entries: [{ id: payload, content: payload, status: 'in_progress', priority: 'high' }] });
  tell({ type: 'plan-update', text: payload, path: payload });
  tell({ type: 'task-end', taskId: task, outcome: round % 2 === 0 ? 'error' : 'success', result: payload, error });
  tell({
    type: 'task-start',
    taskId: id('other task'),
    kind: 'command',
    name: payload,
    description: payload,
    prompt: payload,
    model: payload,
  });
  tell({ type: 'task-end', taskId: id('other task'), outcome: 'error', result: payload, error });
  tell({
    type: 'usage-update',
    scope: 'session',
    model: payload,
    models: { [payload]: { inputTokens: 1 } },
    usage: { inputTokens: 1 },
    contextUsed: 1,
    contextSize: 9,
  });
  tell({ type: 'rate-limit-update', status: 'rejected', window: payload });
  tell({ type: 'retry-start', attempt: 1, maxAttempts: 2, delayMs: 5, error });
  tell({ type: 'retry-end', attempt: 1, outcome: 'error' });
  tell({ type: 'compaction-start', compactionId: id('compaction'), trigger: 'manual' });
  tell({ type: 'compaction-end', compactionId: id('compaction'), outcome: 'success', summary: payload });
  tell({
    type: 'permission-request',
    requestId: id('permission'),
    toolName: payload,
    input,
    title: payload,
    reason: payload,
    options: [{ optionId: id('option'), name: payload, kind: 'allow_always' }],
  });
  tell({
    type: 'permission-resolve',
    requestId: id('permission'),
    decision: 'denied',
    by: 'user',
    optionId: payload,
    reason: payload,
  });
  tell({
    type: 'question-request',
    requestId: id('question'),
    message: payload,
    questions: [{ question: payload, options: [{ label: payload, description: payload }] }],
    schema: { [payload]: payload },
    choices: [payload],
  });
  tell({ type: 'question-resolve', requestId: id('question'), answer: { [payload]: payload }, outcome: 'success' });
  tell({ type: 'hook-start', hookId: id('hook'), name: payload, on: payload });
  tell({ type: 'hook-end', hookId: id('hook'), outcome: 'error', output: payload, exitCode: 2 });
  tell({ type: 'notice', severity: 'warning', title: payload, description: payload, nativeCode: payload });
  tell({ type: 'error', error, fatal: true });
  tell({ type: 'raw', reason: 'unknown_type', nativeType: payload, value: { [payload]: payload } });
  tell({ type: 'raw', reason: 'not_json', text: payload });
  tell({ type: 'message-start', messageId: id('taken back') });
  tell({ type: 'text-start', messageId: id('taken back'), blockId: id('taken back') });
  tell({ type: 'text-end', messageId: id('taken back'), blockId: id('taken back'), text: payload });
  tell({ type: 'message-retract', messageIds: [id('taken back')], reason: payload });
  tell({ type: 'step-end', stepId: id('step'), model: payload, stopReason: 'end_turn' });
  tell({
    type: 'turn-end',
    turnId: id('turn'),
    outcome: 'error',
    result: payload,
    structured: { [payload]: payload },
    error,
    models: { [payload]: { outputTokens: 1 } },
  });
  tell({ type: 'session-end', outcome: 'error', error, signal: payload });

  return drafts.map((draft, index) => ({
    ...draft,
    seq: round * 1000 + index,
    lineId: payload,
    from: payload,
    extra: { [payload]: payload },
  }));
}
