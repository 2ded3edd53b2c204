// A session as Markdown that reads well and that nothing in the session can break out of.

import {
  type Call,
  type ContentPart,
  createConversation,
  type FileChange,
  formatInput,
  type Part,
  partsOf,
  reduce,
  showCost,
  showDuration,
  type TodoEntry,
} from '@tailrace/core';
import { createExportGate, describeRedactions, type ExportGate } from './gate.ts';
import { hasText } from './has-text.ts';
import { type ExportInput, type ExportOptions, eventsOf } from './input.ts';
import { fence, lineOf, quote, safeMarkdown } from './safe-markdown.ts';
import { plural, showTime, showTokens } from './show.ts';

/** The session in Markdown, in pieces to be written one after the other. The conversation is held in memory meanwhile. */
export async function* exportMarkdown(input: ExportInput, options: ExportOptions = {}): AsyncIterable<string> {
  let conversation = createConversation();
  for await (const event of eventsOf(input)) conversation = reduce(conversation, event);
  const gate = createExportGate(options);
  const shown = new Set<string>();

  function* thread(subagentId: string | undefined, depth: number): Iterable<string> {
    if (depth > DEEPEST_THREAD || shown.has(subagentId ?? '')) return;
    shown.add(subagentId ?? '');
    for (const part of partsOf(conversation, subagentId)) {
      const text = renderPart(part, gate, depth);
      if (text !== '') yield `${text}\n\n`;
      const task = 'task' in part ? part.task : undefined;
      if (task?.kind === 'agent') yield* indented(thread(task.taskId, depth + 1));
    }
  }

  const body = [...thread(undefined, 0)];
  const { session } = input;
  const title = session.title ?? session.project ?? session.id;
  const facts = [
    [session.agent, session.summary.agentVersion, session.model].filter(Boolean).join(' '),
    session.cwd ?? '',
    showTime(session.startedAt),
    session.status,
    showDuration(session.summary.durationMs),
    `cost ${showCost(session.costUsd, session.costState) || 'unknown'}`,
    `tokens ${showTokens(session.usage)}`,
    plural(session.summary.toolCalls.length, 'tool call'),
  ];
  yield `# ${lineOf(gate.text(title))}\n\n`;
  yield `${facts
    .filter((fact) => fact !== '')
    .map((fact) => `- ${lineOf(gate.text(fact))}\n`)
    .join('')}\n`;
  const told = options.redact === false ? 'Secrets were kept.' : describeRedactions(gate);
  if (told !== '') yield `> ${lineOf(told)}\n\n`;
  yield* body;
  if (conversation.todos.length > 0) yield `## To do\n\n${renderTodos(conversation.todos, gate)}\n`;
}

const DEEPEST_THREAD = 12;

/** What a sub-agent did stands in a quote, below the call that started it. */
function* indented(pieces: Iterable<string>): Iterable<string> {
  for (const piece of pieces) yield `${quote(piece.replace(/\n\n$/, ''))}\n>\n`;
  yield '\n';
}

