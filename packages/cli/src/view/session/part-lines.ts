// A row of a session as lines: one when it is folded, all of it when it is open.

import { clockOf, type Row, shortCount, type ThreadEntry, textsOf } from '@tailrace/client/timeline';
import { type Part, type PromptPart, showCost, showDuration, type TurnPart } from '@tailrace/core';
import { type Line, span, spread, strong } from '../text/line.ts';
import { markdownLines, quietMarkdown } from '../text/markdown.ts';
import { exact, prose, saidLine, shown, shownLine } from '../text/shown.ts';
import { wrap } from '../text/wrap.ts';
import { answerText } from './answer-text.ts';
import { callLines } from './call-lines.ts';

export interface PartLook {
  readonly width: number;
  readonly isOpen: boolean;
  /** The agent's folder: paths in it are shown from there. */
  readonly cwd: string | null;
  /** The row above it tells of work, and ends without room. */
  readonly isBelowWork: boolean;
}

/** Nobody reads longer lines. */
const MEASURE = 100;
/** So far a sub-agent's rows stand to the right. */
const STEP = 2;
const DEEPEST = 6;

/** The lines of a row; at least one. */
export function rowLines(row: Row, look: PartLook): readonly Line[] {
  const indent = STEP * Math.min(row.depth, DEEPEST);
  const inner = { ...look, width: Math.max(10, look.width - indent) };
  const lines = row.kind === 'thread' ? [threadLine(row, inner)] : spaced(row.part, partLines(row.part, inner), look);
  if (indent === 0) return lines;
  const edge = span(`${' '.repeat(indent - 1)}│`, 'muted');
  return lines.map((line) => [edge, ...line]);
}

/** What is said stands apart from what is done, and what is open from what comes next. */
function spaced(part: Part, lines: readonly Line[], { isOpen, isBelowWork }: PartLook): readonly Line[] {
  const isApart = isSaid(part) || (isOpen && lines.length > 1);
  return [
    ...(isSaid(part) && isBelowWork ? [[]] : []),
    ...lines,
    ...(isApart && lines.at(-1)?.length !== 0 ? [[]] : []),
  ];
}

/** Whether it is words of the agent or of the person. */
export function isSaid(part: Part): boolean {
  return part.type === 'text' || part.type === 'prompt';
}

function threadLine({ task, isOpen, partCount }: ThreadEntry, { width }: PartLook): Line {
  const name = task?.name === undefined ? 'sub-agent' : shownLine(task.name);
  const parts = `${partCount} ${partCount === 1 ? 'part' : 'parts'}`;
  return spread([span(`${isOpen ? '▾' : '▸'} `, 'muted'), span(name, 'muted')], [span(parts, 'muted')], width);
}

/** Whether a part has more to show than its line. */
export function canOpen(part: Part): boolean {
  return 'toolCallId' in part || part.type === 'reasoning' || part.type === 'compaction' || part.type === 'raw';
}

/** Some open by themselves. */
export function isOpenAtFirst(part: Part): boolean {
  return part.type === 'plan' || (part.type === 'call' && part.status === 'failed');
}

