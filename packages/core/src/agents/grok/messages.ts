// Grok's other format, `--output-format streaming-messages-json`: Claude's dialect, with a few things said in another way.

import { asObject, asText, asTexts, entryOf, type Json, type Loose } from '../../event/json.ts';
import { parseText } from '../../lines/parse.ts';
import { isMcpName } from '../dialects/claude/inputs.ts';
import type { Effect, Listener, Speaker, ToldResult } from '../dialects/claude/speaker.ts';
import type { ResultLine, StreamEvent, StreamLine, WireLine, WireMessage } from '../dialects/claude/wire.ts';
import { statusIn } from '../errors.ts';
import { readExit } from '../exit.ts';
import { MCP_TOOL } from '../tools.ts';
import { readOutput, traitsOf } from './tools.ts';

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
  /** The answer that came in pieces: its whole line may have another id. */
  let streamed: string | undefined;

  return (line) => {
    switch (line.type) {
      case 'stream_event': {
        const event = asObject<StreamEvent>((line as Loose<StreamLine>).event);
        if (event?.type === 'message_start') streamed = asText(asObject<WireMessage>(event.message)?.id);
        return line;
      }
      case 'assistant': {
        const message = asObject<WireMessage>((line as { message?: Json }).message);
        if (!message || streamed === undefined) return line;
        const id = streamed;
        streamed = undefined;
        return { ...line, message: { ...message, id } } as Loose<WireLine>;
      }
      case 'result':
        return result(line);
      default:
        return line;
    }
  };
}

/** A cost of zero is one that nobody knows, and an error has only words. */
function result(line: Loose<ResultLine>): Loose<WireLine> {
  const errors = asTexts(line.errors)?.join('\n') ?? '';
  return {
    ...line,
    total_cost_usd: line.total_cost_usd === 0 ? undefined : line.total_cost_usd,
    modelUsage: withoutFreeOnes(line.modelUsage),
    terminal_reason: errors === 'cancelled' ? 'aborted' : undefined,
    stop_reason: errors === 'The model refused to continue' ? 'refusal' : line.stop_reason,
    api_error_status: statusIn(errors),
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
  const output = text.startsWith('{') ? parseText(text) : undefined;
  if (asObject(output) === undefined) return {};
  const { exitCode, content, value } = readOutput(output);
  return {
    outcome: !isError && exitCode !== undefined && exitCode !== 0 ? 'error' : undefined,
    exitCode,
    content: content.length > 0 ? content : undefined,
    output: value,
    todos: todosIn(output),
  };
}