function renderPart(part: Part, gate: ExportGate, depth: number): string {
  const row = (text: string): string => `*${lineOf(gate.text(text))}*`;
  switch (part.type) {
    case 'prompt':
      return `## ${part.origin !== 'prompt' ? lineOf(part.origin) : depth === 0 ? 'You' : 'Its task'}\n\n${quote(renderContent(part.content, gate, (text) => safeMarkdown(text)))}`;
    case 'text':
      return safeMarkdown(gate.text(part.text));
    case 'reasoning':
      return part.text === '' ? '' : folded('thought', safeMarkdown(gate.text(part.text)));
    case 'call':
      return renderCall(part, gate);
    case 'mode':
      return row(`mode: ${part.mode ?? part.name ?? ''}`);
    case 'plan':
      return `**Plan**\n\n${quote(safeMarkdown(gate.text(part.plan.text ?? part.plan.path ?? '')))}`;
    case 'task':
      return row(`${part.task.kind}: ${part.task.name ?? part.task.description ?? ''} (${part.task.status})`);
    case 'permission':
      return row(
        `${part.toolName ?? 'a tool'} asked: ${part.permission.title ?? ''} ${part.permission.decision ?? ''}`,
      );
    case 'question':
      return `**A question**\n\n${quote(safeMarkdown(gate.text(part.question.message)))}\n\n${row(`answer: ${formatInput(part.question.answer ?? part.question.outcome)}`)}`;
    case 'changes':
      return renderChanges(part.changes, gate);
    case 'error':
      return row(`✖ ${part.error.message}`);
    case 'notice':
      return row(`${part.title} ${part.description ?? ''}`);
    case 'retry':
      return row(`${part.error?.code ?? 'an error'}, tried again (${part.attempt})`);
    case 'compaction':
      return row('the context was compacted');
    case 'hook':
      return row(`hook ${part.name}: ${part.output ?? ''}`);
    case 'turn':
      return [
        part.text === undefined ? '' : safeMarkdown(gate.text(part.text)),
        part.error ? row(`✖ ${part.error.message}`) : '',
      ]
        .filter((text) => text !== '')
        .join('\n\n');
    case 'raw':
      return part.text === undefined ? '' : row(part.text);
  }
}

function renderCall(call: Call, gate: ExportGate): string {
  const { name, title, status, input, content, outputText, changes, todos, error, exitCode } = call;
  const facts = [
    status === 'completed' ? '' : status,
    exitCode ? `exit ${exitCode}` : '',
    showDuration(call.durationMs),
  ];
  const notes = facts.filter((fact) => fact !== '').join(', ');
  const head = `**${lineOf(gate.text(name))}** ${lineOf(gate.text(title ?? ''))}${notes === '' ? '' : ` (${lineOf(notes)})`}`;
  const printed =
    renderContent(content ?? [], gate, (text) => fence(text)) || (outputText ? fence(gate.text(outputText)) : '');
  return [
    head,
    input === undefined || todos || hasText(changes)
      ? ''
      : folded('input', fence(formatInput(gate.json(input)), 'json')),
    changes ? renderChanges(changes, gate) : '',
    todos ? renderTodos(todos, gate) : '',
    printed === '' || ((changes || todos) && status === 'completed') ? '' : folded('output', printed),
    error && printed === '' ? `*${lineOf(gate.text(error.message))}*` : '',
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function renderContent(content: readonly ContentPart[], gate: ExportGate, show: (text: string) => string): string {
  return content
    .map((part) => {
      switch (part.type) {
        case 'text':
          return show(gate.text(part.text));
        case 'json':
          return fence(formatInput(gate.json(part.value)), 'json');
        case 'resource':
          return `${lineOf(gate.text(part.title ?? part.uri))}${part.text === undefined ? '' : `\n\n${fence(gate.text(part.text))}`}`;
        default:
          return `*${lineOf(part.mediaType)}, not shown*`;
      }
    })
    .join('\n\n');
}

function renderChanges(changes: readonly FileChange[], gate: ExportGate): string {
  return changes
    .map(({ path, operation, patch, newText }) => {
      const lines =
        patch?.replace(/\n$/, '').split('\n') ??
        newText
          ?.replace(/\n$/, '')
          .split('\n')
          .map((line) => `+${line}`) ??
        [];
      const texts = gate.lines(lines.map((line) => line.slice(1)));
      const diff = lines.map((line, at) => line.slice(0, 1) + texts[at]).join('\n');
      return `${lineOf(operation)} ${lineOf(gate.text(path))}${diff === '' ? '' : `\n\n${fence(diff, 'diff')}`}`;
    })
    .join('\n\n');
}

function renderTodos(entries: readonly TodoEntry[], gate: ExportGate): string {
  return entries
    .map(({ content, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${lineOf(gate.text(content))}`)
    .join('\n');
}

function folded(title: string, text: string): string {
  return `<details><summary>${title}</summary>\n\n${text}\n\n</details>`;
}