function partLines(part: Part, look: PartLook): readonly Line[] {
  const { width } = look;
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [[span('…', 'muted')]] : markdownLines(part.text.trimEnd(), width);
    case 'prompt':
      return promptLines(part, width);
    case 'reasoning': {
      const took = showDuration(part.durationMs);
      const head: Line = [
        span('┊ ', 'muted'),
        span(part.streaming ? 'thinking' : took === '' ? 'thought' : `thought for ${took}`, 'muted'),
      ];
      if (part.text === '') return [[...head, span(part.form === 'redacted' ? ' (not told)' : '', 'muted')]];
      return look.isOpen ? [head, ...quotedProse(part.text, width)] : [head];
    }
    case 'call':
      return callLines(part, look);
    case 'mode':
    case 'plan':
      if (part.toolCallId !== undefined && part.name !== undefined)
        return callLines(
          {
            ...part,
            toolCallId: part.toolCallId,
            name: part.name,
            kind: part.kind ?? 'other',
            status: part.status ?? 'unknown',
          },
          look,
        );
      return part.type === 'plan'
        ? [[strong('Plan')], ...markdownLines(part.plan.text ?? part.plan.path ?? '', width)]
        : [small('•', `mode: ${shownLine(part.mode ?? 'unknown')}`, width)];
    case 'task': {
      const { task } = part;
      const words = [task.name, task.description].flatMap((one) => (one === undefined ? [] : [shownLine(one)]));
      const right = [showDuration(task.durationMs), task.status].filter((one) => one !== '').join('  ');
      return [spread([span('◇ ', 'muted'), span(words.join(' · ') || 'a task')], [span(right, 'muted')], width)];
    }
    case 'permission': {
      const { decision, title, reason } = part.permission;
      const what = shownLine([part.toolName, title ?? reason].filter((one) => one !== undefined).join(': '));
      return [decision === undefined ? waiting(`asks: ${what}`, width) : small('•', `${what}: ${decision}`, width)];
    }
    case 'question': {
      const { message, outcome } = part.question;
      if (outcome === undefined) return [waiting(saidLine(message), width)];
      return [small('?', `${saidLine(message)} ${answerText(part.question)}`, width)];
    }
    case 'changes': {
      const paths = part.changes.map(({ path }) => shownLine(path)).join(', ');
      return [small('±', `changed meanwhile: ${paths}`, width)];
    }
    case 'error':
      return sentence('✖ ', shown(part.error.message), width, 'bad');
    case 'notice': {
      const text = part.description === undefined ? part.title : `${part.title}: ${part.description}`;
      return sentence(
        part.severity === 'info' ? '• ' : '⚠ ',
        shown(text),
        width,
        part.severity === 'error' ? 'bad' : 'muted',
      );
    }
    case 'retry': {
      const why = part.error === undefined ? 'it did not work' : saidLine(part.error.message);
      const of = part.maxAttempts === undefined ? '' : ` of ${part.maxAttempts}`;
      return [small('⚠', `${why}: tried again (${part.attempt}${of})`, width)];
    }
    case 'compaction': {
      const { tokensBefore, tokensAfter, summary } = part;
      const figures =
        tokensBefore === undefined
          ? ''
          : `, ${shortCount(tokensBefore)} tokens${tokensAfter === undefined ? '' : ` became ${shortCount(tokensAfter)}`}`;
      const head = small('≈', `the conversation was summarised${figures}`, width);
      return look.isOpen && summary !== undefined ? [head, ...quotedProse(summary, width)] : [head];
    }
    case 'hook':
      return [
        small(part.outcome === 'error' ? '⚠' : '•', `hook ${shownLine(part.name)}: ${part.outcome ?? 'runs'}`, width),
      ];
    case 'turn':
      return turnLines(part, width);
    case 'raw': {
      const text = part.text ?? (part.value === undefined ? '' : JSON.stringify(part.value));
      const head = small('?', `${part.reason.replaceAll('_', ' ')}: ${shownLine(text)}`, width);
      return look.isOpen && text !== '' ? [head, ...quoted(exact(text), width)] : [head];
    }
  }
}

const YOU = 'You  ';

function promptLines(part: PromptPart, width: number): readonly Line[] {
  const others = part.content.filter(({ type }) => type !== 'text').length;
  const text = `${textsOf(part.content)}${others > 0 ? ` [${others} ${others === 1 ? 'attachment' : 'attachments'}]` : ''}`;
  const rows = wrap(prose(text), Math.min(width, MEASURE) - YOU.length);
  const who = part.origin === 'injected' ? 'told ' : YOU;
  return rows.map((row, index) => [
    index === 0 ? strong(who, part.origin === 'injected' ? 'muted' : 'plain') : span(' '.repeat(YOU.length)),
    span(row, part.origin === 'injected' ? 'muted' : 'plain'),
  ]);
}

function turnLines({ outcome, durationMs, cost, usage, error, text }: TurnPart, width: number): readonly Line[] {
  const isGood = outcome === 'success';
  const took = showDuration(durationMs);
  const words = [
    `${isGood ? 'done' : outcome === 'error' ? 'failed' : outcome}${took === '' ? '' : ` in ${took}`}`,
    cost && cost.currency === 'USD' ? showCost(cost.amount, cost.estimated ? 'estimated' : 'reconciled') : '',
    usage?.inputTokens === undefined ? '' : `${shortCount(usage.inputTokens)} in`,
    usage?.outputTokens === undefined ? '' : `${shortCount(usage.outputTokens)} out`,
  ].filter((one) => one !== '');
  const head: Line = [span(isGood ? '✓ ' : '✖ ', isGood ? 'good' : 'bad'), span(words.join(' · '), 'muted')];
  return [
    head,
    ...(error ? sentence('  ', shown(error.message), width, 'bad') : []),
    ...(text === undefined || error ? [] : markdownLines(text, width)),
  ];
}

function sentence(mark: string, text: string, width: number, tone: 'bad' | 'muted'): readonly Line[] {
  return wrap(text, width - mark.length).map((row, index) => [
    span(index === 0 ? mark : ' '.repeat(mark.length), tone),
    span(row, tone),
  ]);
}

function quotedProse(text: string, width: number): readonly Line[] {
  return quietMarkdown(text.trimEnd(), width - 2).map((line) => [span('┊ ', 'muted'), ...line]);
}

function quoted(text: string, width: number): readonly Line[] {
  return wrap(text, Math.min(width, MEASURE) - 2).map((row) => [span('┊ ', 'muted'), span(row, 'muted')]);
}

function small(mark: string, text: string, width: number): Line {
  return spread([span(`${mark} `, 'muted'), span(text, 'muted')], [], width);
}

function waiting(text: string, width: number): Line {
  return spread([strong('■ ', 'waiting'), span(text, 'waiting')], [], width);
}

/** `0:42`, as long as something goes on. */
export function since(at: number, now: number): string {
  return clockOf(Math.max(0, Math.floor((now - at) / 1000)));
}
