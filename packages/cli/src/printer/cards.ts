// The cards of calls: one line when a call is over, and under it what it changed, what it printed, or what its sub-agent did.

import {
  type AgentStreamEvent,
  type EventOf,
  type FigureState,
  markOf,
  type Outcome,
  showCost,
  showDuration,
  type Usage,
} from '@tailrace/core';
import type { Call } from './calls.ts';
import { changeRows, countText, diffRows } from './diff.ts';
import { foundText } from './found.ts';
import type { Helper } from './helpers.ts';
import type { Kind } from './kinds.ts';
import { countChange } from './line-count.ts';
import { BAD_LINES, contentText, failureText, GOOD_LINES, outputRows, printedRows, stoppedRows } from './output.ts';
import { moreText } from './passages.ts';
import { cardRow, indentOf, nearPath, type Sheet } from './sheet.ts';
import { showCount } from './tokens.ts';
import { outcomeWord, showSeconds } from './words.ts';

/** What a sub-agent has spent, and how sure that is. */
export interface Spent {
  readonly costUsd: number | null | undefined;
  readonly costState: FigureState;
  readonly usage: Usage & { readonly state?: FigureState };
  readonly state?: FigureState;
}

export interface CardOptions {
  readonly wants: (kind: Kind) => boolean;
  /** What a sub-agent has spent. */
  readonly spent: ((taskId: string) => Spent | undefined) | undefined;
}

export interface Ended {
  readonly event: EventOf<'tool-call-end'>;
  readonly call: Call;
  readonly helper: Helper | undefined;
  /** How far in it stands. */
  readonly depth: number;
  /** It was over before its sub-agent was told of. */
  readonly isEarly: boolean;
}

export interface Cards {
  /** A call that is over, with the change that it made. */
  ended(card: Ended, change: EventOf<'file-change'> | undefined): string[];
  /** A sub-agent that is back from the background. */
  back(helper: Helper, event: EventOf<'task-end'>, depth: number): string[];
  /** A call that has no result, and never will. */
  lost(call: Call, helper: Helper | undefined, depth: number): string[];
  /** Whose the rows are that come after its card. */
  late(helper: Helper, depth: number): string;
  /** One that is still running. */
  running(call: Call, helper: Helper | undefined, depth: number, now: number): string[];
}

/** So many rows of a sub-agent are shown, and of one that is at work. */
const HELPER_ROWS = 12;
const LIVE_ROWS = 2;

/** An answer that is longer is no word. */
const LONGEST_WORD = 24;

