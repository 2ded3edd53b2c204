// Payloads of Claude's hooks → the same events that its stream gives. They carry no tokens, no costs and no reasoning.

import { asObject, asText, type Json, type Loose } from '../../../event/json.ts';
import type { Translator } from '../../agent.ts';
import { endCompaction } from '../../dialects/claude/session.ts';
import { handlersOf, uniqueId } from '../../dialects/claude/state.ts';
import type { HookEventName } from '../../dialects/claude/wire.ts';
import { newFacts } from '../../facts.ts';
import { batchEnds, toolEnds, toolFails, toolStarts } from './calls.ts';
import { createFeed, type Feed, keep, nameOf, threadOfPayload } from './feed.ts';
import { elicitationAnswered, elicitationAsked, permissionAsked, permissionDenied } from './requests.ts';
import { subagentStarts, subagentStops } from './tasks.ts';
import { showText } from './texts.ts';
import { answerFails, answerStops, endSession, promptSubmitted } from './turns.ts';
import type { HookPayload } from './wire.ts';

type Handler = (feed: Feed, payload: Loose<HookPayload>) => void;

const handlers: ReadonlyMap<string, Handler> = handlersOf<HookEventName, Handler>({
  SessionStart: () => {},
  SessionEnd: keep,
  UserPromptSubmit: promptSubmitted,
  UserPromptExpansion: keep,
  MessageDisplay: showText,
  Stop: answerStops,
  StopFailure: answerFails,
  PreToolUse: toolStarts,
  PostToolUse: toolEnds,
  PostToolUseFailure: toolFails,
  PostToolBatch: batchEnds,
  PermissionRequest: permissionAsked,
  PermissionDenied: permissionDenied,
  Elicitation: elicitationAsked,
  ElicitationResult: elicitationAnswered,
  SubagentStart: subagentStarts,
  SubagentStop: subagentStops,
  PreCompact: compactionStarts,
  PostCompact: compactionEnds,
  Notification: notified,
  FileChanged: fileChanged,
  // The session's facts are read from every payload.
  CwdChanged: () => {},
  PostModelSwitch: () => {},
  // Not yet done, and perhaps never.
  PreModelSwitch: keep,
  // The calls that do it tell the list.
  TaskCreated: keep,
  TaskCompleted: keep,
  TeammateIdle: keep,
  ConfigChange: keep,
  InstructionsLoaded: keep,
  Setup: keep,
  WorktreeCreate: keep,
  WorktreeRemove: keep,
  DirectoryAdded: keep,
});

/** Translates the lines of a hook feed: one payload each. */
export function createHookTranslator(): Translator {
  let feed: Feed | undefined;
  return {
    translate(message, out) {
      const payload = asObject<HookPayload>(message);
      if (!payload) return;
      feed ??= createFeed(out);
      feed.state.out = out;
      begin(feed, payload);
      const handle = handlers.get(nameOf(payload) ?? '');
      if (handle) handle(feed, payload);
      else out.write({ type: 'raw', reason: 'unknown_type', value: message, nativeType: nameOf(payload) });
    },
    end(exit, out) {
      feed ??= createFeed(out);
      feed.state.out = out;
      endSession(feed, exit);
    },
  };
}

/** Whether a message is what a hook is given. A line of the stream that tells of a hook may have both fields, but it has a type. */
export function isHookPayload(message: Json): boolean {
  const payload = asObject<HookPayload & { type: string }>(message);
  if (!payload || payload.type !== undefined) return false;
  return nameOf(payload) !== undefined && asText(payload.session_id) !== undefined;
}

function begin(feed: Feed, payload: Loose<HookPayload>): void {
  const { state } = feed;
  const { out } = state;
  const sessionId = asText(payload.session_id);
  if (sessionId) out.sessionId = sessionId;
  const facts = {
    model: asText(payload.model) ?? (nameOf(payload) === 'PostModelSwitch' ? asText(payload.to_model) : undefined),
    cwd: asText(payload.new_cwd) ?? asText(payload.cwd),
    permissionMode: asText(payload.permission_mode),
  };
  if (!out.started) {
    feed.facts = facts;
    const resumed = payload.source === 'resume' || payload.source === 'fork' ? true : undefined;
    out.write({ type: 'session-start', agent: state.speaker.agent, ...facts, resumed });
    return;
  }
  // A sub-agent may work elsewhere, and by other rules.
  const fresh = payload.agent_id === undefined ? newFacts(feed.facts, facts) : undefined;
  if (!fresh) return;
  feed.facts = { ...feed.facts, ...fresh };
  out.write({ type: 'session-update', ...fresh });
}

function compactionStarts(feed: Feed, payload: Loose<HookPayload>): void {
  const { state } = feed;
  if (state.compaction) return keep(feed, payload);
  const trigger = triggerOf(payload);
  state.compaction = { id: uniqueId(state, 'compaction', `compaction-${state.out.line}`), trigger };
  state.out.write({ type: 'compaction-start', compactionId: state.compaction.id, trigger });
}

function compactionEnds(feed: Feed, payload: Loose<HookPayload>): void {
  const { state } = feed;
  if (!state.compaction) compactionStarts(feed, payload);
  const summary = asText(payload.compact_summary);
  endCompaction(state, 'success', { trigger: triggerOf(payload), ...(summary !== undefined && { summary }) });
}

function triggerOf({ trigger }: Loose<HookPayload>): 'manual' | 'auto' | undefined {
  return trigger === 'manual' || trigger === 'auto' ? trigger : undefined;
}

function notified(feed: Feed, payload: Loose<HookPayload>): void {
  const title = asText(payload.message);
  if (title === undefined) return keep(feed, payload);
  const { out } = feed.state;
  out.subagentId = threadOfPayload(feed, payload).task?.id;
  const nativeCode = asText(payload.notification_type);
  const description = asText(payload.title);
  out.write({ type: 'notice', severity: 'info', title, description, nativeCode });
  if (nativeCode === 'permission_prompt') out.write({ type: 'session-update', state: 'requires_action' });
  else if (nativeCode === 'idle_prompt') out.write({ type: 'session-update', state: 'idle' });
}

const OPERATIONS = { add: 'add', change: 'modify', unlink: 'delete' } as const;

/** A file that the person has the CLI watch. Who changed it is not told. */
function fileChanged(feed: Feed, payload: Loose<HookPayload>): void {
  const path = asText(payload.file_path);
  const { event } = payload;
  if (path === undefined || (event !== 'add' && event !== 'change' && event !== 'unlink')) return keep(feed, payload);
  feed.state.out.write({ type: 'file-change', changes: [{ path, operation: OPERATIONS[event] }], outcome: 'success' });
}
