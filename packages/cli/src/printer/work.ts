// What is done, from events to cards: calls, the sub-agents that some of them send off, and what they change. A card waits for the
// next event, because a change, a list or a sub-agent may belong to it.

import type { AgentStreamEvent, EventOf } from '@tailrace/core';
import { type Calls, createCalls } from './calls.ts';
import { type Cards, type Ended, isOfCall, kindOf } from './cards.ts';
import { changeRows } from './diff.ts';
import type { Helper, Helpers } from './helpers.ts';
import type { Kind } from './kinds.ts';
import type { Page } from './page.ts';
import { indentOf, type Sheet } from './sheet.ts';
import { createTodos } from './todos.ts';

/** The events it is about. */
type WorkEvent = EventOf<
  | 'tool-call-start'
  | 'tool-call-input-end'
  | 'tool-call-update'
  | 'tool-call-end'
  | 'task-start'
  | 'task-update'
  | 'task-end'
  | 'file-change'
  | 'todo-update'
>;

export interface Work {
  /** Whether the event says more about the card that waits, which goes on waiting. */
  takes(event: AgentStreamEvent): boolean;
  /** The card that waited, with what the event adds to it. */
  settle(event?: AgentStreamEvent): string;
  add(event: WorkEvent): string;
  /** Somebody is asked, and has answered: a call may stand behind it. */
  ask(event: EventOf<'permission-request' | 'question-request'>): void;
  answer(event: EventOf<'permission-resolve' | 'question-resolve'>): void;
  /** The card that waits. */
  over(): readonly string[];
  /** Calls that are running. */
  running(): readonly string[];
  readonly isWaiting: boolean;
}

export interface WorkOptions {
  readonly sheet: Sheet;
  readonly page: Page;
  readonly helpers: Helpers;
  readonly cards: Cards;
  readonly wants: (kind: Kind) => boolean;
  readonly now: (() => number) | undefined;
}

