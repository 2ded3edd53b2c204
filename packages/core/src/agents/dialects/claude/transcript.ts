// The second dialect: lines of the CLI's own session files (`<config>/projects/<project>/<session>.jsonl`, and one file per
// sub-agent). They say what the stream says, under the same uuids and message ids, in camel case; every answer has its final
// usage and stop reason; there is no `init`, no `result` and no turn. What this file does not rename, the other files read.

import { asNumber, asObject, asText, type Json, type Loose } from '../../../event/json.ts';
import { textIn } from '../../content.ts';
import { openCall } from './calls.ts';
import { endMessage } from './messages.ts';
import { between } from './parts.ts';
import { writeFacts } from './session.ts';
import { keepRaw, nativeTypeOf, type State } from './state.ts';
import { endTaskByNotice } from './tasks.ts';
import { costStateOf } from './usage.ts';
import type { TranscriptLine, TranscriptType, WireLine, WireMessage } from './wire.ts';

/** What stands in the small file beside a sub-agent's lines, the only link to the call that started it. */
interface SubagentFile {
  agentType: string;
  description: string;
  toolUseId: string;
  parentAgentId: string;
}

type TranscriptHandler = (state: State, line: Loose<TranscriptLine>) => void;

/** Lines that only session files have. Most are the CLI's own bookkeeping and are kept as they are. */
const transcriptHandlers: ReadonlyMap<string, TranscriptHandler> = new Map(
  Object.entries<TranscriptHandler>({
    attachment: translateAttachment,
    progress: translateProgress,
    'cost-state': translateCostState,
    'ai-title': titled((line) => line.aiTitle),
    'custom-title': titled((line) => line.customTitle),
    summary: titled((line) => line.summary),
    'permission-mode': (state, line) => writeFacts(state, { permissionMode: asText(line.permissionMode) }),
    'queue-operation': keep,
    'last-prompt': keep,
    mode: keep,
    'tools-used': keep,
    'atis-latch': keep,
    'api-request': keep,
    'api-request-shape': keep,
    'api-request-blob': keep,
    'file-history-snapshot': keep,
    'file-history-delta': keep,
    tag: keep,
    'agent-name': keep,
    'agent-color': keep,
    'agent-setting': keep,
    'pr-link': keep,
    'worktree-state': keep,
    relocated: keep,
    'content-replacement': keep,
    'bridge-session': keep,
    'repl-mode': keep,
    'history-suppression': keep,
    'derived-from': keep,
    'frame-link': keep,
  } satisfies Record<TranscriptType, TranscriptHandler>),
);

/** Whether a line is of a session file: one of its own types, or marked as every line of a conversation there is. */
export function isTranscriptLine(line: Loose<TranscriptLine>): boolean {
  return typeof line.isSidechain === 'boolean' || transcriptHandlers.has(asText(line.type) ?? '');
}

/** Translates what only session files have, and gives nothing back; every other line comes back as the stream would print it. */
export function fromTranscript(state: State, line: Loose<TranscriptLine>): Loose<WireLine> | undefined {
  state.isTranscript = true;
  const uuid = asText(line.uuid);
  // A file that was put together from others may have a line twice.
  if (uuid !== undefined && state.lineIds.has(uuid)) {
    keep(state, line);
    return undefined;
  }
  if (uuid !== undefined) state.lineIds.add(uuid);
  const handle = transcriptHandlers.get(asText(line.type) ?? '');
  if (handle) {
    // Whatever stands in a chain of parents hands on whose it is.
    const place =
      line.isSidechain === true && uuid !== undefined ? state.sidechains.get(asText(line.parentUuid) ?? '') : undefined;
    if (place && uuid !== undefined) state.sidechains.set(uuid, place);
    handle(state, line);
    return undefined;
  }
  writeFacts(state, {
    agentVersion: asText(line.version),
    cwd: asText(line.cwd),
    permissionMode: asText(line.permissionMode),
  });
  const placed = { ...line, ...placeOf(state, line) };
  switch (line.type) {
    case 'assistant':
      return asAssistant(state, placed);
    case 'user':
      return asUser(state, placed);
    case 'system':
      return asSystem(placed);
    default:
      return placed;
  }
}

// ── Whose line it is ──────────────────────────────────────────────────────────────────────────────

