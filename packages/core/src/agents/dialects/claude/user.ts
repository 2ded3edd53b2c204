// `user` lines: results of tools, and texts that went to the model: the person's, or the CLI's own.

import type { EventOf } from '../../../event/event.ts';
import { asObject, asText, type Json, type Loose } from '../../../event/json.ts';
import { textIn } from '../../content.ts';
import { blocksOf } from './assistant.ts';
import { between, partsOf } from './parts.ts';
import { rememberShown } from './retract.ts';
import { byId, inThread, type State, type Thread } from './state.ts';
import { threadOf } from './tasks.ts';
import { translateToolResult } from './tool-results.ts';
import { currentTurn } from './turns.ts';
import type { ToolResultMeta, UserLine, WireBlock, WireMessage } from './wire.ts';

const INTERRUPTED = '[Request interrupted by user';
const LOCAL_COMMAND = '<local-command-';

export function translateUser(state: State, line: Loose<UserLine>): void {
  const thread = threadOf(state, line);
  const content = asObject<WireMessage>(line.message)?.content;
  const metas = byId<ToolResultMeta>(line.tool_result_meta);
  const said: Json[] = [];
  inThread(state, thread, () => {
    for (const value of blocksOf(content)) {
      const block = asObject<WireBlock>(value);
      if (block?.type === 'tool_result' || block?.type === 'mcp_tool_result')
        translateToolResult(state, thread, line, metas, block);
      else said.push(value);
    }
    if (said.length > 0) translateSaid(state, thread, line, said);
  });
}

function translateSaid(state: State, thread: Thread, line: Loose<UserLine>, said: readonly Json[]): void {
  const text = textIn(said);
  const origin = originOf(line, text);
  if (thread === state.main) {
    const isInterrupted = text.startsWith(INTERRUPTED);
    if (isInterrupted) state.isAborted = true;
    if (isInterrupted || origin !== 'injected') state.ending = isInterrupted ? { outcome: 'cancelled' } : undefined;
  }
  if (thread === state.main && origin !== 'injected' && state.out.source === 'stdout') currentTurn(state);
  const messageId = asText(line.uuid);
  writeMessage(state, line, said, origin);
  if (messageId === undefined) return;
  state.prompts.delete(messageId);
  rememberShown(state, { uuid: messageId, messageId, blockIds: [], callIds: [] });
}

/** Shows what a line says without beginning anything. */
export function writeSaid(state: State, line: Loose<UserLine>, origin: UserOrigin): void {
  writeMessage(state, line, blocksOf(asObject<WireMessage>(line.message)?.content), origin);
}

type UserOrigin = EventOf<'user-message'>['origin'];

function writeMessage(state: State, line: Loose<UserLine>, said: readonly Json[], origin: UserOrigin): void {
  const kind = asText(asObject<{ kind: string }>(line.origin)?.kind);
  state.out.write({
    type: 'user-message',
    messageId: asText(line.uuid),
    content: partsOf(commandIn(textIn(said)) ?? said),
    origin,
    extra: kind === undefined ? undefined : { claude: { origin: kind } },
  });
}

/** A command as the person typed it: the CLI writes it down in pieces. */
function commandIn(text: string): string | undefined {
  if (!text.startsWith('<command-')) return undefined;
  const name = between(text, 'command-name');
  const words = between(text, 'command-args');
  return name === undefined ? undefined : `${name} ${words ?? ''}`.trim();
}

function originOf(line: Loose<UserLine>, text: string): 'prompt' | 'replay' | 'injected' {
  if (line.isSynthetic === true || text.startsWith(INTERRUPTED) || text.startsWith(LOCAL_COMMAND)) return 'injected';
  if (line.isReplay === true) return 'replay';
  const kind = asText(asObject<{ kind: string }>(line.origin)?.kind);
  return kind === undefined || kind === 'human' ? 'prompt' : 'injected';
}
