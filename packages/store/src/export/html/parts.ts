// The parts of a conversation as HTML, thread by thread.

import {
  type Call,
  type ContentPart,
  type Conversation,
  formatInput,
  type Part,
  partsOf,
  type Question,
  showDuration,
  type Task,
  type TodoEntry,
} from '@tailrace/core';
import type { ExportGate } from '../gate.ts';
import { hasText } from '../has-text.ts';
import { plural, showTime } from '../show.ts';
import { renderChanges } from './diff.ts';
import { exact, prose } from './escape.ts';
import { renderMarkdown } from './markdown.ts';
import { renderPicture } from './picture.ts';

export interface PartsRenderer {
  /** What the main thread holds, piece by piece. */
  render(): Iterable<string>;
  /** Whether pictures were put on the page. */
  readonly hasPictures: boolean;
}

/** More of one output is for the other forms of export. */
const LONGEST_OUTPUT = 200_000;
/** A longer output is folded. */
const OPEN_LINES = 12;
const DEEPEST_THREAD = 12;

export function createPartsRenderer(conversation: Conversation, gate: ExportGate): PartsRenderer {
  let hasPictures = false;
  /** Threads that are on the page: nobody can be their own ancestor. */
  const shownThreads = new Set<string>();

  function part(one: Part, depth: number): string {
    switch (one.type) {
      case 'prompt': {
        const who = one.origin !== 'prompt' ? one.origin : depth === 0 ? 'You' : 'Its task';
        return block('prompt', who, one.time, contents(one.content, plainText));
      }
      case 'text':
        return `<section class="text">${markdown(one.text)}${one.partial ? remark('cut off here') : ''}</section>`;
      case 'reasoning': {
        const duration = showDuration(one.durationMs);
        const title = `thought${duration === '' ? '' : ` for ${duration}`}${one.form === 'redacted' ? ', hidden by the model' : ''}`;
        return one.text === '' ? row('', title) : fold('thought', title, markdown(one.text));
      }
      case 'call':
        return call(one, depth);
      case 'mode':
        return isCall(one) ? call(one, depth) : row('', `mode: ${one.mode ?? ''}`);
      case 'plan':
        return `${isCall(one) ? call(one, depth) : ''}${block('plan', 'Plan', one.time, markdown(one.plan.text ?? one.plan.path ?? ''))}`;
      case 'task':
        return fold('call', taskTitle(one.task), task(one.task, depth), one.task.status === 'failed');
      case 'permission':
        return row(
          'waiting',
          `${one.toolName ?? 'a tool'} asked: ${one.permission.title ?? ''} ${one.permission.decision ?? 'no answer'}`,
        );
      case 'question':
        return question(one.question);
      case 'changes':
        return `<section class="changes">${renderChanges(one.changes, gate)}</section>`;
      case 'error':
        return row('bad', `✖ ${one.error.message}`);
      case 'notice':
        return row(
          '',
          `${one.severity === 'info' ? '' : '⚠ '}${one.title}${one.description === undefined ? '' : `: ${one.description}`}`,
        );
      case 'retry':
        return row('', `⚠ ${one.error?.code ?? 'an error'}, tried again (${one.attempt} of ${one.maxAttempts ?? '?'})`);
      case 'compaction':
        return row(
          '',
          `the context was compacted${one.tokensBefore === undefined ? '' : ` from ${plural(one.tokensBefore, 'token')}`}`,
        );
      case 'hook':
        return row('bad', `hook ${one.name}: ${one.output ?? one.outcome ?? ''}`);
      case 'turn':
        return turn(one);
      case 'raw':
        return row('', one.text ?? `a line that nobody knows (${one.nativeType ?? one.reason})`);
    }
  }

  function turn(one: Extract<Part, { readonly type: 'turn' }>): string {
    const said = one.text === undefined ? '' : `<section class="text">${markdown(one.text)}</section>`;
    const failure = one.error ? row('bad', `✖ ${one.error.message}`) : '';
    const result = one.structured === undefined ? '' : output(formatInput(gate.json(one.structured)));
    return said + failure + result;
  }

  function call(one: Call, depth: number): string {
    const { name, title, status, input, content, outputText, changes, todos, error, exitCode, task: started } = one;
    const isBad = status === 'failed' || status === 'denied';
    const word = [exitCode ? `exit ${exitCode}` : entryOf(WORDS, status), showDuration(one.durationMs)]
      .filter(Boolean)
      .join(' · ');
    const head = `<span class="sign ${isBad ? 'bad' : 'good'}">${entryOf(SIGNS, status)}</span> <b>${exact(gate.text(name))}</b> <span class="title">${exact(
      gate.text(title ?? '').slice(0, 300),
    )}</span> <span class="word">${exact(word)}</span>`;
    const printed = contents(content ?? [], output) || (outputText === undefined ? '' : output(gate.text(outputText)));
    const body = [
      input === undefined || todos || hasText(changes) ? '' : labelled('input', output(showInput(gate.json(input)))),
      changes ? renderChanges(changes, gate) : '',
      todos ? renderTodos(todos, gate) : '',
      one.question ? question(one.question) : '',
      error && !printed ? row('bad', error.message) : '',
      printed && (isBad || !(changes || todos)) ? labelled('output', printed) : '',
      started ? task(started, depth) : '',
    ].join('');
    return body === ''
      ? `<p class="row call">${head}</p>`
      : foldHtml('call', head, body, isBad || changes !== undefined);
  }

  function task(one: Task, depth: number): string {
    const facts = [one.kind === 'agent' ? 'sub-agent' : one.kind, one.name, one.model, one.status]
      .filter(Boolean)
      .join(' · ');
    const own = partsOf(conversation, one.taskId);
    const isTold = one.prompt === undefined || own.some(({ type }) => type === 'prompt');
    const asked = isTold ? '' : foldHtml('thought', 'its task', plainText(gate.text(one.prompt ?? '')));
    const result = one.result === undefined ? '' : foldHtml('thought', 'its result', markdown(one.result));
    const failure = one.error ? row('bad', `✖ ${one.error.message}`) : '';
    return `<div class="thread">${row('', facts)}${asked}${thread(one.taskId, depth + 1).join('')}${result}${failure}</div>`;
  }

  function thread(taskId: string, depth: number): readonly string[] {
    if (shownThreads.has(taskId) || depth > DEEPEST_THREAD) return [];
    shownThreads.add(taskId);
    return partsOf(conversation, taskId).map((one) => part(one, depth));
  }

  function contents(parts: readonly ContentPart[], show: (text: string) => string): string {
    return parts.map((one) => content(one, show)).join('');
  }

  function content(one: ContentPart, show: (text: string) => string): string {
    switch (one.type) {
      case 'text':
        return show(gate.text(one.text));
      case 'json':
        return output(formatInput(gate.json(one.value)));
      case 'resource':
        return `${row('', one.title ?? one.uri)}${one.text === undefined ? '' : output(gate.text(one.text))}`;
      default: {
        const picture = renderPicture(one.mediaType, one.data);
        hasPictures ||= picture.isShown;
        return picture.html;
      }
    }
  }

  function question({ message, answer, outcome }: Question): string {
    const told =
      answer === undefined
        ? (outcome ?? 'no answer')
        : gate.text(typeof answer === 'string' ? answer : formatInput(answer));
    return block(
      'question',
      'A question',
      undefined,
      `${plainText(gate.text(message))}<p class="answer">${exact(told)}</p>`,
    );
  }

  // ── The few forms that everything has ─────────────────────────────────────────────────────────────

  function block(kind: string, title: string, time: number | undefined, html: string): string {
    const at = showTime(time);
    return `<section class="${kind}"><h2>${exact(title)}${at === '' ? '' : ` <time>${at}</time>`}</h2>${html}</section>`;
  }

  function row(kind: string, text: string): string {
    return `<p class="row ${kind}">${exact(gate.text(text))}</p>`;
  }

  function fold(kind: string, title: string, html: string, isOpen = false): string {
    return foldHtml(kind, exact(gate.text(title)), html, isOpen);
  }

  function markdown(text: string): string {
    return renderMarkdown(gate.text(text));
  }

  return {
    *render() {
      for (const one of partsOf(conversation)) yield `${part(one, 0)}\n`;
      // What was started by nobody that is shown.
      for (const { id } of conversation.threads.flat()) {
        const left = thread(id, 1);
        if (left.length > 0) yield foldHtml('call', 'another thread', `<div class="thread">${left.join('')}</div>`);
      }
    },
    get hasPictures() {
      return hasPictures;
    },
  };
}

