// What GitHub Copilot CLI prints with `--output-format json`: the events of its session, each in the same envelope, and a last line
// `result`. Source: schemas/session-events.schema.json of version 1.0.102, which has 163 types; known.ts lists those that say
// nothing neutral.

export interface CopilotLine {
  type: string;
  id: string;
  parentId: string | null;
  /** ISO 8601. */
  timestamp: string;
  /** The sub-agent whose line it is; of `subagent.*` the one it is about. */
  agentId: string;
  data: Data;
  /** Of `result`, which has no data. */
  sessionId: string;
  exitCode: number;
  blocker: Blocker;
}

/** Why a task could not be done, with the permission it would have taken. */
export interface Blocker {
  kind: string;
  reason: string;
}

/** The fields of all types in one place. A name that several types share means the same in each, unless it says otherwise. */
export interface Data {
  // session.start, session.resume and what changes of it
  sessionId: string;
  copilotVersion: string;
  selectedModel: string;
  context: { cwd: string };
  cwd: string;
  title: string;
  newModel: string;
  newMode: string;
  chosenModel: string;
  servers: Server[];
  serverName: string;
  commands: { name: string }[];
  // Messages; `content` is also that of system.notification
  messageId: string;
  interactionId: string;
  content: string;
  deltaContent: string;
  delivery: 'idle' | 'steering' | 'queued';
  source: string;
  isAutopilotContinuation: boolean;
  model: string;
  reasoningId: string;
  reasoningText: string;
  reasoningOpaque: string;
  reasoningBlocks: { provider: string };
  aborted: boolean;
  // Calls
  toolRequests: unknown[];
  toolCallId: string;
  /** The call that runs the sub-agent; not on all of its lines. */
  parentToolCallId: string;
  toolName: string;
  toolTitle: string;
  inputDelta: string;
  /** A custom tool has a text. */
  arguments: Record<string, unknown> | string;
  mcpServerName: string;
  mcpToolName: string;
  text: string;
  stream: 'stdout' | 'stderr' | 'terminal';
  /** All output so far. */
  partialOutput: string;
  progressMessage: string;
  success: boolean;
  result: ToolResult;
  error: ToolError;
  shellExecution: { exitCode: number };
  fileEdits: { path: string; kind: string }[];
  // Sub-agents and workflows
  agentName: string;
  agentDescription: string;
  executionMode: 'sync' | 'background';
  /** Of subagent.started: the sub-agent that started this one. */
  parentId: string;
  cancelled: boolean;
  totalToolCalls: number;
  totalTokens: number;
  durationMs: number;
  runId: string;
  workflowName: string;
  /** Of an MCP server, too. */
  status: string;
  elapsedMs: number;
  failureType: string;
  run: { runId: string; status: string };
  // Errors, remarks, retries
  errorType: string;
  errorCode: string;
  errorMessage: string;
  statusCode: number;
  message: string;
  infoType: string;
  warningType: string;
  /** Also of abort, session.autopilot_stopped. */
  reason: string;
  summary: string;
  retryAttempt: number;
  // What is filtered out of stdout today: hooks, compactions, permissions, questions
  hookInvocationId: string;
  hookType: string;
  output: unknown;
  compactionAttemptId: string;
  trigger: string;
  preCompactionTokens: number;
  postCompactionTokens: number;
  summaryContent: string;
  currentTokens: number;
  tokenLimit: number;
  requestId: string;
  permissionRequest: PermissionRequest;
  decisionSource: string;
  question: string;
  choices: string[];
  requestedSchema: unknown;
  answer: string;
  action: 'accept' | 'decline' | 'cancel';
  planContent: string;
}

export interface Server {
  name: string;
  status: string;
}

export interface ToolResult {
  /** For the model. */
  content: string;
  /** For people: of an edit, one diff after the other. */
  detailedContent: string;
  contents: { type: string; exitCode: number }[];
  binaryResultsForLlm: unknown[];
  structuredContent: unknown;
}

export interface ToolError {
  message: string;
  code: 'failure' | 'denied' | 'rejected' | 'timeout';
}

export interface PermissionRequest {
  kind: string;
  toolCallId: string;
  toolName: string;
  args: unknown;
  intention: string;
  fullCommandText: string;
  fileName: string;
  path: string;
  url: string;
  warning: string;
}

/** `data.result` of permission.completed. */
export interface PermissionResult {
  kind: string;
  feedback: string;
  message: string;
  reason: string;
}