export function createWork({ sheet, page, helpers, cards, wants, now }: WorkOptions): Work {
  const calls: Calls = createCalls();
  const todos = createTodos(sheet);
  /** Which call asks, by the request. */
  const askers = new Map<string, string>();
  /** Calls whose card was printed with that of their sub-agent. */
  const lost = new Set<string>();
  let waiting: Ended | undefined;
  /** The change that stands on the card that was printed last. */
  let onCard: AgentStreamEvent | undefined;

  function settle(event?: AgentStreamEvent): string {
    if (!waiting) return '';
    const ended = waiting;
    waiting = undefined;
    const isTheirs = event !== undefined && isOfCall(event, ended.event.toolCallId);
    // A list takes the place of the card of the call that keeps it.
    if (event?.type === 'todo-update' && isTheirs && ended.call.isTodo && wants('todos')) return '';
    const change = event?.type === 'file-change' && isTheirs && event.outcome === 'success' ? event : undefined;
    const { helper } = ended;
    if (event?.type === 'task-end' && event.taskId === helper?.taskId) helper.end = event;
    // Its call is over, and it is not.
    if (helper && ended.isEarly && !helper.end) helper.isBackground = true;
    if (helper) helper.toolName = ended.event.toolName;
    if (helper && ended.event.outcome !== 'success') helper.rows.push(...lostRows(helper));
    const shown = cards.ended(ended, change);
    if (shown.length > 0) onCard = change;
    const printed = page.rows(shown, ended.event.subagentId);
    if (helper && !helper.isBackground) endHelper(helper);
    return printed;
  }

  function endHelper(helper: Helper): void {
    helpers.end(helper);
    page.endHelper(helper.taskId);
  }

  /** The calls that a sub-agent was at when it was stopped. */
  function lostRows(helper: Helper): string[] {
    const open = [...calls.open()].filter(([, call]) => call.subagentId === helper.taskId);
    return open.flatMap(([id, call]) => {
      lost.add(id);
      const inner = helpers.ofCall(id);
      if (inner) inner.rows.push(...lostRows(inner));
      return wants(kindOf(inner)) ? cards.lost(call, inner, helpers.depth(helper.taskId)) : [];
    });
  }

  function callEnd(event: EventOf<'tool-call-end'>): void {
    const call = calls.end(event);
    // A mode that was entered or left is no card; that it could not be is one, or that somebody allowed it.
    if (call.kind === 'switch_mode' && event.outcome === 'success' && !call.isAllowed) return;
    if (lost.delete(event.toolCallId) && event.synthetic) return;
    const found = helpers.ofCall(event.toolCallId);
    // A command that is over already is a call like any other.
    const helper = found?.isCommand && found.end ? undefined : found;
    waiting = { event, call, helper, depth: helpers.depth(event.subagentId), isEarly: false };
  }

  function taskEnd(event: EventOf<'task-end'>): string {
    const helper = helpers.of(event.taskId);
    if (!helper) return '';
    if (helper.toolCallId !== undefined && calls.of(helper.toolCallId)) {
      // Its call is still open, and brings the card.
      helper.end = event;
      return '';
    }
    const card = wants(kindOf(helper)) ? cards.back(helper, event, helpers.depth(helper.parent)) : [];
    const printed = page.rows(card, event.subagentId);
    endHelper(helper);
    return printed;
  }

  function fileChange(event: EventOf<'file-change'>): string {
    if (event === onCard || event.outcome !== 'success' || !wants('files')) return '';
    const indent = indentOf(helpers.depth(event.subagentId)) + 2;
    const rows = event.changes.flatMap((change) => changeRows(sheet, change, indent));
    return page.rows(rows, event.subagentId);
  }

  return {
    takes(event) {
      if (event.type === 'task-update' && event.taskId === waiting?.helper?.taskId) helpers.update(event);
      // A session's own file tells of a sub-agent when its call is over.
      if (event.type !== 'task-start' || !waiting || event.toolCallId !== waiting.event.toolCallId) return false;
      helpers.start(event, waiting.call.title);
      waiting = { ...waiting, helper: helpers.of(event.taskId), isEarly: true };
      return true;
    },
    settle,
    add(event) {
      switch (event.type) {
        case 'tool-call-start':
          calls.start(event, now?.());
          return '';
        case 'tool-call-input-end':
        case 'tool-call-update':
          calls.update(event);
          return '';
        case 'tool-call-end':
          callEnd(event);
          return '';
        case 'task-start':
          helpers.start(event, event.toolCallId === undefined ? undefined : calls.of(event.toolCallId)?.title);
          return '';
        case 'task-update':
          helpers.update(event);
          return '';
        case 'task-end':
          return taskEnd(event);
        case 'file-change':
          return fileChange(event);
        case 'todo-update': {
          const indent = indentOf(helpers.depth(event.subagentId)) + 2;
          return wants('todos') ? page.rows(todos.changed(event, indent), event.subagentId) : '';
        }
      }
    },
    ask(event) {
      if (event.toolCallId !== undefined) askers.set(event.requestId, event.toolCallId);
    },
    answer(event) {
      const toolCallId = askers.get(event.requestId ?? '');
      askers.delete(event.requestId ?? '');
      if (toolCallId === undefined) return;
      if (event.type === 'question-resolve') calls.answer(toolCallId, event.answer);
      else calls.decide(toolCallId, event.decision === 'allowed');
    },
    over: () => (waiting && !waiting.call.isTodo && waiting.depth === 0 ? cards.ended(waiting, undefined) : []),
    running() {
      const time = now?.() ?? 0;
      return [...calls.open()].flatMap(([id, call]) => {
        const helper = helpers.ofCall(id);
        if (!wants(kindOf(helper)) || call.kind === 'switch_mode' || call.isTodo) return [];
        return cards.running(call, helper, helpers.depth(call.subagentId), time);
      });
    },
    get isWaiting() {
      return waiting !== undefined;
    },
  };
}
