// Events → text for a terminal or a pipe, as they come. What is printed stands for good; what is not whole yet, a paragraph or a
// call that is running, can be asked for and drawn below it. What a sub-agent does stands under its card; trouble is a small
// row at its place.

import type { AgentStreamEvent, EventOf } from '@tailrace/core';
import { createCards, type Spent } from './cards.ts';
import { createFlow, createPlainFlow } from './flow.ts';
import { createGate, type GateOptions } from './gate.ts';
import { createHelpers } from './helpers.ts';
import { createInjected } from './injected.ts';
import type { Kind } from './kinds.ts';
import { createLineCounter, type LineCount } from './line-count.ts';
import type { Markdown } from './markdown.ts';
import { createOpening, isPrompt, type Opening, promptText } from './opening.ts';
import { createPage } from './page.ts';
import type { Palette } from './palette.ts';
import { askedRows, planRows, questionRows, thoughtRows, toldRows } from './passages.ts';
import { screenWidth } from './screen.ts';
import { indentOf, remarkRows, type Sheet, wrapText } from './sheet.ts';
import { fitTo, widthOf } from './width.ts';
import { askText, troubleOf } from './words.ts';
import { createWork } from './work.ts';

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
  /** Whether something waits for what comes next: a paragraph whose block is over, or the card of a call that is. */
  readonly isPending: boolean;
  /** What came in pieces, and is not printed yet: to be called when no more events are there. */
  flush(): string;
  /** Ends an unfinished line or paragraph: something else is to be written, or nothing came for a while. */
  endLine(): string;
  /** A quiet row of our own: nothing that came from an agent. */
  note(text: string): string;
  /** Tells what was held back, and ends an unfinished line. */
  close(): string;
  /** The terminal has another width now. */
  resize(columns: number): void;
  /** All lines that were added and removed. */
  readonly changed: LineCount;
  /** Whether this trouble is what was printed last. */
  told(message: string): boolean;
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

