// What the agent did: calls, the commands and paths in them, the files they changed.

import type { EventOf } from '@tailrace/core';
import { beginningOf } from './beginning.ts';
import type { Changes } from './changes.ts';
import { textsOf } from './inputs.ts';
import type { CallRow, Place } from './rows.ts';
import { whenOf } from './times.ts';

export interface CallMaker {
  start(event: EventOf<'tool-call-start'>, place: Place): void;
  update(event: EventOf<'tool-call-update'>): void;
  endInput(event: EventOf<'tool-call-input-end'>, place: Place): void;
  end(event: EventOf<'tool-call-end'>): void;
  changeFiles(event: EventOf<'file-change'>, place: Place): void;
}

const TITLE_CHARACTERS = 240;

export function createCallMaker(changes: Changes): CallMaker {
  const calls = new Map<string, CallRow>();

  function change(id: string, facts: Partial<CallRow>): void {
    const call = calls.get(id);
    if (call) changes.call(Object.assign(call, facts));
  }

  return {
    start(event, place) {
      const call: CallRow = {
        id: event.toolCallId,
        name: event.toolName,
        kind: event.kind,
        title: titleOf(event.title),
        outcome: null,
        subagentId: event.subagentId ?? null,
        at: whenOf(event, place),
        durationMs: null,
        position: place.position,
      };
      calls.set(call.id, call);
      changes.call(call);
    },
    update({ toolCallId, title }) {
      if (title !== undefined) change(toolCallId, { title: titleOf(title) });
    },
    endInput(event, place) {
      const { toolCallId, title, locations = [] } = event;
      if (title !== undefined) change(toolCallId, { title: titleOf(title) });
      for (const { path } of locations) changes.textOnce(event, place, { kind: 'path', text: path, toolCallId });
      if (calls.get(toolCallId)?.kind !== 'execute') return;
      changes.textOnce(event, place, { kind: 'command', text: textsOf(event.input), toolCallId });
    },
    end({ toolCallId, outcome, durationMs }) {
      change(toolCallId, { outcome, durationMs: durationMs ?? null });
    },
    changeFiles(event, place) {
      if (event.outcome !== 'success') return;
      const toolCallId = event.toolCallId ?? null;
      for (const { path, operation } of event.changes) {
        changes.file({ path, operation, toolCallId, at: whenOf(event, place), position: place.position });
        changes.textOnce(event, place, { kind: 'path', text: path, toolCallId });
      }
    },
  };
}

function titleOf(title: string | undefined): string | null {
  return title === undefined ? null : beginningOf(title, TITLE_CHARACTERS);
}
