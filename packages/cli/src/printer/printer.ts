// Events → text for a terminal or a pipe, as they come. What is printed stands for good; what is not whole yet, a paragraph or a
// call that is running, can be asked for and drawn below it. What a sub-agent does stands under its card; trouble is a small
// row at its place.

import type { AgentStreamEvent, EventOf } from '@tailrace/core';
import { createCalls } from './calls.ts';
import { createCards, type Ended, isOfCall, kindOf, type Spent } from './cards.ts';
import { changeRows } from './diff.ts';
import { createFlow, createPlainFlow } from './flow.ts';
import { createGate, type GateOptions } from './gate.ts';
import { createHelpers, type Helper } from './helpers.ts';
import { createInjected } from './injected.ts';
import type { Kind } from './kinds.ts';
import { createLineCounter, type LineCount } from './line-count.ts';
import type { Markdown } from './markdown.ts';
import { createOpening, isPrompt, type Opening, promptText } from './opening.ts';
import type { Palette } from './palette.ts';
import { askedRows, planRows, promptRows, questionRows, thoughtRows, toldRows } from './passages.ts';
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
  const calls = createCalls();
  const helpers = createHelpers();
  const cards = createCards(sheet, { wants, spent: options.spent });
  const todos = createTodos(sheet);
  const flow = options.markdown ? createFlow(sheet, options.markdown) : createPlainFlow();
  const injected = createInjected();
  const streamed = new Set<string>();
  const counter = createLineCounter();
  /** Which call asks, by the request. */
  const askers = new Map<string, string>();
  /** Calls whose card was printed with that of their sub-agent. */
  const lost = new Set<string>();
  /** What was printed last: paragraphs stand apart from what is before them. `said` is a text that is over. */
  let last: 'nothing' | 'head' | 'text' | 'said' | 'rows' = opening.isOver && !options.only ? 'head' : 'nothing';
  /** A card that waits for the next event: a change or a list may belong to it. */
  let waiting: Ended | undefined;
  /** Whether the change that is told now stands on a card. */
  let isOnCard = false;
  /** Pieces of one block: they go through the gate together, which is quicker than one by one. */
  let pieces = '';
  let piecesOf = '';
  let thinking: { readonly since: number | undefined; text: string } | undefined;
  let openBlocks = 0;
  let prompts = 0;
  let hasSpoken = false; // the model, in this turn
  /** Its last whole text: turns may overlap, and the result of one come after the words of the next. */
  let lastSaid = '';
  let lastPrompt: string | undefined;
  /** The trouble that was printed last, as long as nothing else was. */
  let lastTrouble: string | undefined;
  let noticeLine: number | undefined;
  let sessionId: string | undefined;
  /** Whose rows were printed last, of those that came after their card. */
  let lateOf: string | undefined;

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
    const past = subagentId === undefined || subagentId === lateOf ? undefined : helpers.past(subagentId);
    beSettled('rows');
    lateOf = subagentId;
    return `${before}${gap}${past ? `${cards.late(past, helpers.depth(past.parent))}\n` : ''}${shown.join('\n')}\n`;
  }

  /** Something was printed, and what was before it is no longer the last. */
  function beSettled(by: typeof last): void {
    last = by;
    lastTrouble = undefined;
    lastPrompt = undefined;
    lateOf = undefined;
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
    beSettled('text');
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
    // Prompts that waited are taken up together: the first of them stands there already.
    const isMore = lastPrompt !== undefined && text.startsWith(`${lastPrompt}\n`);
    const shown = rows(promptRows(sheet, isMore ? text.slice(lastPrompt?.length) : text));
    lastPrompt = text;
    return before + gap + shown;
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
    const { helper } = ended;
    if (event?.type === 'task-end' && event.taskId === helper?.taskId) helper.end = event;
    // Its call is over, and it is not.
    if (helper && ended.isEarly && !helper.end) helper.isBackground = true;
    if (helper) helper.toolName = ended.event.toolName;
    if (helper && ended.event.outcome !== 'success') helper.rows.push(...lostRows(helper));
    const shown = cards.ended(ended, change);
    isOnCard = change !== undefined && shown.length > 0;
    const printed = rows(shown, ended.event.subagentId);
    if (helper && !helper.isBackground) endHelper(helper);
    return printed;
  }

  /** What it still does comes late; right below its card that need not be said. */
  function endHelper(helper: Helper): void {
    helpers.end(helper);
    lateOf = helper.taskId;
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

  function callEnd(event: EventOf<'tool-call-end'>): string {
    const call = calls.end(event);
    // A mode that was entered or left is no card; that it could not be is one.
    if (call.kind === 'switch_mode' && event.outcome === 'success' && !call.isAllowed) return '';
    if (lost.delete(event.toolCallId) && event.synthetic) return '';
    const found = helpers.ofCall(event.toolCallId);
    // A command that is over already is a call like any other.
    const helper = found?.isCommand && found.end ? undefined : found;
    waiting = { event, call, helper, depth: helpers.depth(event.subagentId), isEarly: false };
    return '';
  }

  function fileChange(event: EventOf<'file-change'>): string {
    if (event.outcome !== 'success' || !wants('files')) return '';
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
    const printed = wants(kindOf(helper))
      ? rows(cards.back(helper, event, helpers.depth(helper.parent)), event.subagentId)
      : '';
    endHelper(helper);
    return printed;
  }

  function turnEnd(event: EventOf<'turn-end'>): string {
    // A stream that shows no text of its own has it in its result.
    const isUnsaid = !hasSpoken && event.outcome === 'success' && event.structured === undefined;
    const isNew = event.result !== lastSaid && inWords(event.result ?? '') !== lastTrouble;
    const said = isUnsaid && event.result && isNew ? say(gate.text(event.result)) : '';
    const value = event.structured === undefined ? '' : gate.text(JSON.stringify(event.structured, undefined, 2) ?? '');
    const answer = value === '' ? '' : say(options.markdown === undefined ? value : `\`\`\`\n${value}\n\`\`\`\n`);
    hasSpoken = false;
    return said + answer + endParagraph() + trouble(event);
  }

  function trouble(event: AgentStreamEvent): string {
    const found = wants('trouble') ? troubleOf(event, gate) : undefined;
    if (found === undefined || isTold(event)) return '';
    const shown = remark(found.text, event, found.isBad ? palette.bad : palette.dim);
    noticeLine = event.type === 'notice' ? event.line : undefined;
    if (event.subagentId === undefined && found.source !== undefined) lastTrouble = inWords(found.source);
    return shown;
  }

  /** Whether the row before says the same. */
  function isTold(event: AgentStreamEvent): boolean {
    if (event.type === 'compaction-end')
      return event.outcome !== 'success' && event.line !== undefined && event.line === noticeLine;
    return event.type === 'turn-end' && event.error !== undefined && inWords(event.error.message) === lastTrouble;
  }

  /** Whoever is asked may be a call. */
  function ask(event: EventOf<'permission-request' | 'question-request'>): void {
    if (event.toolCallId !== undefined) askers.set(event.requestId, event.toolCallId);
  }

  function answered(event: EventOf<'permission-resolve' | 'question-resolve'>): void {
    const toolCallId = askers.get(event.requestId ?? '');
    askers.delete(event.requestId ?? '');
    if (toolCallId === undefined) return;
    if (event.type === 'question-resolve') calls.answer(toolCallId, event.answer);
    const call = calls.of(toolCallId);
    if (call && event.type === 'permission-resolve') call.isAllowed = event.decision === 'allowed';
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
        calls.start(event, options.now?.());
        return '';
      case 'tool-call-input-end':
      case 'tool-call-update':
        calls.update(event);
        return '';
      case 'tool-call-end':
        return callEnd(event);
      case 'task-start':
        helpers.start(event, event.toolCallId === undefined ? undefined : calls.of(event.toolCallId)?.title);
        return '';
      case 'task-update':
        helpers.update(event);
        return '';
      case 'task-end':
        return taskEnd(event);
      case 'file-change':
        counter.add(event);
        return isOnCard ? '' : fileChange(event);
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
        ask(event);
        return rows(questionRows(sheet, askText(event), 0));
      case 'question-request':
        ask(event);
        return rows(askedRows(sheet, event));
      case 'permission-resolve':
      case 'question-resolve':
        answered(event);
        return trouble(event);
      default:
        return trouble(event);
    }
  }

  function endLine(): string {
    return flush() + settle() + endParagraph();
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
      if (!wants(kindOf(helper)) || call.kind === 'switch_mode' || call.isTodo) return [];
      return cards.running(call, helper, helpers.depth(call.subagentId), now);
    });
  }

  function printWhole(event: AgentStreamEvent): string {
    const line = opening.add(event, sheet.columns, MEASURE);
    const head = options.only ? '' : line;
    if (head !== '') last = 'head';
    isOnCard = false;
    // A session's own file tells of a sub-agent when its call is over.
    if (event.type === 'task-start' && waiting && event.toolCallId === waiting.event.toolCallId) {
      helpers.start(event, waiting.call.title);
      waiting = { ...waiting, helper: helpers.of(event.taskId), isEarly: true };
      return head;
    }
    if (event.type === 'task-update' && event.taskId === waiting?.helper?.taskId) helpers.update(event);
    const card = settle(event);
    // What stands in tags is markup for the model.
    const told = injected.before(event).filter((text) => sheet.isFull || !text.startsWith('<'));
    const paragraph =
      event.subagentId === undefined && (told.length > 0 || !PASSING.has(event.type)) ? endParagraph() : '';
    const why = wants('trouble') ? rows(told.flatMap((text) => toldRows(sheet, text))) : '';
    return head + card + paragraph + why + show(event);
  }

  return {
    print(event) {
      const isPiece = event.type === 'text-delta' && event.blockId === piecesOf && !waiting;
      return isPiece ? show(event) : flush() + printWhole(event);
    },
    flush,
    live() {
      const draft = options.only ? '' : opening.draft(sheet.columns, MEASURE).trimEnd();
      const open = flow.open();
      const gap = open.length > 0 && last !== 'text' && last !== 'nothing' ? [''] : [];
      // A call that is over has its card at once, though what belongs to it may still come.
      const over = waiting && !waiting.call.isTodo && waiting.depth === 0 ? cards.ended(waiting, undefined) : [];
      const rows = [...over, ...liveThought(), ...gap, ...open, ...running()];
      return draft === '' ? rows : [draft, '', ...rows];
    },
    get isPending() {
      return openBlocks === 0 && (flow.isOpen || waiting !== undefined);
    },
    endLine,
    note: (text) => endLine() + (wants('trouble') ? rows(remarkRows(sheet, text, palette.dim, indentOf(0))) : ''),
    close() {
      const before = flush();
      const left = gate.open().map((blockId) => gate.rest(blockId));
      return before + settle() + (left.join('') === '' ? '' : say(left.join(''))) + endParagraph();
    },
    resize(columns) {
      sheet.columns = Math.max(NARROWEST, columns);
    },
    changed: counter.lines,
    told: (message) => lastTrouble !== undefined && inWords(message) === lastTrouble,
  };
}

/** A text without what is only layout in it. */
function inWords(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(' ');
}
