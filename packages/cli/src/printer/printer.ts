// Events → text for a terminal or a pipe, as they come. Text streams; a call is one line when it is over; what a sub-agent
// does stands indented; trouble is a small line at its place.

import { type AgentStreamEvent, type EventOf, type FileChange, type Outcome, showDuration } from '@tailrace/core';
import { cleanLine } from './clean.ts';
import { createGate, type GateOptions } from './gate.ts';
import type { Palette } from './palette.ts';

export interface Printer {
  print(event: AgentStreamEvent): string;
  /** Ends an unfinished line: something else is to be written. */
  endLine(): string;
  /** Tells what was held back, and ends an unfinished line. */
  close(): string;
}

const TITLE_WIDTH = 60;
const ERROR_WIDTH = 100;
const DIFF_LINES = 6;

export function createPrinter(palette: Palette, options: GateOptions = {}): Printer {
  const gate = createGate(options);
  const titles = new Map<string, string>();
  const streamed = new Set<string>();
  const todoStates = new Map<string, string>();
  /** Calls that may keep the todo list. */
  const todoCalls = new Set<string>();
  /** The card of such a call waits for what comes next: where that is the list itself, the list is shown. */
  let waiting: { readonly toolCallId: string; readonly card: string } | undefined;
  /** The line that is being written: nothing, the model's text, or its reasoning. */
  let flow: '' | 'text' | 'reasoning' = '';
  let atLineStart = true;
  let hasHead = false;
  let hasSpoken = false; // the model, in this turn
  /** Its last whole text: turns may overlap, and the result of one come after the words of the next. */
  let lastSaid = '';

  /** A line of its own, after whatever was flowing. */
  function row(text: string, event?: AgentStreamEvent): string {
    const before = breakFlow();
    return `${before}${indent(event)}${text}\n`;
  }

  function breakFlow(): string {
    const needed = flow !== '' && !atLineStart;
    flow = '';
    atLineStart = true;
    return needed ? '\n' : '';
  }

  /** Text that came through the gate. */
  function pour(kind: 'text' | 'reasoning', text: string): string {
    const before = flow === kind ? '' : `${breakFlow()}${kind === 'text' ? '\n' : ''}`;
    flow = kind;
    if (kind === 'text') hasSpoken = true;
    if (text !== '') atLineStart = text.endsWith('\n');
    return before + (kind === 'reasoning' ? palette.dim(text) : text);
  }

  function whole(kind: 'text' | 'reasoning', event: EventOf<'text-end' | 'reasoning-end'>): string {
    if (event.subagentId !== undefined)
      return event.text === '' ? '' : row(palette.dim(gate.line(event.text, ERROR_WIDTH)), event);
    const shown = streamed.delete(event.blockId) ? gate.rest(event.blockId) : gate.text(event.text);
    return shown === '' ? '' : pour(kind, shown);
  }

  /** What was held back of blocks that nobody has ended. */
  function leftOver(): string {
    const shown = gate.open().map((blockId) => gate.rest(blockId));
    return shown.join('') === '' ? '' : pour(flow === '' ? 'text' : flow, shown.join(''));
  }

  function head(event: EventOf<'session-start' | 'session-update'>): string {
    if (hasHead || event.model === undefined) return '';
    hasHead = true;
    const folder = event.cwd?.split('/').at(-1);
    return row(
      `${palette.bold('●')} ${palette.dim(gate.line([event.model, folder].filter(Boolean).join(' · '), TITLE_WIDTH))}`,
    );
  }

  /** The newest title of a call counts, whichever event brings it. */
  function entitle(event: EventOf<'tool-call-start' | 'tool-call-input-end' | 'tool-call-update'>): string {
    if (event.title !== undefined) titles.set(event.toolCallId, event.title);
    return '';
  }

  function card(event: EventOf<'tool-call-end'>): string {
    const title = titles.get(event.toolCallId) ?? '';
    titles.delete(event.toolCallId);
    const notes = [word(event), showDuration(event.durationMs)].filter(Boolean).join('  ');
    const line = `  ${sign(event.outcome)} ${palette.bold(gate.line(event.toolName, 30))}  ${gate.line(title, TITLE_WIDTH)}`;
    const failure = event.outcome === 'success' ? '' : (event.error?.message ?? '');
    const head = row(`${line}${notes ? `  ${palette.dim(notes)}` : ''}`, event);
    const card = head + (failure ? row(`      ${palette.dim(gate.line(failure, ERROR_WIDTH))}`, event) : '');
    if (!todoCalls.delete(event.toolCallId) || event.outcome !== 'success') return card;
    waiting = { toolCallId: event.toolCallId, card };
    return '';
  }

  /** The card that waited, unless this is the list that takes its place. */
  function waited(event: AgentStreamEvent | undefined): string {
    if (!waiting) return '';
    const { toolCallId, card } = waiting;
    waiting = undefined;
    return event?.type === 'todo-update' && (event.toolCallId ?? toolCallId) === toolCallId ? '' : card;
  }

  function word(event: EventOf<'tool-call-end'>): string {
    if (event.exitCode) return `exit ${event.exitCode}`;
    return event.outcome === 'success' ? '' : event.outcome;
  }

  function sign(outcome: Outcome): string {
    if (outcome === 'success') return palette.good('✓');
    return outcome === 'unknown' ? palette.dim('?') : palette.bad('✖');
  }

  function diff(event: EventOf<'file-change'>): string {
    return event.changes.map((change) => oneDiff(event, change)).join('');
  }

  function oneDiff(event: EventOf<'file-change'>, { path, patch, newText, operation }: FileChange): string {
    const added = operation === 'add' && newText ? newText.replace(/\n$/, '').split('\n') : [];
    const rows = patch ? patch.split('\n').filter((line) => /^[+-]/.test(line)) : added.map((line) => `+${line}`);
    const plus = rows.filter((line) => line.startsWith('+')).length;
    const counts = rows.length === 0 ? '' : ` +${plus} −${rows.length - plus}`;
    const head = row(`    ${palette.dim(`${operation} ${gate.line(path, TITLE_WIDTH)}${counts}`)}`, event);
    const first = rows.slice(0, DIFF_LINES);
    const texts = gate.lines(
      first.map((line) => line.slice(1)),
      ERROR_WIDTH - 1,
    );
    const shown = first.map((line, at) => {
      const isAdded = line.startsWith('+');
      const text = `      ${isAdded ? '+' : '-'}${texts[at]}`;
      return row(isAdded ? palette.good(text) : palette.bad(text), event);
    });
    const left = rows.length - DIFF_LINES;
    return head + shown.join('') + (left > 0 ? row(palette.dim(`      … ${left} more lines`), event) : '');
  }

  /** Only what is new in the list: it is told whole each time. */
  function todos(event: EventOf<'todo-update'>): string {
    const marks = { pending: '○', in_progress: '●', completed: '✓', cancelled: '–' };
    const changed = event.entries.filter(({ content, status }) => todoStates.get(content) !== status);
    for (const { content, status } of changed) todoStates.set(content, status);
    return changed
      .map(({ content, status }) => row(`    ${marks[status]} ${gate.line(content, TITLE_WIDTH)}`, event))
      .join('');
  }

  function show(event: AgentStreamEvent): string {
    switch (event.type) {
      case 'session-start':
      case 'session-update':
        return head(event);
      case 'message-start':
        // Another answer begins a paragraph; blocks of one answer may go on in the middle of a sentence.
        return event.subagentId === undefined ? breakFlow() : '';
      case 'text-delta':
      case 'reasoning-delta':
        // What a sub-agent says is a line of its own when it is whole.
        if (event.subagentId !== undefined) return '';
        streamed.add(event.blockId);
        return pour(event.type === 'text-delta' ? 'text' : 'reasoning', gate.piece(event.blockId, event.delta));
      case 'text-end':
        if (event.subagentId === undefined) lastSaid = event.text;
        return whole('text', event);
      case 'reasoning-end':
        return whole('reasoning', event);
      case 'user-message': {
        if (event.origin === 'injected' || event.subagentId !== undefined) return '';
        const text = event.content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join(' ');
        return row(`${palette.bold('You')}  ${gate.text(text)}`);
      }
      case 'tool-call-start':
        if (event.tags?.includes('todo')) todoCalls.add(event.toolCallId);
        return entitle(event);
      case 'tool-call-input-end':
      case 'tool-call-update':
        return entitle(event);
      case 'tool-call-end':
        return card(event);
      case 'task-end': {
        if (event.outcome !== 'error') return '';
        const why = event.error?.message ?? 'no reason given';
        return row(palette.bad(`    ✖ the task failed: ${gate.line(why, ERROR_WIDTH)}`), event);
      }
      case 'run-state':
        return event.state === 'stalled'
          ? row(palette.dim(`  ⚠ stalled: ${gate.line(event.reason ?? '', ERROR_WIDTH)}`))
          : '';
      case 'file-change':
        return diff(event);
      case 'turn-end': {
        // A stream that shows no text of its own has it in its result.
        const isUnsaid = !hasSpoken && event.outcome === 'success' && event.structured === undefined;
        hasSpoken = false;
        return isUnsaid && event.result && event.result !== lastSaid ? pour('text', gate.text(event.result)) : '';
      }
      case 'todo-update':
        return todos(event);
      // What waits for an answer is shown as it is: nobody can approve what they do not see.
      case 'permission-request':
        return row(
          palette.waiting(
            `  ? ${cleanLine(event.toolName ?? 'a tool', 30)} asks: ${cleanLine(event.title ?? '', TITLE_WIDTH)}`,
          ),
          event,
        );
      case 'question-request':
        return row(palette.waiting(`  ? ${cleanLine(event.message, ERROR_WIDTH)}`), event);
      case 'plan-update':
        return event.text === undefined ? '' : row(palette.dim(`  plan: ${gate.line(event.text, ERROR_WIDTH)}`), event);
      case 'retry-start':
        return row(
          palette.dim(
            `  ⚠ ${event.error?.code ?? 'error'}, trying again (${event.attempt} of ${event.maxAttempts ?? '?'})`,
          ),
        );
      case 'compaction-end':
        return row(
          palette.dim(
            `  ── context compacted${event.tokensBefore === undefined ? '' : ` from ${event.tokensBefore} tokens`} ──`,
          ),
        );
      case 'message-retract':
        return row(palette.dim(`  (the last answer was taken back: ${gate.line(event.reason, TITLE_WIDTH)})`), event);
      case 'error':
        return row(palette.bad(`  ✖ ${gate.line(event.error.message, ERROR_WIDTH)}`), event);
      case 'notice':
        return event.severity === 'info' ? '' : row(palette.dim(`  ⚠ ${gate.line(event.title, ERROR_WIDTH)}`), event);
      case 'raw':
        return raw(event);
      default:
        return '';
    }
  }

  /** What could not be read is shown for what it is: a banner as text, the rest as a remark. */
  function raw(event: EventOf<'raw'>): string {
    switch (event.reason) {
      case 'no_counterpart':
        return '';
      case 'not_json':
        return row(palette.dim(`  ${gate.line(event.text ?? '', ERROR_WIDTH)}`));
      case 'unknown_type':
      case 'unknown_block':
        return row(palette.dim(`  (unknown, line ${event.line}) ${gate.line(jsonOf(event.value), ERROR_WIDTH)}`));
      default:
        return row(
          palette.dim(
            `  (line ${event.line} ${event.reason.replaceAll('_', ' ')}${event.bytes === undefined ? '' : `, ${event.bytes} bytes`})`,
          ),
        );
    }
  }

  return {
    print: (event) => waited(event) + show(event),
    endLine: breakFlow,
    close: () => waited(undefined) + leftOver() + breakFlow(),
  };
}

/** What nobody knows, as it came. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function indent(event: AgentStreamEvent | undefined): string {
  return event?.subagentId === undefined ? '' : '    ';
}
