// Grok's other format, `--output-format streaming-messages-json`: Claude's dialect, with a few things said in another way.

import type { ContentPart } from '../../event/event.ts';
import { asList, asObject, asText, asTexts, entryOf, type Json, type Loose } from '../../event/json.ts';
import { parseText } from '../../lines/parse.ts';
import { partsOf, textIn, textParts } from '../content.ts';
import type { Effect, Listener, Speaker, ToldResult } from '../dialects/claude/speaker.ts';
import type { ResultLine, StreamEvent, StreamLine, WireBlock, WireLine, WireMessage } from '../dialects/claude/wire.ts';
import { readExit } from '../exit.ts';
import { isMcpName } from '../mcp.ts';
import { MCP_TOOL } from '../tools.ts';
import { readError } from './errors.ts';
import { isCreation, isSpawn, nameOfSentOff, readOutput, refusalIn, traitsOf } from './tools.ts';
import {
  addVoice,
  callerOf,
  createVoices,
  endAnswer,
  endCall,
  removeVoice,
  speak,
  startCall,
  type Voice,
  type Voices,
} from './voices.ts';
import type { GrokOutput } from './wire.ts';

const effects: Readonly<Record<string, Effect>> = {
  write: 'write',
  search_replace: 'edit',
  todo_write: 'replace_todos',
  exit_plan_mode: 'plan',
};

export const speaker: Speaker = {
  agent: 'grok',
  // It does not tell its version.
  versionField: '',
  questionTool: 'ask_user_question',
  resultUsage: 'main',
  traitsOf: (toolName) => (isMcpName(toolName) ? MCP_TOOL : traitsOf(toolName)),
  effectOf: (toolName) => entryOf(effects, toolName),
  createListener,
  readResult,
  readExit,
};

function createListener(): Listener {
  const voices = createVoices();
  const briefs = new Map<string, Brief>();
  /** The answer that came in pieces: its whole line may have another id. */
  let streamed: string | undefined;
  /** The last call was refused, in these words, and the model has not spoken since. */
  let refused: string | undefined;

  return (line) => {
    if (line.type === 'assistant' || line.type === 'stream_event') refused = undefined;
    switch (line.type) {
      case 'stream_event': {
        const event = asObject<StreamEvent>((line as Loose<StreamLine>).event);
        if (event?.type === 'message_start') streamed = asText(asObject<WireMessage>(event.message)?.id);
        return spokenBy(speak(voices), line);
      }
      case 'assistant': {
        const voice = speak(voices);
        const message = asObject<WireMessage>((line as { message?: Json }).message);
        endAnswer(voices);
        for (const block of blocksOf(message, 'tool_use')) {
          const id = asText(block.id) ?? '';
          startCall(voices, id);
          if (!isSpawn(block.name)) continue;
          addVoice(voices, id);
          briefs.set(id, asObject<Brief>(block.input) ?? {});
        }
        const id = streamed;
        streamed = undefined;
        const whole = message && id !== undefined ? { ...line, message: { ...message, id } } : line;
        return spokenBy(voice, whole as Loose<WireLine>);
      }
      case 'user':
        return results(line);
      case 'result':
        return result(line, helpersOf(voices, briefs.size), refused);
      default:
        return line;
    }
  };

  /** Nothing on a line names the sub-agent. */
  function spokenBy({ taskId }: Voice, line: Loose<WireLine>): Loose<WireLine> {
    if (taskId === undefined) return line;
    const { subagent_type, description, prompt } = briefs.get(taskId) ?? {};
    const brief = { subagent_type, task_description: description, task_prompt: prompt };
    return { ...line, ...brief, parent_tool_use_id: taskId } as Loose<WireLine>;
  }

  /** Results of the calls of one answer. */
  function results(line: Loose<WireLine>): Loose<WireLine> {
    const blocks = blocksOf(asObject<WireMessage>((line as { message?: Json }).message), 'tool_result');
    const [caller] = blocks.flatMap(({ tool_use_id }) => callerOf(voices, tool_use_id) ?? []);
    for (const { tool_use_id, content } of blocks) {
      const id = asText(tool_use_id) ?? '';
      const text = asText(content) ?? '';
      endCall(voices, id);
      refused = refusalIn(textIn(shownIn(text)))?.error.message ?? refused;
      if (briefs.has(id) && inClaudesWords(text) !== SENT_OFF) removeVoice(voices, id);
    }
    // What stands beside the results belongs to all of them.
    const output = blocks.length === 1 ? inClaudesWords(asText(blocks[0]?.content) ?? '') : undefined;
    const told = (output ? { ...line, tool_use_result: output } : line) as Loose<WireLine>;
    return caller ? spokenBy(caller, told) : told;
  }
}

