// Events → text for a terminal or a pipe, as they come. What is printed stands for good; what is not whole yet, a paragraph or a
// call that is running, can be asked for and drawn below it. What a sub-agent does stands under its card; trouble is a small
// row at its place.

import type { AgentStreamEvent, EventOf } from '@tailrace/core';
import { createCalls } from './calls.ts';
import { createCards, type Ended, isOfCall, type Spent } from './cards.ts';
import { changeRows, countChange, type LineCount } from './diff.ts';
import { createFlow, createPlainFlow } from './flow.ts';
import { createGate, type GateOptions } from './gate.ts';
import { createHelpers } from './helpers.ts';
import type { Kind } from './kinds.ts';
import type { Markdown } from './markdown.ts';
import { createOpening, isPrompt, type Opening, promptText } from './opening.ts';
import type { Palette } from './palette.ts';
import { planRows, promptRows, questionRows, thoughtRows } from './passages.ts';
import { screenWidth } from './screen.ts';
import { indentOf, remarkRows, type Sheet, wrapText } from './sheet.ts';
import { createTodos } from './todos.ts';
import { fitTo, widthOf } from './width.ts';
import { askText, troubleOf } from './words.ts';

export interface PrinterOptions extends GateOptions {
  /** How wide it may be; as the terminal is, unless told. */
  readonly columns?: number | undefined;
  /** Nothing is folded. */
  readonly full?: boolean | undefined;
  /** Only this; everything unless told. */
  readonly only?: ReadonlySet<Kind> | undefined;
  /** How texts are laid out; without it, they are printed as they come. */
  readonly markdown?: Markdown | undefined;
  /** What a sub-agent has spent. */
  readonly spent?: ((taskId: string) => Spent | undefined) | undefined;
  /** The first line, when it was begun before the printer was there. */
  readonly opening?: Opening | undefined;
  /** The time, for whoever looks on live. */
  readonly now?: (() => number) | undefined;
}

export interface Printer {
  print(event: AgentStreamEvent): string;
  /** What stands below: what is being written, and what is running. */
  live(): readonly string[];
  /** Whether a paragraph waits for its end although its block is over. */
  readonly isPending: boolean;
  /** What came in pieces, and is not printed yet: to be called when no more events are there. */
  flush(): string;
  /** Ends an unfinished line or paragraph: something else is to be written, or nothing came for a while. */
  endLine(): string;
  /** Tells what was held back, and ends an unfinished line. */
  close(): string;
  /** The terminal has another width now. */
  resize(columns: number): void;
  /** All lines that were added and removed. */
  readonly changed: LineCount;
}

const MEASURE = { width: widthOf, fit: fitTo };
const NARROWEST = 20;
/** Where nobody tells a width. */
const WITHOUT_TERMINAL = 100;

/** Events that a paragraph does not end at. */
const PASSING: ReadonlySet<string> = new Set([
  'text-start',
  'text-delta',
  'text-end',
  'usage-update',
  'session-update',
]);

/** So much is not waited for, in characters. */
const MANY_PIECES = 4_096;

/** As much of a thought as is shown while it goes on. */
const THOUGHT_LENGTH = 600;
const THOUGHT_ROWS = 3;

