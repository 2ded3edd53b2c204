// Qwen Code's lines in Claude's words. It differs in spelling, in what it counts, and in how it cuts an answer into lines: one line
// for each kind of block, each with an id of its own, of which only the last one has the tokens. The casts below say that what is written is
// Claude's: the type of a line has only the fields that all of them share.

import { asCount, asList, asObject, asText, type Json, type Loose } from '../../event/json.ts';
import type { Listener } from '../dialects/claude/speaker.ts';
import type { WireBlock, WireLine, WireMessage } from '../dialects/claude/wire.ts';
import { statusIn } from '../errors.ts';
import { AGENT_TOOL } from './tools.ts';
import type { AgentInput, QwenEvent, QwenLine, QwenUsage } from './wire.ts';

/** The answer that is being printed on one thread. */
interface Answer {
  id: string;
  /** Its next line is a part of it. */
  isOpen: boolean;
  /** Blocks of it that have begun as deltas: their numbers start again with each line. */
  blocks: number;
  /** What is to be added to the number of the block that grows. */
  offset: number;
  /** The block that grows is a text or a thought. */
  isProse: boolean;
}

export function createListener(): Listener {
  const answers = new Map<string, Answer>();
  /** The answer that each line was a part of. */
  const answerOf = new Map<string, string>();
  /** Open calls that run a sub-agent, with what it was told. */
  const agentCalls = new Map<string, Json>();
  /** The lines of the last answer: a retry may take them back. */
  let shown: string[] = [];

  const threadOf = (line: Loose<QwenLine>): string => asText(line.parent_tool_use_id) ?? '';

  function listen(line: Loose<QwenLine>): Loose<WireLine> | undefined {
    switch (line.type) {
      case 'system':
        return system(line);
      case 'stream_event':
        return streamEvent(line, asObject<QwenEvent>(line.event) ?? {});
      case 'assistant':
        return assistant(line, asObject<WireMessage>(line.message) ?? {});
      case 'user':
        return user(line);
      case 'result':
        return result(line);
      default:
        return line;
    }
  }

  // ── `system`: everything but `init` is inside `data` ────────────────────────────────────────────

  function system(line: Loose<QwenLine>): Loose<WireLine> {
    const data = asObject<Record<string, Json>>(line.data) ?? {};
    switch (line.subtype) {
      case 'init':
        return { ...line, permissionMode: line.permission_mode } as Loose<WireLine>;
      case 'task_started':
        // Only what goes on by itself is announced.
        return { ...line, ...data, is_backgrounded: true } as Loose<WireLine>;
      case 'task_notification':
        if (data['status'] === 'running') return { ...line, ...data, subtype: 'task_progress' } as Loose<WireLine>;
        return { ...line, ...data, status: statusWord(data['status']) } as Loose<WireLine>;
      case 'retry':
        return {
          ...line,
          subtype: 'api_retry',
          supersedes: data['preserveText'] === true ? undefined : shown.splice(0),
          attempt: data['attempt'],
          max_retries: data['maxRetries'],
          retry_delay_ms: data['delayMs'],
        } as Loose<WireLine>;
      case 'model_fallback':
        return { ...line, original_model: data['fromModel'], fallback_model: data['toModel'] } as Loose<WireLine>;
      case 'worktree_started':
      case 'worktree_restored':
      case 'vision_routing':
      case 'vision_bridge':
      case 'vision_bridge_failed':
      case 'continue_turn_failed':
      case 'session_start':
      case 'session_end':
        return remark(line, asText(data['notice']) ?? asText(data['error']) ?? sentence(line.subtype, data));
      default:
        return line;
    }
  }

  // ── Answers ─────────────────────────────────────────────────────────────────────────────────────

  function streamEvent(line: Loose<QwenLine>, event: Loose<QwenEvent>): Loose<WireLine> | undefined {
    const thread = threadOf(line);
    switch (event.type) {
      case 'goal_state':
        return goalOf(event) === undefined ? undefined : ({ ...line, type: 'active_goal' } as Loose<WireLine>);
      case 'tool_progress': {
        const elapsed = asCount(asObject<{ elapsedMs: number }>(event.content)?.elapsedMs);
        return {
          ...line,
          type: 'tool_progress',
          tool_use_id: event.tool_use_id,
          elapsed_time_seconds: elapsed === undefined ? undefined : elapsed / 1000,
        } as Loose<WireLine>;
      }
      case 'message_start': {
        const id = asText(asObject<WireMessage>(event.message)?.id) ?? '';
        answers.set(thread, { id, isOpen: true, blocks: 0, offset: 0, isProse: false });
        return line;
      }
      case 'message_stop':
        answers.delete(thread);
        return line;
      case 'content_block_start':
      case 'content_block_delta':
      case 'content_block_stop':
        // A sub-agent's calls belong to no message here; each is printed whole right after its pieces.
        return thread === '' ? blockEvent(line, event, answers.get(thread)) : undefined;
      default:
        return line;
    }
  }

  function blockEvent(
    line: Loose<QwenLine>,
    event: Loose<QwenEvent>,
    answer: Answer | undefined,
  ): Loose<WireLine> | undefined {
    const kind = asObject<WireBlock>(event.content_block)?.type;
    if (answer && event.type === 'content_block_start') answer.isProse = kind === 'text' || kind === 'thinking';
    const told = { ...line, event: renumbered(answer, event) } as Loose<WireLine>;
    // A failed call of the model is one more piece of text, and perhaps the only one: no text begins before its first piece.
    const isFailure = asText(asObject<WireBlock>(event.delta)?.text)?.startsWith(API_ERROR) === true;
    if (isFailure || (answer && kind === 'text')) return undefined;
    // Its line ends a text: until then a retry may go on with it.
    return event.type === 'content_block_stop' && answer?.isProse ? undefined : told;
  }

  function assistant(line: Loose<QwenLine>, message: Loose<WireMessage>): Loose<WireLine> {
    const thread = threadOf(line);
    const usage = asObject<QwenUsage>(message.usage);
    const isLast = (asCount(usage?.input_tokens) ?? 0) + (asCount(usage?.output_tokens) ?? 0) > 0;
    const blocks = asList(message.content).flatMap((block) => asObject<WireBlock>(block) ?? []);
    const open = answers.get(thread);
    const ownId = asText(message.id) ?? '';
    // A line that comes again is of the same answer.
    const id = (open?.isOpen ? open.id : answerOf.get(ownId)) ?? asText(message.id);
    if (id !== undefined) answerOf.set(ownId, id);
    const blocksSoFar = open?.blocks ?? 0;
    if (id !== undefined) answers.set(thread, { id, isOpen: !isLast, blocks: blocksSoFar, offset: 0, isProse: false });
    for (const block of blocks) if (block.name === AGENT_TOOL) agentCalls.set(asText(block.id) ?? '', block.input);
    const uuid = asText(line.uuid);
    if (thread === '' && uuid !== undefined) shown.push(uuid);
    const text = blocks.length === 1 ? asText(blocks[0]?.text) : undefined;
    const failure = isLast ? undefined : text?.lastIndexOf(API_ERROR);
    if (failure === 0) return apiError(line, message, text ?? '');
    // The stream broke for good: the failure stands behind what the model said, and the result tells it too.
    const content =
      failure !== undefined && failure > 0 && text?.endsWith(']')
        ? [{ ...blocks[0], text: text.slice(0, failure) }]
        : message.content;
    return {
      ...line,
      message: { ...message, id, content, usage: isLast ? withoutCaches(usage) : undefined },
    } as Loose<WireLine>;
  }

  function user(line: Loose<QwenLine>): Loose<WireLine> {
    const content = asList(asObject<WireMessage>(line.message)?.content);
    let isSkipped = false;
    const results = content.flatMap((value) => {
      const block = asObject<WireBlock>(value);
      if (asText(block?.content)?.startsWith(SKIPPED)) isSkipped = true;
      return block?.type === 'tool_result' ? [asText(block.tool_use_id) ?? ''] : [];
    });
    // The retry that skips a call comes after the call's result.
    if (!isSkipped) shown = [];
    for (const id of results) agentCalls.delete(id);
    answers.delete(threadOf(line));
    // The only texts it prints here are its own, about what went on in the background, and a sub-agent's task.
    const about = asObject<AgentInput>(agentCalls.get(threadOf(line)));
    return {
      ...line,
      isSynthetic: results.length === 0 ? true : undefined,
      subagent_type: about?.subagent_type,
      task_description: about?.description,
      task_prompt: about?.prompt,
    } as Loose<WireLine>;
  }

  function result(line: Loose<QwenLine>): Loose<WireLine> {
    const message = asText(asObject<{ message: string }>(line.error)?.message);
    // A sub-agent that failed prints a result too. It ends nothing: the call that runs it is still open.
    if (agentCalls.size > 0 && line.duration_ms === 0 && line.num_turns === 0 && line.is_error === true) {
      return failedTask(line, message ?? 'a sub-agent failed', [...agentCalls.keys()]);
    }
    answers.clear();
    shown = [];
    const status = message?.startsWith(API_ERROR) ? statusIn(message) : undefined;
    return {
      ...line,
      usage: withoutCaches(asObject<QwenUsage>(line.usage)),
      stop_reason: line.is_error === true ? undefined : 'end_turn',
      structured_output: line.structured_result,
      api_error_status: status,
    } as Loose<WireLine>;
  }

  return listen;
}

