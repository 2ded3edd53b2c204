// What the session is run with (`init`, `status`), its hooks, and the compaction of its context.

import { asCount, asList, asNumber, asObject, asText, asTexts, type Json, type Loose } from '../../../event/json.ts';
import { newFacts } from '../../facts.ts';
import { type SessionFacts, type State, uniqueId } from './state.ts';
import { currentTurn, turnOfInit } from './turns.ts';
import type { CompactBoundaryLine, HookLine, InitLine, StatusLine, WireLine } from './wire.ts';

/** `init` comes at the start of every turn: the first is the session's header, later ones tell what has changed. */
export function translateInit(state: State, line: Loose<InitLine>): void {
  writeFacts(state, factsOf(state, line));
  turnOfInit(state);
}

/** Begins the session with what its first line tells. */
export function startSession(state: State, line: Loose<WireLine>): void {
  const facts = line.type === 'system' && line.subtype === 'init' ? factsOf(state, line) : {};
  state.facts = facts;
  state.out.write({ type: 'session-start', agent: state.speaker.agent, ...facts });
}

/** Tells what has changed of what the session is run with. */
export function writeFacts(state: State, facts: SessionFacts): void {
  const fresh = newFacts(state.facts, facts);
  if (!fresh) return;
  state.facts = { ...state.facts, ...fresh };
  state.out.write({ type: 'session-update', ...fresh });
}

/** A field that is not there is unknown, not empty: mocks print little more than the session's id. */
function factsOf(state: State, line: Loose<InitLine>): SessionFacts {
  return {
    agentVersion: asText(asObject(line)?.[state.speaker.versionField]),
    model: asText(line.model),
    cwd: asText(line.cwd),
    permissionMode: asText(line.permissionMode),
    tools: asTexts(line.tools),
    mcpServers: Array.isArray(line.mcp_servers) ? asList(line.mcp_servers).flatMap(serverOf) : undefined,
    commands: commandNames(line.slash_commands),
  };
}

function serverOf(value: Json): readonly { readonly name: string; readonly status?: string }[] {
  const server = asObject<{ name: string; status: string }>(value);
  const name = asText(value) ?? asText(server?.name);
  const status = asText(server?.status);
  return name === undefined ? [] : [status === undefined ? { name } : { name, status }];
}

/** The names in a list of commands, whichever of its two shapes it has. */
export function commandNames(value: Json): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const names = value.map((command) => asText(asObject<{ name: string }>(command)?.name) ?? command);
  return asTexts(names);
}

export function translateStatus(state: State, line: Loose<StatusLine>): void {
  const permissionMode = asText(line.permissionMode);
  if (permissionMode !== undefined) writeFacts(state, { permissionMode });
  if (line.status === 'requesting') {
    currentTurn(state);
    state.out.write({ type: 'session-update', state: 'running' });
  } else if (line.status === 'compacting') {
    currentTurn(state);
    startCompaction(state, line, undefined);
  } else if (line.compact_result === 'failed' && state.compaction) {
    const reason = asText(line.compact_error);
    if (reason !== undefined) {
      state.out.write({
        type: 'notice',
        severity: 'warning',
        title: `compaction failed: ${reason}`,
        nativeCode: 'compact_error',
      });
    }
    endCompaction(state, 'error');
  }
}

// ── Compaction: announced by a status, ended by the boundary line that carries the figures ────────

function startCompaction(state: State, line: Loose<WireLine>, trigger: 'manual' | 'auto' | undefined): void {
  if (state.compaction) return;
  state.hasHelpers = true;
  const id = uniqueId(state, 'compaction', asText(line.uuid) ?? `compaction-${state.out.line}`);
  state.compaction = { id, trigger };
  state.out.write({ type: 'compaction-start', compactionId: state.compaction.id, trigger });
}

export function translateCompactBoundary(state: State, line: Loose<CompactBoundaryLine>): void {
  const metadata = asObject<{ trigger: string; pre_tokens: number; post_tokens: number; duration_ms: number }>(
    line.compact_metadata,
  );
  const trigger = metadata?.trigger === 'manual' || metadata?.trigger === 'auto' ? metadata.trigger : undefined;
  startCompaction(state, line, trigger);
  endCompaction(state, 'success', {
    trigger,
    tokensBefore: asCount(metadata?.pre_tokens),
    tokensAfter: asCount(metadata?.post_tokens),
    durationMs: asNumber(metadata?.duration_ms),
  });
}

interface CompactionFigures {
  readonly trigger?: 'manual' | 'auto' | undefined;
  readonly tokensBefore?: number | undefined;
  readonly tokensAfter?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly synthetic?: true;
}

export function endCompaction(
  state: State,
  outcome: 'success' | 'error' | 'unknown' | 'cancelled',
  figures: CompactionFigures = {},
): void {
  if (!state.compaction) return;
  state.out.write({ type: 'compaction-end', compactionId: state.compaction.id, outcome, ...figures });
  state.compaction = undefined;
}

// ── Hooks ─────────────────────────────────────────────────────────────────────────────────────────

export function translateHookStart(state: State, line: Loose<HookLine>): void {
  const on = asText(line.hook_event) ?? asText(line.hook_event_name);
  startHook(state, asText(line.hook_id) ?? `hook-${state.out.line}`, asText(line.hook_name) ?? on ?? 'hook', on);
}

export function startHook(state: State, id: string, name: string, on: string | undefined): void {
  if (state.openHooks.has(id)) return;
  const hookId = uniqueId(state, 'hook', id);
  state.openHooks.set(id, hookId);
  state.out.write({ type: 'hook-start', hookId, name, on });
}

export function translateHookEnd(state: State, line: Loose<HookLine>): void {
  const id = asText(line.hook_id) ?? `hook-${state.out.line}`;
  if (!state.openHooks.has(id)) translateHookStart(state, { ...line, hook_id: id });
  const word = asText(line.outcome);
  endHook(state, id, {
    outcome: word === 'success' || word === 'error' || word === 'cancelled' ? word : 'unknown',
    output: asText(line.output) ?? asText(line.stdout),
    exitCode: asNumber(line.exit_code),
  });
}

interface HookEnd {
  readonly outcome: 'success' | 'error' | 'cancelled' | 'unknown';
  readonly output?: string | undefined;
  readonly exitCode?: number | undefined;
  readonly synthetic?: true;
}

/** Ends the hook with this id of theirs; false when none is running. */
export function endHook(state: State, id: string, end: HookEnd): boolean {
  const hookId = state.openHooks.get(id);
  if (hookId === undefined) return false;
  state.openHooks.delete(id);
  state.out.write({ type: 'hook-end', hookId, ...end });
  return true;
}

/** The stream is over: hooks that never answered are closed. */
export function endHooks(state: State, outcome: 'unknown' | 'cancelled'): void {
  for (const id of [...state.openHooks.keys()]) endHook(state, id, { outcome, synthetic: true });
}