export function createCards(sheet: Sheet, { wants, spent }: CardOptions): Cards {
  const { palette } = sheet;

  function titleOf(title: string | undefined, helper: Helper | undefined): string {
    const shown = nearPath(sheet, title ?? helper?.description ?? '');
    return helper?.name === undefined || helper.name === shown
      ? shown
      : `${shown}${shown === '' ? '' : ' '}(${helper.name})`;
  }

  /** What it cost; as long as nobody knows that, how many tokens it took. */
  function costOf({ taskId }: Helper): string {
    const figures = spent?.(taskId);
    if (!figures) return '';
    const { costUsd, costState, usage, state = usage.state ?? 'known' } = figures;
    const tokens = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
    // Nothing costs nothing: nobody has told it yet.
    return showCost(costUsd || null, costState) || (tokens > 0 ? `${markOf(state)}${showCount(tokens)} tokens` : '');
  }

  function helperRows({ rows }: Helper, indent: number): readonly string[] {
    const left = sheet.isFull ? 0 : Math.max(0, rows.length - HELPER_ROWS);
    return left === 0 ? rows : [' '.repeat(indent) + palette.dim(moreText(left)), ...rows.slice(left)];
  }

  /** Of one whose own words are not there, what it came back with. */
  function resultRows({ hasSpoken }: Helper, end: EventOf<'task-end'> | undefined, indent: number): string[] {
    return hasSpoken ? [] : outputRows(sheet, end?.result ?? '', GOOD_LINES, indent);
  }

  /** What it found; of another program's tool, what it answered, when that is a word. */
  function foundBy({ event, call, helper }: Ended): string {
    if (helper || event.outcome !== 'success') return '';
    const found = foundText(call.kind, event.content);
    const answer = call.name === undefined ? '' : contentText(event.content).trim();
    const word = found || (answer.length <= LONGEST_WORD && !answer.includes('\n') ? answer : '');
    return word === '' ? '' : sheet.gate.line(word, 2 * LONGEST_WORD);
  }

  /** What a call shows under its card. */
  function inside(
    { event, call, helper }: Ended,
    change: EventOf<'file-change'> | undefined,
    indent: number,
  ): string[] {
    // What is said of a call that was stopped is meant for the model.
    if (event.outcome === 'cancelled') return stoppedRows(sheet, event.content, indent);
    if (event.outcome !== 'success' && event.outcome !== 'unknown')
      return outputRows(sheet, failureText(event.content, event.error?.message, event.exitCode), BAD_LINES, indent);
    const [only] = change?.changes ?? [];
    if (change && only)
      return change.changes.length === 1
        ? diffRows(sheet, only, indent)
        : change.changes.flatMap((one) => changeRows(sheet, one, indent - 2));
    const isCommand = call.kind === 'execute' && event.subagentId === undefined;
    return (!helper && isCommand) || (sheet.isFull && (!helper || helper.isCommand))
      ? printedRows(sheet, event.content, indent)
      : [];
  }

  return {
    ended(ended, change) {
      const { event, call, helper, depth } = ended;
      const indent = indentOf(depth);
      if (!wants(kindOf(helper)) && !(change && wants('files'))) return [];
      // What was cut off has no result; what has one may only not say how it went.
      const task = helper?.isBackground ? undefined : helper?.end;
      // A call may go well that brings back a failure.
      const outcome = event.outcome === 'success' ? (task?.outcome ?? 'success') : event.outcome;
      const isCut = event.outcome === 'unknown' && event.synthetic === true;
      const word = isCut ? 'no result' : outcomeWord(outcome, event.exitCode);
      const notes = helper?.isBackground
        ? [word || 'in the background']
        : [
            word || (call.isAllowed && call.kind === 'switch_mode' ? 'allowed' : ''),
            foundBy(ended),
            showDuration(event.durationMs),
            helper ? costOf(helper) : '',
          ];
      const [only] = change?.changes.length === 1 ? change.changes : [];
      const card = cardRow(sheet, {
        indent,
        sign: signOf(outcome),
        name: call.name ?? event.toolName,
        title: titleOf(call.title, helper),
        counts: only && countText(sheet, countChange(only)),
        notes,
      });
      const rows = [card, ...inside(ended, change, indent + 4)];
      if (!helper || helper.isBackground) return rows;
      const why = outcome === event.outcome ? '' : (task?.error?.message ?? '');
      const result = outcome === 'success' ? resultRows(helper, task, indent + 4) : [];
      return [...rows, ...helperRows(helper, indent + 4), ...result, ...outputRows(sheet, why, BAD_LINES, indent + 4)];
    },
    back(helper, event, depth) {
      const indent = indentOf(depth);
      const card = cardRow(sheet, {
        indent,
        sign: signOf(event.outcome),
        name: helper.toolName ?? 'Agent',
        title: titleOf(undefined, helper),
        counts: undefined,
        notes: [outcomeWord(event.outcome) || backWord(helper, event), showDuration(event.durationMs), costOf(helper)],
      });
      const why = event.outcome === 'success' ? '' : (event.error?.message ?? '');
      const isTold = why === '' && (!helper.isCommand || event.outcome === 'success');
      const result = isTold ? resultRows(helper, event, indent + 4) : [];
      return [card, ...helperRows(helper, indent + 4), ...result, ...outputRows(sheet, why, BAD_LINES, indent + 4)];
    },
    lost(call, helper, depth) {
      const card = cardRow(sheet, {
        indent: indentOf(depth),
        sign: signOf('unknown'),
        name: call.name ?? call.toolName,
        title: titleOf(call.title, helper),
        counts: undefined,
        notes: ['no result'],
      });
      return [card, ...(helper?.rows ?? [])];
    },
    late: (helper, depth) =>
      cardRow(sheet, {
        indent: indentOf(depth),
        sign: palette.dim('↳'),
        name: helper.toolName ?? 'Agent',
        title: titleOf(undefined, helper),
        counts: undefined,
        notes: [],
      }),
    running(call, helper, depth, now) {
      const time = call.since === undefined ? 0 : now - call.since;
      const card = cardRow(sheet, {
        indent: indentOf(depth),
        sign: palette.dim('…'),
        name: call.name ?? call.toolName,
        title: titleOf(call.title, helper),
        counts: undefined,
        notes: [time < 1_000 ? '' : showSeconds(time), helper ? costOf(helper) : ''],
      });
      return [card, ...(helper?.rows.slice(-LIVE_ROWS) ?? [])];
    },
  };

  /** That it is back, where no time says so. */
  function backWord({ rows }: Helper, { outcome, result, durationMs }: EventOf<'task-end'>): string {
    if (outcome === 'success') return showDuration(durationMs) === '' ? 'ended' : '';
    return rows.length === 0 && !result ? 'no result' : '';
  }

  function signOf(outcome: Outcome): string {
    if (outcome === 'success') return palette.good('✓');
    return outcome === 'unknown' ? palette.dim('?') : palette.bad('✖');
  }
}

/** What `--only` calls it. */
export function kindOf(helper: Helper | undefined): Kind {
  return helper && !helper.isCommand ? 'subagents' : 'tools';
}

/** Whether an event is of the call that a card waits for: by its id, or because it comes next and names no other. */
export function isOfCall(event: AgentStreamEvent, toolCallId: string): boolean {
  if (event.type !== 'todo-update' && event.type !== 'file-change') return false;
  return (event.toolCallId ?? toolCallId) === toolCallId;
}
