// What a folder can make Claude Code run, or change about it, without anybody being asked in print mode. Tried with 2.1.325: it takes
// `.mcp.json` from every folder above, `settings.local.json` from the root of the repository and of the one a worktree comes from.

import { asList, asObject, asText, type Json } from '../../event/json.ts';
import { parseLine } from '../../lines/parse.ts';
import type { Brought, FolderCode } from '../agent.ts';

const SERVERS = '.mcp.json';

export const folderCode: FolderCode = {
  files: ['.claude/settings.json', '.claude/settings.local.json', SERVERS],
  // 2.1.325 runs what stands in them between !` and ` as soon as the command or the skill is used, and takes over their hooks.
  folders: [
    { path: '.claude/commands', ending: '.md' },
    { path: '.claude/skills', ending: '.md' },
    { path: '.claude/agents', ending: '.md' },
  ],
  read(file, text) {
    if (file.endsWith('.md')) return commandsIn(file, text);
    const settings = asObject(parsed(text));
    if (!settings) return [{ kind: 'setting', name: file, detail: 'it cannot be read as settings' }];
    if (file.endsWith(SERVERS)) return serversIn(settings['mcpServers'] ?? settings);
    return Object.entries(settings).flatMap(([name, value]) => {
      if (name === '$schema') return [];
      if (name === 'hooks') return hooksIn(value);
      return name === 'mcpServers' ? serversIn(value) : [{ kind: 'setting' as const, name, detail: textOf(value) }];
    });
  },
};

function parsed(text: string): Json {
  const line = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const result = parseLine(new TextEncoder().encode(line), line, () => false);
  return result.kind === 'value' ? result.value : undefined;
}

/** `{ "<event>": [{ "matcher", "hooks": [{ "type", "command" }] }] }`; what looks otherwise is shown as it is. */
function hooksIn(value: Json): readonly Brought[] {
  const events = asObject(value);
  if (!events) return [{ kind: 'hook', name: 'hooks', detail: textOf(value) }];
  return Object.entries(events).flatMap(([name, matchers]) => {
    const commands = asList(matchers).flatMap((matcher) => asList(asObject<{ hooks: unknown }>(matcher)?.hooks));
    const details = commands.map((hook) => asText(asObject<{ command: string }>(hook)?.command) ?? textOf(hook));
    // Nothing found where something stands: better to show too much.
    const shown = details.length > 0 || asList(matchers).length === 0 ? details : [textOf(matchers)];
    return shown.map((detail) => ({ kind: 'hook' as const, name, detail }));
  });
}

/**
 * What a text for the agent may run, or be allowed: its shell lines, and a head that speaks of rights. YAML has many ways to write
 * a field, so the mere word counts.
 */
function commandsIn(file: string, text: string): readonly Brought[] {
  const lines = text.split('\n');
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === '---');
  const isHead = (index: number): boolean => lines[0]?.trim() === '---' && index < end;
  const told = lines.filter((line, index) =>
    isHead(index)
      ? RIGHTS.some((right) => line.toLowerCase().includes(right))
      : line.includes('!`') || line.includes('```!'),
  );
  return told.length === 0 ? [] : [{ kind: 'command', name: file, detail: told.map((line) => line.trim()).join('; ') }];
}

const RIGHTS = ['allowed-tools', 'hooks', 'mcpservers', 'permissionmode'] as const;

function serversIn(value: Json): readonly Brought[] {
  const servers = asObject(value);
  if (!servers) return [{ kind: 'mcp-server', name: 'servers', detail: textOf(value) }];
  return Object.entries(servers).map(([name, server]) => {
    const { command, args, url } = asObject<{ command: string; args: string[]; url: string }>(server) ?? {};
    const words = [asText(command), ...asList(args).map((word) => asText(word) ?? textOf(word))];
    const detail = asText(url) ?? (asText(command) === undefined ? textOf(server) : words.join(' '));
    return { kind: 'mcp-server', name, detail };
  });
}

function textOf(value: Json): string {
  return JSON.stringify(value) ?? '';
}