/** Pieces that add nothing to what is printed. */
const UNSEEN: ReadonlySet<string> = new Set(['reasoning-delta', 'tool-call-input-delta']);

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
    names: new Map(),
    cwd: undefined,
  };
  const wants = (kind: Kind): boolean => options.only?.has(kind) ?? true;
  const opening = options.opening ?? createOpening(palette, gate);
  const helpers = createHelpers();
  const cards = createCards(sheet, { wants, spent: options.spent });
  const flow = options.markdown ? createFlow(sheet, options.markdown) : createPlainFlow();
  const page = createPage({ sheet, flow, helpers, cards });
  const work = createWork({ sheet, page, helpers, cards, wants, now: options.now });
  const injected = createInjected();
  const streamed = new Set<string>();
  const counter = createLineCounter();
  /** Pieces of one block: they go through the gate together, which is quicker than one by one. */
  let pieces = '';
  let piecesOf = '';
  let thinking: { readonly since: number | undefined; text: string } | undefined;
  let openBlocks = 0;
  let prompts = 0;
  let hasSpoken = false; // the model, in this turn
  /** Its last whole text: turns may overlap, and the result of one come after the words of the next. */
  let lastSaid = '';
  let noticeLine: number | undefined;
  let sessionId: string | undefined;
  if (opening.isOver && !options.only) page.begin();

  /** The model's words, that came through the gate. */
  function say(text: string): string {
    hasSpoken = true;
    return wants('text') ? page.text(text) : '';
  }

  function flush(): string {
    if (pieces === '') return '';
    const text = gate.piece(piecesOf, pieces);
    pieces = '';
    return text === '' ? '' : say(text);
  }

  function remark(text: string, event: AgentStreamEvent, paint: (text: string) => string = palette.dim): string {
    return page.rows(remarkRows(sheet, text, paint, indentOf(helpers.depth(event.subagentId))), event.subagentId);
  }

  function text(event: EventOf<'text-end'>): string {
    if (event.subagentId !== undefined) {
      const said = event.text.trim();
      if (said === '' || !wants('subagents')) return '';
      const helper = helpers.of(event.subagentId);
      if (helper) helper.hasSpoken = true;
      return remark(gate.line(said, 1_000), event);
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
    return page.rows(thoughtRows(sheet, event, { isOpen, depth, measuredMs }), event.subagentId);
  }

  function prompt(event: EventOf<'user-message'>): string {
    // The first one is the title; what the title cannot show stands below it.
    const text = prompts++ === 0 && opening.isTitled && !options.only ? opening.restOfPrompt() : promptText(event);
    if (text === undefined || text.trim() === '' || !wants('prompts')) return '';
    return page.prompt(text);
  }

  function turnEnd(event: EventOf<'turn-end'>): string {
    // A stream that shows no text of its own has it in its result.
    const isUnsaid = !hasSpoken && event.outcome === 'success' && event.structured === undefined;
    const isNew = event.result !== lastSaid && !page.told(event.result ?? '');
    const said = isUnsaid && event.result && isNew ? say(gate.text(event.result)) : '';
    const value = event.structured === undefined ? '' : gate.text(JSON.stringify(event.structured, undefined, 2) ?? '');
    const answer = value === '' ? '' : say(options.markdown === undefined ? value : `\`\`\`\n${value}\n\`\`\`\n`);
    hasSpoken = false;
    return said + answer + page.endParagraph() + trouble(event);
  }

  function trouble(event: AgentStreamEvent): string {
    const found = wants('trouble') ? troubleOf(event, gate) : undefined;
    if (found === undefined || isTold(event)) return '';
    const shown = remark(found.text, event, found.isBad ? palette.bad : palette.dim);
    noticeLine = event.type === 'notice' ? event.line : undefined;
    if (event.subagentId === undefined && found.source !== undefined) page.recall(found.source);
    return shown;
  }

  /** Whether the row before says the same. */
  function isTold(event: AgentStreamEvent): boolean {
    if (event.type === 'compaction-end')
      return event.outcome !== 'success' && event.line !== undefined && event.line === noticeLine;
    return event.type === 'turn-end' && event.error !== undefined && page.told(event.error.message);
  }

  function turnStart(event: EventOf<'turn-start'>): string {
    const isOther = sessionId !== undefined && event.sessionId !== undefined && sessionId !== event.sessionId;
    sessionId = event.sessionId ?? sessionId;
    return isOther && wants('trouble') ? remark('── a new session ──', event) : '';
  }

  function show(event: AgentStreamEvent): string {
    switch (event.type) {
      case 'turn-start':
        return turnStart(event);
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
      case 'tool-call-input-end':
      case 'tool-call-update':
      case 'tool-call-end':
      case 'task-start':
      case 'task-update':
      case 'task-end':
      case 'todo-update':
        return work.add(event);
      case 'file-change':
        counter.add(event);
        return work.add(event);
      case 'turn-end':
        return turnEnd(event);
      case 'plan-update':
        return event.text === undefined || !wants('text')
          ? ''
          : page.rows(planRows(sheet, event.text), event.subagentId);
      // Not under a card that is still to come: it waits now.
      case 'permission-request':
        work.ask(event);
        return page.rows(questionRows(sheet, askText(event), 0));
      case 'question-request':
        work.ask(event);
        return page.rows(askedRows(sheet, event));
      case 'permission-resolve':
      case 'question-resolve':
        work.answer(event);
        return trouble(event);
      default:
        return trouble(event);
    }
  }

  function endLine(): string {
    return flush() + work.settle() + page.endParagraph();
  }

  function liveThought(): readonly string[] {
    if (!thinking || !wants('reasoning')) return [];
    const shown = wrapText(thinking.text.trim(), sheet.columns - 4, palette).slice(-THOUGHT_ROWS);
    return (shown.length === 0 ? ['thinking'] : shown).map((row) => `  ${palette.dim(`┊ ${row}`.trimEnd())}`);
  }

  function printWhole(event: AgentStreamEvent): string {
    const line = opening.add(event, sheet.columns, MEASURE);
    const head = options.only ? '' : line;
    if (head !== '') page.begin();
    if (work.takes(event)) return head;
    const card = work.settle(event);
    // What stands in tags is markup for the model.
    const told = injected.before(event).filter((text) => sheet.isFull || !text.startsWith('<'));
    const paragraph =
      event.subagentId === undefined && (told.length > 0 || !PASSING.has(event.type)) ? page.endParagraph() : '';
    const why = wants('trouble') ? page.rows(told.flatMap((text) => toldRows(sheet, text))) : '';
    return head + card + paragraph + why + show(event);
  }

  return {
    print(event) {
      if (!work.isWaiting) {
        if (event.type === 'text-delta' && event.blockId === piecesOf) return show(event);
        // Most of a stream are pieces of what nobody sees before it is whole.
        if (UNSEEN.has(event.type) && !options.now && opening.isOver) return '';
      }
      return flush() + printWhole(event);
    },
    flush,
    live() {
      const draft = options.only ? '' : opening.draft(sheet.columns, MEASURE).trimEnd();
      const open = flow.open();
      const gap = open.length > 0 && page.isApart ? [''] : [];
      // A call that is over has its card at once, though what belongs to it may still come.
      const rows = [...work.over(), ...liveThought(), ...gap, ...open, ...work.running()];
      return draft === '' ? rows : [draft, '', ...rows];
    },
    get isPending() {
      return openBlocks === 0 && (flow.isOpen || work.isWaiting);
    },
    endLine,
    note: (text) => endLine() + (wants('trouble') ? page.rows(remarkRows(sheet, text, palette.dim, indentOf(0))) : ''),
    close() {
      const before = flush();
      const left = gate.open().map((blockId) => gate.rest(blockId));
      return before + work.settle() + (left.join('') === '' ? '' : say(left.join(''))) + page.endParagraph();
    },
    resize(columns) {
      sheet.columns = Math.max(NARROWEST, columns);
    },
    changed: counter.lines,
    told: page.told,
  };
}