export function createPrinter(palette: Palette, options: PrinterOptions = {}): Printer {
  const gate = createGate(options);
  const sheet: Sheet = {
    palette,
    gate,
    markdown: options.markdown,
    columns: Math.max(NARROWEST, options.columns ?? screenWidth(WITHOUT_TERMINAL)),
    isFull: options.full ?? false,
    cwd: undefined,
  };
  const wants = (kind: Kind): boolean => options.only?.has(kind) ?? true;
  const opening = options.opening ?? createOpening(palette, gate);
  const calls = createCalls();
  const helpers = createHelpers();
  const cards = createCards(sheet, { wants, spent: options.spent });
  const todos = createTodos(sheet);
  const flow = options.markdown ? createFlow(sheet, options.markdown) : createPlainFlow();
  const streamed = new Set<string>();
  const changed = { added: 0, removed: 0 };
  /** What was printed last: paragraphs stand apart from what is before them. `said` is a text that is over. */
  let last: 'nothing' | 'head' | 'text' | 'said' | 'rows' = opening.isOver && !options.only ? 'head' : 'nothing';
  /** A card that waits for the next event: a change or a list may belong to it. */
  let waiting: Ended | undefined;
  /** Pieces of one block: they go through the gate together, which is quicker than one by one. */
  let pieces = '';
  let piecesOf = '';
  let thinking: { readonly since: number | undefined; text: string } | undefined;
  let openBlocks = 0;
  let prompts = 0;
  let hasSpoken = false; // the model, in this turn
  /** Its last whole text: turns may overlap, and the result of one come after the words of the next. */
  let lastSaid = '';

  /** Rows at their place: under a sub-agent's card when that is to come, else here. */
  function rows(shown: readonly string[], subagentId?: string): string {
    if (shown.length === 0) return '';
    const helper = helpers.of(subagentId);
    if (helper) {
      for (const row of shown) helper.rows.push(row);
      return '';
    }
    const before = endParagraph();
    const gap = last === 'head' ? '\n' : '';
    last = 'rows';
    return `${before}${gap}${shown.join('\n')}\n`;
  }

  /** The model's words, that came through the gate. */
  function say(text: string): string {
    hasSpoken = true;
    return wants('text') ? apart(flow.push(text)) : '';
  }

  function flush(): string {
    if (pieces === '') return '';
    const text = gate.piece(piecesOf, pieces);
    pieces = '';
    return text === '' ? '' : say(text);
  }

  function endParagraph(): string {
    const rest = apart(flow.end());
    if (last === 'text') last = 'said';
    return rest;
  }

  function apart(text: string): string {
    if (text === '') return '';
    const gap = last === 'text' || last === 'nothing' ? '' : '\n';
    last = 'text';
    return gap + text;
  }

  function remark(text: string, event: AgentStreamEvent, paint: (text: string) => string = palette.dim): string {
    return rows(remarkRows(sheet, text, paint, indentOf(helpers.depth(event.subagentId))), event.subagentId);
  }

  function text(event: EventOf<'text-end'>): string {
    if (event.subagentId !== undefined) {
      const said = event.text.trim();
      return said === '' || !wants('subagents') ? '' : remark(gate.line(said, 1_000), event);
    }
    lastSaid = event.text;
    piecesOf = '';
    if (streamed.delete(event.blockId)) return say(gate.rest(event.blockId));
    return event.text === '' ? '' : say(gate.text(event.text));
  }

  function thought(event: EventOf<'reasoning-end'>): string {
    const measuredMs = thinking?.since === undefined ? undefined : (options.now?.() ?? 0) - thinking.since;
    if (event.subagentId === undefined) thinking = undefined;
    gate.rest(event.blockId);
    if (!wants('reasoning') || (event.subagentId !== undefined && !sheet.isFull)) return '';
    const isOpen = sheet.isFull || options.only?.has('reasoning') === true;
    const depth = helpers.depth(event.subagentId);
    return rows(thoughtRows(sheet, event, { isOpen, depth, measuredMs }), event.subagentId);
  }

  function prompt(event: EventOf<'user-message'>): string {
    // The first one is the title; what the title cannot show stands below it.
    const text = prompts++ === 0 && opening.isTitled && !options.only ? opening.restOfPrompt() : promptText(event);
    if (text === undefined || text.trim() === '' || !wants('prompts')) return '';
    const before = endParagraph();
    const gap = last === 'said' || last === 'rows' ? '\n' : '';
    return before + gap + rows(promptRows(sheet, text));
  }

  /** The card that waited, with what the event adds to it. */
  function settle(event?: AgentStreamEvent): string {
    if (!waiting) return '';
    const ended = waiting;
    waiting = undefined;
    const isTheirs = event !== undefined && isOfCall(event, ended.event.toolCallId);
    // A list takes the place of the card of the call that keeps it.
    if (event?.type === 'todo-update' && isTheirs && ended.call.isTodo && wants('todos')) return '';
    const change = event?.type === 'file-change' && isTheirs && event.outcome === 'success' ? event : undefined;
    if (event?.type === 'task-end' && event.taskId === ended.helper?.taskId) ended.helper.end = event;
    const shown = cards.ended(ended, change);
    if (ended.helper?.isBackground) ended.helper.toolName = ended.event.toolName;
    else if (ended.helper) helpers.end(ended.helper);
    return rows(shown, ended.event.subagentId);
  }

  function callEnd(event: EventOf<'tool-call-end'>): string {
    const call = calls.end(event);
    // A mode that was entered or left is no card; that it could not be is one.
    if (call.kind === 'switch_mode' && event.outcome === 'success') return '';
    waiting = { event, call, helper: helpers.ofCall(event.toolCallId), depth: helpers.depth(event.subagentId) };
    return '';
  }

  function fileChange(event: EventOf<'file-change'>, isOnCard: boolean): string {
    if (event.outcome !== 'success') return '';
    for (const change of event.changes) {
      const count = countChange(change);
      changed.added += count?.added ?? 0;
      changed.removed += count?.removed ?? 0;
    }
    if (isOnCard || !wants('files')) return '';
    const indent = indentOf(helpers.depth(event.subagentId)) + 2;
    return rows(
      event.changes.flatMap((change) => changeRows(sheet, change, indent)),
      event.subagentId,
    );
  }

  function taskEnd(event: EventOf<'task-end'>): string {
    const helper = helpers.of(event.taskId);
    if (!helper) return '';
    if (helper.toolCallId !== undefined && calls.of(helper.toolCallId)) {
      // Its call is still open, and brings the card.
      helper.end = event;
      return '';
    }
    helpers.end(helper);
    return wants('subagents') ? rows(cards.back(helper, event), event.subagentId) : '';
  }

  function turnEnd(event: EventOf<'turn-end'>): string {
    // A stream that shows no text of its own has it in its result.
    const isUnsaid = !hasSpoken && event.outcome === 'success' && event.structured === undefined;
    const said = isUnsaid && event.result && event.result !== lastSaid ? say(gate.text(event.result)) : '';
    const value = event.structured === undefined ? '' : gate.text(JSON.stringify(event.structured, undefined, 2) ?? '');
    const answer = value === '' ? '' : say(options.markdown === undefined ? value : `\`\`\`\n${value}\n\`\`\`\n`);
    hasSpoken = false;
    return said + answer + endParagraph() + trouble(event);
  }

  function trouble(event: AgentStreamEvent): string {
    const found = wants('trouble') ? troubleOf(event, gate) : undefined;
    return found === undefined ? '' : remark(found.text, event, found.isBad ? palette.bad : palette.dim);
  }

  function show(event: AgentStreamEvent, isOnCard: boolean): string {
    switch (event.type) {
      case 'session-start':
      case 'session-update':
        sheet.cwd ??= event.cwd;
        return '';
      case 'text-start':
        if (event.subagentId === undefined) openBlocks++;
        return '';
      case 'text-delta':
        // What a sub-agent says is a row of its own when it is whole.
        if (event.subagentId !== undefined) return '';
        if (piecesOf !== event.blockId) {
          streamed.add(event.blockId);
          piecesOf = event.blockId;
        }
        pieces += event.delta;
        return pieces.length < MANY_PIECES ? '' : flush();
      case 'text-end':
        if (event.subagentId === undefined) openBlocks = Math.max(0, openBlocks - 1);
        return text(event);
      case 'reasoning-start':
        if (event.subagentId === undefined) thinking = { since: options.now?.(), text: '' };
        return '';
      case 'reasoning-delta':
        // Only whoever looks on live reads along.
        if (options.now && thinking && event.subagentId === undefined)
          thinking.text = (thinking.text + gate.piece(event.blockId, event.delta)).slice(-THOUGHT_LENGTH);
        return '';
      case 'reasoning-end':
        return thought(event);
      case 'user-message':
        return isPrompt(event) ? prompt(event) : '';
      case 'tool-call-start':
        calls.start(event, options.now?.());
        return '';
      case 'tool-call-input-end':
      case 'tool-call-update':
        calls.update(event);
        return '';
      case 'tool-call-end':
        return callEnd(event);
      case 'task-start':
        helpers.start(event);
        return '';
      case 'task-update':
        helpers.update(event);
        return '';
      case 'task-end':
        return taskEnd(event);
      case 'file-change':
        return fileChange(event, isOnCard);
      case 'turn-end':
        return turnEnd(event);
      case 'todo-update': {
        const indent = indentOf(helpers.depth(event.subagentId)) + 2;
        return wants('todos') ? rows(todos.changed(event, indent), event.subagentId) : '';
      }
      case 'plan-update':
        return event.text === undefined || !wants('text') ? '' : rows(planRows(sheet, event.text), event.subagentId);
      // Not under a card that is still to come: it waits now.
      case 'permission-request':
        return rows(questionRows(sheet, askText(event), 0));
      case 'question-request':
        return rows(questionRows(sheet, event.message, 0));
      default:
        return trouble(event);
    }
  }

  function liveThought(): readonly string[] {
    if (!thinking || !wants('reasoning')) return [];
    const shown = wrapText(thinking.text.trim(), sheet.columns - 4, palette).slice(-THOUGHT_ROWS);
    return (shown.length === 0 ? ['thinking'] : shown).map((row) => `  ${palette.dim(`┊ ${row}`.trimEnd())}`);
  }

  function running(): readonly string[] {
    const now = options.now?.() ?? 0;
    return [...calls.open()].flatMap(([id, call]) => {
      const helper = helpers.ofCall(id);
      if (!wants(helper ? 'subagents' : 'tools') || call.kind === 'switch_mode' || call.isTodo) return [];
      return cards.running(call, helper, helpers.depth(call.subagentId), now);
    });
  }

  function printWhole(event: AgentStreamEvent): string {
    const line = opening.add(event, sheet.columns, MEASURE);
    const head = options.only ? '' : line;
    if (head !== '') last = 'head';
    const hadCard = waiting !== undefined;
    const card = settle(event);
    const isOnCard = hadCard && card !== '' && event.type === 'file-change';
    const paragraph = event.subagentId === undefined && !PASSING.has(event.type) ? endParagraph() : '';
    return head + card + paragraph + show(event, isOnCard);
  }

  return {
    print(event) {
      const isPiece = event.type === 'text-delta' && event.blockId === piecesOf && !waiting;
      return isPiece ? show(event, false) : flush() + printWhole(event);
    },
    flush,
    live() {
      const draft = options.only ? '' : opening.draft(sheet.columns, MEASURE).trimEnd();
      const open = flow.open();
      const gap = open.length > 0 && last !== 'text' && last !== 'nothing' ? [''] : [];
      const rows = [...liveThought(), ...gap, ...open, ...running()];
      return draft === '' ? rows : [draft, '', ...rows];
    },
    get isPending() {
      return openBlocks === 0 && flow.isOpen;
    },
    endLine: () => flush() + settle() + endParagraph(),
    close() {
      const before = flush();
      const left = gate.open().map((blockId) => gate.rest(blockId));
      return before + settle() + (left.join('') === '' ? '' : say(left.join(''))) + endParagraph();
    },
    resize(columns) {
      sheet.columns = Math.max(NARROWEST, columns);
    },
    changed,
  };
}