/** The sub-agent a line belongs to, in the stream's words. */
function placeOf(state: State, line: Loose<TranscriptLine>): Loose<WireLine> {
  if (line.isSidechain !== true) return {};
  const agentId = asText(line.agentId);
  const file = asObject<SubagentFile>(state.about);
  if (agentId === undefined || !file) return inlinePlace(state, line, agentId);
  return {
    agent_id: agentId,
    parent_tool_use_id: asText(file.toolUseId),
    parent_agent_id: asText(file.parentAgentId),
    subagent_type: asText(file.agentType) ?? asText(line.attributionAgent),
    task_description: asText(file.description),
    task_prompt: line.type === 'user' ? textIn(asObject<WireMessage>(line.message)?.content) || undefined : undefined,
  };
}

/**
 * Nothing beside the lines tells whose they are. The oldest layout has a sub-agent's lines among those of the session, with
 * nothing but the chain of parents; the first of a chain says the prompt that the call was made with.
 */
function inlinePlace(state: State, line: Loose<TranscriptLine>, agentId: string | undefined): Loose<WireLine> {
  const uuid = asText(line.uuid) ?? '';
  const chain = agentId ?? asText(line.parentUuid);
  let place = chain === undefined ? undefined : state.sidechains.get(chain);
  if (!place) {
    const prompt = textIn(asObject<WireMessage>(line.message)?.content);
    const call = [...state.main.calls].find(
      ({ input }) => prompt !== '' && asText(asObject<{ prompt: string }>(input)?.prompt) === prompt,
    );
    place = call
      ? {
          agent_id: agentId,
          parent_tool_use_id: call.nativeId,
          subagent_type: asText(asObject<{ subagent_type: string }>(call.input)?.subagent_type),
          task_description: asText(asObject<{ description: string }>(call.input)?.description),
        }
      : {
          agent_id: agentId ?? `sidechain-${uuid}`,
          subagent_type: asText(line.attributionAgent),
          task_prompt: line.type === 'user' ? prompt || undefined : undefined,
        };
  }
  state.sidechains.set(agentId ?? uuid, place);
  return place;
}

// ── The lines that the stream has too ─────────────────────────────────────────────────────────────

function asAssistant(state: State, line: Loose<TranscriptLine>): Loose<WireLine> {
  const model = asText(asObject<WireMessage>(line.message)?.model);
  if (line.isSidechain !== true && model !== undefined && !model.startsWith('<')) writeFacts(state, { model });
  return {
    ...line,
    request_id: line.requestId,
    thinking_duration_ms: line.thinkingDurationMs,
    thinking_display: line.thinkingDisplay,
    aborted: line.isAbortedMidStream,
    supersedes: line.supersedesUuids,
    is_api_error_message: line.isApiErrorMessage,
    // The stream leaves it out of a sub-agent's lines.
    api_error_status: line.isSidechain === true ? undefined : line.apiErrorStatus,
    api_error_type: line.apiErrorType,
  } as Loose<WireLine>;
}

function asUser(state: State, line: Loose<TranscriptLine>): Loose<WireLine> {
  const kind = asText(asObject<{ kind: string }>(line.origin)?.kind);
  if (kind === 'task-notification') endTaskByNotice(state, textIn(asObject<WireMessage>(line.message)?.content));
  return {
    ...line,
    isSynthetic: line.isMeta === true || line.isCompactSummary === true,
    tool_use_result: outputOf(line),
    tool_result_meta: resultMeta(line),
  } as Loose<WireLine>;
}

/** What a server said beside the text stands apart here. */
function outputOf({ toolUseResult, mcpMeta }: Loose<TranscriptLine>): Json {
  const meta = asObject(mcpMeta);
  return meta ? { content: toolUseResult, ...meta } : toolUseResult;
}

/** Permission and denial stand on the line itself, which holds one result. */
function resultMeta(line: Loose<TranscriptLine>): Json {
  const content = asObject<WireMessage>(line.message)?.content;
  const first = asObject<{ tool_use_id: string }>(Array.isArray(content) ? content[0] : undefined);
  const decision = asObject<{ decision: string; source: string; reasonType: string }>(line.permissionDecision);
  if (!first || (decision === undefined && line.toolDenialKind === undefined)) return undefined;
  return [
    {
      id: first.tool_use_id,
      ...(line.toolDenialKind !== undefined && { non_execution_kind: line.toolDenialKind }),
      ...(decision && { permission_decision: { ...decision, reason_type: decision.reasonType } }),
    },
  ];
}

const OUTPUT_TAGS = ['local-command-stdout', 'local-command-stderr'];