/** Whether there were sub-agents, and whether one of them still works. */
type Helpers = 'none' | 'done' | 'working';

function helpersOf({ all }: Voices, count: number): Helpers {
  if (count === 0) return 'none';
  return all.some(({ taskId, isDone }) => taskId !== undefined && !isDone) ? 'working' : 'done';
}

interface Brief {
  readonly subagent_type?: Json;
  readonly description?: Json;
  readonly prompt?: Json;
}

const SENT_OFF = { status: 'async_launched' };

/** What a result tells beyond itself: how a sub-agent ended, that a file is new, the plan. */
function inClaudesWords(text: string): object | undefined {
  const told = asObject<GrokOutput>(objectIn(text));
  if (!told) return undefined;
  if (nameOfSentOff(told) !== undefined) return SENT_OFF;
  if (told.type === 'SubagentCompleted') {
    const { output, tool_calls, duration_ms } = told;
    const content = [{ type: 'text', text: output }];
    return { ...told, content, totalToolUseCount: tool_calls, totalDurationMs: duration_ms };
  }
  const plan = asObject<GrokOutput['PlanReady']>(told.PlanReady);
  if (plan) return { ...told, plan: plan.plan_content, filePath: plan.plan_file_path };
  return isCreation(told) ? { ...told, type: 'create' } : undefined;
}

function blocksOf(message: Loose<WireMessage> | undefined, type: string): Loose<WireBlock>[] {
  return asList(message?.content).flatMap((value) => {
    const block = asObject<WireBlock>(value);
    return block?.type === type ? [block] : [];
  });
}

/**
 * A cost of zero is one that nobody knows, and an error has only words. The tokens are everybody's, as those by model are. A run that was
 * cancelled because nobody could be asked has failed.
 */
function result(line: Loose<ResultLine>, helpers: Helpers, refused: string | undefined): Loose<WireLine> {
  const told = asTexts(line.errors)?.join('\n') ?? '';
  const isCancelled = told === 'cancelled';
  const error = isCancelled && refused !== undefined ? refused : readError(told).message;
  return {
    ...line,
    usage: helpers === 'done' ? undefined : line.usage,
    total_cost_usd: line.total_cost_usd === 0 ? undefined : line.total_cost_usd,
    // One that still works is not counted: then the figures are those of the others.
    modelUsage: helpers === 'working' ? undefined : withoutFreeOnes(line.modelUsage),
    errors: told === '' ? line.errors : [error],
    terminal_reason: isCancelled && refused === undefined ? 'aborted' : undefined,
    stop_reason: told === 'The model refused to continue' ? 'refusal' : line.stop_reason,
    api_error_status: readError(told).httpStatus,
  } as Loose<WireLine>;
}

function withoutFreeOnes(value: Json): Json {
  const models = asObject(value);
  if (!models) return undefined;
  return Object.fromEntries(
    Object.entries(models).map(([model, usage]) => {
      const counts = asObject<{ costUSD: number }>(usage);
      return [model, counts?.costUSD === 0 ? { ...counts, costUSD: undefined } : usage];
    }),
  );
}

/** The list after the call: the call may have told only what changes. */
function todosIn(output: Json): readonly Json[] | undefined {
  const updated = asObject<{ todos: Json }>(asObject<{ TodosUpdated: Json }>(output)?.TodosUpdated);
  return Array.isArray(updated?.todos) ? updated.todos : undefined;
}

/** A result is a string, which mostly holds what the tool gave to programs. */
function readResult(_toolName: string, text: string, isError: boolean): ToldResult {
  const output = objectIn(text);
  if (output === undefined) {
    const shown = shownIn(text);
    return shown.length > 0 ? { content: shown, refusal: refusalIn(textIn(shown)) } : {};
  }
  const { exitCode, content, value } = readOutput(output);
  const isFailed = isError || (exitCode !== undefined && exitCode !== 0);
  // A command may fail without a word; what the model is told of it has the exit code.
  const forModel = isFailed ? textParts(asText(asObject<GrokOutput>(output)?.output_for_prompt)?.trim()) : [];
  const isSilent = content.length === 0 && exitCode !== undefined;
  return {
    outcome: isFailed && !isError ? 'error' : undefined,
    exitCode,
    content: isSilent ? forModel : content.length > 0 ? content : undefined,
    output: value,
    todos: todosIn(output),
  };
}

function objectIn(text: string): object | undefined {
  return text.startsWith('{') ? asObject(parseText(text)) : undefined;
}

/** What ACP shows of a result, where the tool gave nothing to programs. */
function shownIn(text: string): readonly ContentPart[] {
  return text.startsWith('[{"type":"content"') ? partsOf(parseText(text)) : [];
}
