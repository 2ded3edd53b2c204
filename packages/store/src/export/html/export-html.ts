// A session as one static page: no script, nothing that is fetched, and a policy that allows neither, whatever the session holds.

import { createHash } from 'node:crypto';
import { type Conversation, createConversation, filesChanged, reduce, showCost, showDuration } from '@tailrace/core';
import { createExportGate, describeRedactions, type ExportGate } from '../gate.ts';
import { type ExportInput, type ExportOptions, eventsOf } from '../input.ts';
import { plural, showTime, showTokens } from '../show.ts';
import { exact } from './escape.ts';
import { createPartsRenderer, renderTodos } from './parts.ts';
import { STYLE } from './style.ts';

/** The page, in pieces to be written one after the other. The conversation is held in memory meanwhile. */
export async function* exportHtml(input: ExportInput, options: ExportOptions = {}): AsyncIterable<string> {
  let conversation = createConversation();
  for await (const event of eventsOf(input)) conversation = reduce(conversation, event);
  const gate = createExportGate(options);
  const parts = createPartsRenderer(conversation, gate);
  // The body comes first: its head tells what was found in it.
  const body = [...parts.render()];
  const facts = renderFacts(input, conversation, gate);
  yield renderHead(gate.text(titleOf(input)), parts.hasPictures);
  yield `<header><h1>${exact(gate.text(titleOf(input)))}</h1>${facts}${renderNotice(gate, options)}</header>\n<main>\n`;
  yield* body;
  yield `</main>\n${renderEnd(conversation, gate)}</body>\n</html>\n`;
}

function titleOf({ session }: ExportInput): string {
  return session.title ?? session.project ?? session.id;
}

function renderHead(title: string, hasPictures: boolean): string {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    ...(hasPictures ? ['img-src data:'] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Tailrace">
<title>${exact(title).replaceAll(/<[^<>]{1,40}>/g, '')}</title>
<style>${STYLE}</style>
</head>
<body>
`;
}

/** What kind of session it was, and what it took. */
function renderFacts({ session }: ExportInput, conversation: Conversation, gate: ExportGate): string {
  const { summary } = session;
  const line = [session.agent, summary.agentVersion, session.model, session.project, showTime(session.startedAt)]
    .filter(Boolean)
    .join(' · ');
  const files = filesChanged(conversation);
  const rows: readonly (readonly [string, string])[] = [
    ['outcome', session.status],
    ['time', showDuration(summary.durationMs)],
    ['cost', showCost(session.costUsd, session.costState) || 'unknown'],
    ['tokens', showTokens(session.usage)],
    ['turns', plural(session.turns, 'turn')],
    ['calls', plural(summary.toolCalls.length, 'tool call')],
    ['sub-agents', summary.subagents.length === 0 ? '' : String(summary.subagents.length)],
    ['files', files.length === 0 ? '' : plural(files.length, 'file')],
    ['folder', session.cwd ?? ''],
    ['session', session.id],
  ];
  const table = rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `<tr><th>${name}</th><td>${exact(gate.text(value))}</td></tr>`)
    .join('');
  return `<p class="facts">${exact(gate.text(line))}</p><details><summary>figures</summary><div class="wide"><table>${table}</table></div></details>`;
}

function renderNotice(gate: ExportGate, { redact = true }: ExportOptions): string {
  const told = redact ? describeRedactions(gate) : 'Secrets were kept: look through this page before you give it away.';
  return told === '' ? '' : `<p class="notice">${exact(told)}</p>`;
}

function renderEnd(conversation: Conversation, gate: ExportGate): string {
  const todos = conversation.todos.length === 0 ? '' : `<h3>To do</h3>${renderTodos(conversation.todos, gate)}`;
  const files = filesChanged(conversation).map(
    ({ path, operation, linesAdded, linesRemoved }) =>
      `<tr><td>${exact(operation)}</td><td><code>${exact(gate.text(path))}</code></td><td>+${linesAdded} −${linesRemoved}</td></tr>`,
  );
  const table = files.length === 0 ? '' : `<h3>Files</h3><div class="wide"><table>${files.join('')}</table></div>`;
  return `${todos}${table}<footer>Written by Tailrace.</footer>\n`;
}