const SIGNS: Readonly<Record<Call['status'], string>> = {
  pending: '…',
  running: '…',
  waiting: '?',
  completed: '✓',
  failed: '✖',
  denied: '✖',
  cancelled: '–',
  unknown: '?',
};
const WORDS: Readonly<Record<Call['status'], string>> = {
  pending: 'not finished',
  running: 'not finished',
  waiting: 'was waiting',
  completed: '',
  failed: 'failed',
  denied: 'denied',
  cancelled: 'cancelled',
  unknown: 'unknown',
};

/** What a table of ours has under a word from outside. */
function entryOf(table: Readonly<Record<string, string>>, word: string): string {
  return Object.hasOwn(table, word) ? (table[word] ?? '') : '?';
}

function isCall(part: Part): part is Call {
  return 'toolCallId' in part && 'status' in part && 'kind' in part;
}

function taskTitle({ kind, name, description }: Task): string {
  return [kind === 'agent' ? 'sub-agent' : kind, name, description].filter(Boolean).join(' · ');
}

/** The fields of an input, each with its whole value. */
function showInput(input: unknown): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return typeof input === 'string' ? input : formatInput(input);
  return Object.entries(input)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : formatInput(value)}`)
    .join('\n');
}

function plainText(text: string): string {
  return `<p class="plain">${prose(text)}</p>`;
}

function labelled(label: string, html: string): string {
  return `<p class="label">${label}</p>${html}`;
}

/** What a tool printed. Folded when it is long. */
function output(text: string): string {
  const shown = text.slice(0, LONGEST_OUTPUT).replace(/\n$/, '');
  const left = text.length - LONGEST_OUTPUT;
  const html = `<pre class="output">${exact(shown)}</pre>${left > 0 ? remark(`${plural(left, 'more character')}, not shown here`) : ''}`;
  const lines = countLines(shown);
  return lines > OPEN_LINES ? foldHtml('output', plural(lines, 'line'), html) : html;
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function remark(text: string): string {
  return `<p class="remark">${text}</p>`;
}

function foldHtml(kind: string, title: string, html: string, isOpen = false): string {
  return `<details class="${kind}"${isOpen ? ' open' : ''}><summary>${title}</summary><div class="inside">${html}</div></details>`;
}

const TODO_SIGNS: Readonly<Record<TodoEntry['status'], string>> = {
  pending: '○',
  in_progress: '●',
  completed: '✓',
  cancelled: '–',
};

/** A list of what there is to do. */
export function renderTodos(entries: readonly TodoEntry[], gate: ExportGate): string {
  const points = entries.map(
    ({ content, status }) => `<li>${entryOf(TODO_SIGNS, status)} ${exact(gate.text(content))}</li>`,
  );
  return `<ul class="todos">${points.join('')}</ul>`;
}
