// Qwen Code's lines in Claude's words. It differs in spelling, in what it counts, and in how it cuts an answer into lines: one line
// for each kind of block, each with an id of its own, of which only the last one has the tokens.

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
}

export function createListener(): Listener {
  const answers = new Map<string, Answer>();
  /** Open calls that run a sub-agent, with what it was told. */
  const agentCalls = new Map<string, Json>();
  /** The lines of the last answer: a retry may take them back. */
  let shown: string[] = [];
  let superseded: readonly string[] = [];

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
        if (data['preserveText'] !== true) superseded = shown;
        shown = [];
        return {
          ...line,
          subtype: 'api_retry',
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
        answers.set(thread, { id, isOpen: true, blocks: 0, offset: 0 });
        return line;
      }
      case 'message_stop':
        answers.delete(thread);
        return line;
      case 'content_block_start':
      case 'content_block_delta':
      case 'content_block_stop':
        return { ...line, event: renumbered(answers.get(thread), event) } as Loose<WireLine>;
      default:
        return line;
    }
  }

  function assistant(line: Loose<QwenLine>, message: Loose<WireMessage>): Loose<WireLine> {
    const thread = threadOf(line);
    const usage = asObject<QwenUsage>(message.usage);
    const isLast = (asCount(usage?.input_tokens) ?? 0) + (asCount(usage?.output_tokens) ?? 0) > 0;
    const blocks = asList(message.content).flatMap((block) => asObject<WireBlock>(block) ?? []);
    const open = answers.get(thread);
    const id = open?.isOpen ? open.id : asText(message.id);
    if (id !== undefined) answers.set(thread, { id, isOpen: !isLast, blocks: open?.blocks ?? 0, offset: 0 });
    for (const block of blocks) if (block.name === AGENT_TOOL) agentCalls.set(asText(block.id) ?? '', block.input);
    const uuid = asText(line.uuid);
    if (thread === '' && uuid !== undefined) shown.push(uuid);
    const supersedes = superseded.length > 0 && thread === '' ? superseded : undefined;
    if (supersedes) superseded = [];
    const text = blocks.length === 1 ? asText(blocks[0]?.text) : undefined;
    if (!isLast && text?.startsWith(API_ERROR)) return apiError(line, message, text);
    return {
      ...line,
      supersedes,
      message: { ...message, id, usage: isLast ? withoutCaches(usage) : undefined },
    } as Loose<WireLine>;
  }

  function user(line: Loose<QwenLine>): Loose<WireLine> {
    shown = [];
    const content = asList(asObject<WireMessage>(line.message)?.content);
    const results = content.flatMap((value) => {
      const block = asObject<WireBlock>(value);
      return block?.type === 'tool_result' ? [asText(block.tool_use_id) ?? ''] : [];
    });
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
      return remark(line, message ?? 'a sub-agent failed', 'error');
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