function asSystem(line: Loose<TranscriptLine>): Loose<WireLine> {
  switch (line.subtype) {
    case 'compact_boundary':
      return { ...line, ...{ compact_metadata: withUnderscores(line.compactMetadata) } };
    case 'api_error':
      return line.retryAttempt === undefined ? line : asRetry(line);
    case 'local_command': {
      const content = asText(line.content) ?? '';
      const output = OUTPUT_TAGS.map((tag) => between(content, tag)).find((text) => text !== undefined);
      return { ...line, ...{ content: output?.trim() || undefined } };
    }
    default:
      return {
        ...line,
        ...{
          original_model: line.originalModel,
          fallback_model: line.fallbackModel,
          retracted_message_uuids: line.retractedMessageUuids,
          api_refusal_explanation: line.apiRefusalExplanation,
        },
      };
  }
}

function asRetry(line: Loose<TranscriptLine>): Loose<WireLine> {
  const status = asNumber(asObject<{ status: number }>(line.error)?.status);
  return {
    ...line,
    subtype: 'api_retry',
    ...{
      attempt: line.retryAttempt,
      max_retries: line.maxRetries,
      retry_delay_ms: line.retryInMs,
      error_status: status ?? null,
      error:
        status === 401 || status === 403
          ? 'authentication_failed'
          : status === 429
            ? 'rate_limit'
            : status === 529
              ? 'overloaded'
              : (status ?? 0) >= 500
                ? 'server_error'
                : 'unknown',
    },
  };
}

/** `preTokens` → `pre_tokens`, for the fields of one object. */
function withUnderscores(value: Json): Json {
  const object = asObject(value);
  if (!object) return value;
  return Object.fromEntries(
    Object.entries(object).map(([key, field]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      field,
    ]),
  );
}

// ── The lines that only session files have ────────────────────────────────────────────────────────

function keep(state: State, line: Loose<TranscriptLine>): void {
  keepRaw(state, line, nativeTypeOf(line) ?? 'transcript');
}

function titled(titleOf: (line: Loose<TranscriptLine>) => Json): TranscriptHandler {
  return (state, line) => {
    const title = asText(titleOf(line));
    if (title === undefined) keep(state, line);
    else state.out.write({ type: 'session-update', title });
  };
}

/** Attachments tell the model about its surroundings. One kind is a person's: what was typed while a turn was running. */
function translateAttachment(state: State, line: Loose<TranscriptLine>): void {
  const attachment = asObject<{
    type: string;
    prompt: Json;
    source_uuid: string;
    commandMode: string;
    identity: { modelId: string };
    maxTurns: number;
  }>(line.attachment);
  switch (attachment?.type) {
    case 'queued_command': {
      const text = asText(attachment.prompt) ?? textIn(attachment.prompt);
      state.out.write({
        type: 'user-message',
        messageId: asText(attachment.source_uuid) ?? asText(line.uuid),
        content: [{ type: 'text', text }],
        origin: attachment.commandMode === 'prompt' ? 'prompt' : 'injected',
      });
      return;
    }
    case 'model':
      if (line.isSidechain !== true)
        writeFacts(state, { model: asText(asObject<{ modelId: string }>(attachment.identity)?.modelId) });
      break;
    case 'structured_output':
      state.ending = { outcome: 'success' };
      break;
    case 'max_turns_reached': {
      const turns = asNumber(attachment.maxTurns);
      const message = `the limit of ${turns ?? 'allowed'} turns was reached`;
      if (line.isSidechain !== true) state.ending = { outcome: 'error', error: { code: 'max_turns', message } };
      break;
    }
  }
  keepRaw(state, line, `attachment/${asText(attachment?.type) ?? 'unknown'}`);
}

/** Older files note how far a command is. */
function translateProgress(state: State, line: Loose<TranscriptLine>): void {
  const data = asObject<{ type: string; elapsedTimeSeconds: number }>(line.data);
  const call = openCall(state, line.toolUseID) ?? openCall(state, line.parentToolUseID);
  const seconds = asNumber(data?.elapsedTimeSeconds);
  if (!call || seconds === undefined) return keepRaw(state, line, `progress/${asText(data?.type) ?? 'unknown'}`);
  state.out.write({
    type: 'tool-call-update',
    toolCallId: call.id,
    status: 'in_progress',
    elapsedMs: seconds * 1000,
  });
}

/** The process is over: what the session has used since it was begun, resumes included, side calls and compaction too. */
function translateCostState(state: State, line: Loose<TranscriptLine>): void {
  const told = costStateOf(line);
  if (!told) return keep(state, line);
  for (const thread of state.threads.values()) if (thread.message) endMessage(state, thread.message);
  state.out.write({ type: 'usage-update', scope: 'session', ...told, since: asNumber(line.startTime) });
}