const API_ERROR = '[API Error: ';
const SKIPPED = 'Skipped because the provider attempt was retried';

/** Which sub-agent failed is plain when there is only one. Its call has then a result that is no error. */
function failedTask(line: Loose<QwenLine>, message: string, open: readonly string[]): Loose<WireLine> {
  const [id, ...others] = open;
  if (others.length > 0) return remark(line, message, 'error');
  const patch = { status: 'failed', error: message };
  return { ...line, type: 'system', subtype: 'task_updated', task_id: id, patch } as Loose<WireLine>;
}

/** A failed call of the model is an ordinary text. */
function apiError(line: Loose<QwenLine>, message: Loose<WireMessage>, text: string): Loose<WireLine> {
  return {
    ...line,
    is_api_error_message: true,
    api_error_status: statusIn(text),
    message: { ...message, model: '<synthetic>' },
  } as Loose<WireLine>;
}

/** Its input counts include the caches; Claude's do not. */
function withoutCaches(usage: Loose<QwenUsage> | undefined): Json {
  if (!usage) return undefined;
  const input = asCount(usage.input_tokens);
  const read = asCount(usage.cache_read_input_tokens) ?? 0;
  return { ...usage, input_tokens: input === undefined ? undefined : Math.max(input - read, 0) };
}

/** The event with the number that its block has within the whole answer. */
function renumbered(answer: Answer | undefined, event: Loose<QwenEvent>): Json {
  const index = asCount(event.index);
  if (!answer || index === undefined) return event;
  if (event.type === 'content_block_start') {
    answer.offset = answer.blocks > index ? answer.blocks - index : 0;
    answer.blocks = answer.offset + index + 1;
  }
  return answer.offset === 0 ? event : { ...event, index: index + answer.offset };
}

function goalOf(event: Loose<QwenEvent>): Json {
  return asObject<{ goal: Json }>(event.goal_state)?.goal ?? undefined;
}

/** Claude's word for how a task ended. */
function statusWord(status: Json): Json {
  return status === 'cancelled' ? 'stopped' : status;
}

function remark(line: Loose<QwenLine>, content: string, level?: 'error'): Loose<WireLine> {
  return { ...line, type: 'system', subtype: 'informational', content, level } as Loose<WireLine>;
}

function sentence(subtype: Json, data: Readonly<Record<string, Json>>): string {
  const place = asText(data['path']) ?? asText(data['slug']);
  return [asText(subtype)?.replaceAll('_', ' '), place].filter(Boolean).join(': ');
}
