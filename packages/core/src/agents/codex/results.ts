// What an item that is a call tells when it is over.

import type { AgentError, ContentPart, EventOf, Outcome } from '../../event/event.ts';
import { asNumber, asObject, asText, entryOf, type Json, type Loose } from '../../event/json.ts';
import { partsOf, textIn, textParts } from '../content.ts';
import { readError } from './errors.ts';
import type { CodexAgentState, CodexItem } from './wire.ts';

type Item = Loose<CodexItem>;
type CallEnd = Pick<EventOf<'tool-call-end'>, 'outcome' | 'content'> & {
  readonly [K in 'output' | 'exitCode' | 'error' | 'nativeStatus']: EventOf<'tool-call-end'>[K] | undefined;
};

const outcomes: Readonly<Record<string, Outcome>> = { completed: 'success', failed: 'error', declined: 'denied' };

export function endOf(item: Item): CallEnd {
  const status = asText(item.status);
  const exitCode = asNumber(item.exit_code);
  const told = entryOf(outcomes, status);
  const result = asObject<NonNullable<CodexItem['result']>>(item.result);
  return {
    // A search has no status: that it completed is all there is to tell.
    outcome: exitCode && told === 'success' ? 'error' : (told ?? (item.type === 'web_search' ? 'success' : 'unknown')),
    content: contentOf(item, result?.content),
    output: result?.structured_content ?? agentsOf(item) ?? item.results ?? undefined,
    exitCode,
    error: errorIn(item, told),
    nativeStatus: status,
  };
}

/** Why a call failed: the error it has, or what its result says. Of a command the exit code tells. */
function errorIn(item: Item, told: Outcome | undefined): AgentError | undefined {
  const message = asText(asObject<NonNullable<CodexItem['error']>>(item.error)?.message);
  if (message !== undefined) return { code: 'unknown', message };
  if (told !== 'error') return undefined;
  const said = textIn(asObject<NonNullable<CodexItem['result']>>(item.result)?.content);
  if (said) return { code: 'unknown', message: said };
  const [, failed] = statesOf(item).find(([, { status }]) => status === 'errored') ?? [];
  const reason = asText(failed?.message);
  return reason === undefined ? undefined : readError(reason);
}

function contentOf(item: Item, resultContent: Json): readonly ContentPart[] {
  switch (item.type) {
    case 'command_execution':
      return textParts(asText(item.aggregated_output));
    case 'mcp_tool_call':
      return partsOf(resultContent);
    case 'collab_tool_call':
      // What an agent said before is no answer to what it is told now.
      return givesWork(item) ? [] : statesOf(item).flatMap(([, { message }]) => textParts(asText(message)));
    default:
      return [];
  }
}

function agentsOf(item: Item): Json {
  return item.type === 'collab_tool_call' && statesOf(item).length > 0 ? item.agents_states : undefined;
}

/** The calls after which a sub-agent is at work, whatever state it was in. */
const GIVE_WORK: ReadonlySet<Json> = new Set(['spawn_agent', 'send_input', 'followup_task']);

export function givesWork(item: Item): boolean {
  return GIVE_WORK.has(item.tool);
}

/** The sub-agents that an item tells of, each with its state. */
export function statesOf(item: Item): readonly (readonly [string, Loose<CodexAgentState>])[] {
  return Object.entries(asObject(item.agents_states) ?? {}).map(
    ([id, state]) => [id, asObject<CodexAgentState>(state) ?? {}] as const,
  );
}
