// What an item that is a call tells when it is over.

import type { ContentPart, EventOf, Outcome } from '../../event/event.ts';
import { asNumber, asObject, asText, entryOf, type Json, type Loose } from '../../event/json.ts';
import { partsOf, textParts } from '../content.ts';
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
  const message = asText(asObject<NonNullable<CodexItem['error']>>(item.error)?.message);
  return {
    // A search has no status: that it completed is all there is to tell.
    outcome: exitCode && told === 'success' ? 'error' : (told ?? (item.type === 'web_search' ? 'success' : 'unknown')),
    content: contentOf(item, result?.content),
    output: result?.structured_content ?? agentsOf(item) ?? item.results ?? undefined,
    exitCode,
    error: message === undefined ? undefined : { code: 'unknown', message },
    nativeStatus: status,
  };
}

function contentOf(item: Item, resultContent: Json): readonly ContentPart[] {
  switch (item.type) {
    case 'command_execution':
      return textParts(asText(item.aggregated_output));
    case 'mcp_tool_call':
      return partsOf(resultContent);
    case 'collab_tool_call':
      return statesOf(item).flatMap(([, { message }]) => textParts(asText(message)));
    default:
      return [];
  }
}

function agentsOf(item: Item): Json {
  return item.type === 'collab_tool_call' && statesOf(item).length > 0 ? item.agents_states : undefined;
}

/** The sub-agents that an item tells of, each with its state. */
export function statesOf(item: Item): readonly (readonly [string, Loose<CodexAgentState>])[] {
  return Object.entries(asObject(item.agents_states) ?? {}).map(
    ([id, state]) => [id, asObject<CodexAgentState>(state) ?? {}] as const,
  );
}
