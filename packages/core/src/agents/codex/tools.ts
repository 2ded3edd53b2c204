// The items that are calls: what each is called, what kind it is, and what it was given.

import type { Location, McpTool } from '../../event/event.ts';
import { asList, asObject, asText, asTexts, entryOf, type Json, type Loose } from '../../event/json.ts';
import { MCP_TOOL, type ToolTraits, traits } from '../tools.ts';
import { changesOf } from './changes.ts';
import type { CodexItem } from './wire.ts';

type Item = Loose<CodexItem>;

export interface Call {
  readonly name: string;
  readonly traits: ToolTraits;
  readonly title?: string | undefined;
  /** Absent while it is not known: a search may start before it has a query. */
  readonly input?: Json;
  readonly locations?: readonly Location[] | undefined;
  readonly mcp?: McpTool | undefined;
  readonly serverSide?: true;
}

/** The call that an item is, if it is one. */
export function callOf(item: Item): Call | undefined {
  return entryOf(calls, item.type)?.(item);
}

const calls: Readonly<Record<string, (item: Item) => Call>> = {
  command_execution(item) {
    const command = asText(item.command);
    return {
      name: 'command_execution',
      traits: traits('execute'),
      title: command === undefined ? undefined : unwrapped(command),
      input: { command },
    };
  },

  file_change(item) {
    const locations = changesOf(item).map(({ path }) => ({ path }));
    const [first, ...others] = locations;
    return {
      name: 'file_change',
      traits: traitsOfChange(item),
      title: first && (others.length > 0 ? `${first.path} and ${others.length} more` : first.path),
      input: { changes: asList(item.changes) },
      locations,
    };
  },

  mcp_tool_call(item) {
    const tool = asText(item.tool) ?? 'unknown';
    return {
      name: tool,
      traits: MCP_TOOL,
      input: item.arguments ?? {},
      mcp: { server: asText(item.server) ?? 'unknown', tool },
    };
  },

  collab_tool_call(item) {
    const prompt = asText(item.prompt);
    const agents = asTexts(item.receiver_thread_ids);
    return {
      name: asText(item.tool) ?? 'collab_tool_call',
      traits: traits('think', 'subagent'),
      title: prompt?.split('\n', 1)[0],
      input: { ...(prompt !== undefined && { prompt }), ...(agents?.length && { receiver_thread_ids: agents }) },
    };
  },

  web_search(item) {
    const action = asObject<CodexItem['action']>(item.action);
    const query = asText(item.query);
    const title = [query, asText(action?.url), asText(action?.pattern)].find((text) => text);
    return {
      name: 'web_search',
      traits: traits('fetch', 'web_search'),
      title,
      input: title === undefined ? undefined : { query, action: item.action },
      serverSide: true,
    };
  },
};

function traitsOfChange(item: Item): ToolTraits {
  const [first, ...others] = new Set(changesOf(item).map(({ operation }) => operation));
  if (others.length === 0 && (first === 'delete' || first === 'move')) return traits(first);
  return traits('edit', 'patch');
}

/** A word, or words in quotes with no quotes in them. */
const IN_A_SHELL = /^\S*sh -l?c (?:'([^']*)'|([^\s'"]+))$/;

/** The command without the shell that runs it, where that can be told without reading shell. */
function unwrapped(command: string): string {
  const found = IN_A_SHELL.exec(command);
  return found?.[1] ?? found?.[2] ?? command;
}
