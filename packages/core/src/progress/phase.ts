// What an agent is at, in words for people. The main thread speaks for the turn; sub-agents are counted, and a request
// to the host comes before everything else, whoever made it.

import type { AgentStreamEvent, EventOf, ToolKind } from '../event/event.ts';

export interface PhaseTrace {
  add(event: AgentStreamEvent): void;
  /** Forgets what the main thread was at. Sub-agents and what they asked for outlive a turn. */
  startTurn(): void;
  /** Whether a permission or an answer is being waited for. */
  isWaiting(): boolean;
  phase(): string;
}

interface Request {
  readonly words: string;
  readonly toolCallId: string | undefined;
  readonly subagentId: string | undefined;
}

const THINKING = 'thinking';
const PLANNING = 'planning';
const COMMAND = 'running a command';
const SUBAGENT = 'a sub-agent is at work';

const wordsOfKind: Readonly<Record<ToolKind, string>> = {
  read: 'reading files',
  edit: 'editing files',
  delete: 'editing files',
  move: 'editing files',
  search: 'searching',
  execute: COMMAND,
  think: THINKING,
  fetch: 'fetching from the web',
  switch_mode: PLANNING,
  other: 'using a tool',
};

/** Well-known ways to run tests, where a command begins: as a script of the project, and by the runner's name. */
const TEST_SCRIPT =
  /(?:^|[;&|] ?)(?:(?:npm|pnpm|yarn|bun|deno|cargo|go|make|dotnet) (?:run )?|node (?:--|\S*[./])?)tests?\b/;
const TEST_RUNNER = /(?:^|[;&|] ?|npx |exec |run |-m |bin\/)(?:pytest|vitest|jest|mocha|rspec|phpunit|ctest)\b/;

/** As much of a command as is looked at. */
const COMMAND_LENGTH = 200;

export function createPhaseTrace(): PhaseTrace {
  /** Open sub-agents; those in the background do not keep the main thread. */
  const subagents = new Map<string, { readonly background: boolean }>();
  const requests = new Map<string, Request>();
  /** The main thread's open calls, in the order in which they began. */
  const calls = new Map<string, string>();
  let words = 'starting';
  let isRetrying = false;
  let isCompacting = false;

  function addShared(event: AgentStreamEvent): void {
    switch (event.type) {
      case 'task-start':
        if (event.kind === 'agent' || event.kind === 'workflow')
          subagents.set(event.taskId, { background: event.background === true });
        break;
      case 'task-update':
        if (event.background !== undefined && subagents.has(event.taskId))
          subagents.set(event.taskId, { background: event.background });
        break;
      case 'task-end':
        subagents.delete(event.taskId);
        dropRequests((request) => request.subagentId === event.taskId);
        break;
      case 'permission-request':
        addRequest(event, 'waiting for your permission');
        break;
      case 'question-request':
        addRequest(event, 'waiting for your answer');
        break;
      case 'permission-resolve':
      case 'question-resolve':
        if (event.requestId !== undefined) requests.delete(event.requestId);
        if (event.type === 'permission-resolve') dropRequestsOfCall(event.toolCallId);
        break;
      case 'tool-call-end':
        dropRequestsOfCall(event.toolCallId);
        break;
    }
  }

  function addMain(event: AgentStreamEvent): void {
    switch (event.type) {
      case 'step-start':
      case 'reasoning-start':
        words = THINKING;
        break;
      case 'text-start':
        words = 'answering';
        break;
      case 'tool-call-start':
        calls.set(event.toolCallId, wordsOf(event));
        nameTests(event);
        break;
      case 'tool-call-input-end':
        nameTests(event);
        break;
      case 'tool-call-end':
        calls.delete(event.toolCallId);
        words = THINKING;
        break;
      case 'retry-start':
      case 'retry-end':
        isRetrying = event.type === 'retry-start';
        break;
      case 'compaction-start':
      case 'compaction-end':
        isCompacting = event.type === 'compaction-start';
        break;
    }
  }

  function addRequest(event: EventOf<'permission-request' | 'question-request'>, asked: string): void {
    const { requestId, toolCallId, subagentId } = event;
    requests.set(requestId, { words: asked, toolCallId, subagentId });
  }

  function dropRequestsOfCall(toolCallId: string | undefined): void {
    if (toolCallId !== undefined) dropRequests((request) => request.toolCallId === toolCallId);
  }

  function dropRequests(isOver: (request: Request) => boolean): void {
    for (const [id, request] of requests) if (isOver(request)) requests.delete(id);
  }

  function nameTests({ toolCallId, title }: EventOf<'tool-call-start' | 'tool-call-input-end'>): void {
    if (title === undefined || calls.get(toolCallId) !== COMMAND) return;
    const command = title.slice(0, COMMAND_LENGTH);
    if (TEST_SCRIPT.test(command) || TEST_RUNNER.test(command)) calls.set(toolCallId, 'running tests');
  }

  /** The call that began last; one that waits for its sub-agent only when there is no other. */
  function wordsOfCalls(): string | undefined {
    let found: string | undefined;
    for (const call of calls.values()) if (found === undefined || call !== SUBAGENT) found = call;
    return found;
  }

  function phase(): string {
    const [request] = requests.values();
    if (request) return request.words;
    if (isRetrying) return 'retrying after an error';
    if (isCompacting) return 'compacting the context';
    const call = wordsOfCalls();
    if (call !== undefined && call !== SUBAGENT) return call;
    let kept = 0;
    for (const { background } of subagents.values()) if (!background) kept++;
    if (kept > 1) return `${kept} sub-agents are at work`;
    return kept === 1 || call === SUBAGENT ? SUBAGENT : words;
  }

  return {
    add(event) {
      addShared(event);
      if (event.subagentId === undefined) addMain(event);
    },
    startTurn() {
      calls.clear();
      dropRequests((request) => request.subagentId === undefined);
      words = 'starting';
      isRetrying = false;
      isCompacting = false;
    },
    isWaiting: () => requests.size > 0,
    phase,
  };
}

function wordsOf({ kind, tags }: EventOf<'tool-call-start'>): string {
  if (tags?.includes('todo')) return PLANNING;
  if (tags?.includes('subagent')) return SUBAGENT;
  if (tags?.includes('web_search')) return 'searching the web';
  if (tags?.includes('question')) return 'asking a question';
  if (tags?.includes('worktree')) return wordsOfKind.other;
  return wordsOfKind[kind] ?? wordsOfKind.other;
}
