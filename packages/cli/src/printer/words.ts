// Trouble and its like in words: small rows at their place.

import {
  type AgentError,
  type AgentStreamEvent,
  type EventOf,
  type Outcome,
  type StopReason,
  showDuration,
} from '@tailrace/core';
import { inputText } from './calls.ts';
import type { Gate } from './gate.ts';
import { showCount } from './tokens.ts';

interface Trouble {
  readonly text: string;
  readonly isBad?: true;
  /** The agent's own words, by which they are known when they come again. */
  readonly source?: string | undefined;
}

const MOST_WORDS = 10_000;

/** As much of a message as a few rows can show. */
const LONGEST = 1_000;

/** What an event tells that went wrong, or that is worth a quiet row; nothing for all others. */
export function troubleOf(event: AgentStreamEvent, gate: Gate): Trouble | undefined {
  switch (event.type) {
    case 'run-state':
      return event.state === 'stalled' ? warn(`stalled: ${gate.line(event.reason ?? '', LONGEST)}`) : undefined;
    case 'permission-resolve': {
      // A call that was denied says so itself.
      if (event.decision !== 'denied' || event.toolCallId !== undefined) return undefined;
      return { text: `✖ denied${event.reason === undefined ? '' : `: ${gate.line(event.reason, LONGEST)}`}` };
    }
    case 'retry-start':
      return warn(gate.line(retryText(event), LONGEST));
    case 'rate-limit-update':
      return event.status === 'rejected' ? warn('the rate limit is reached') : undefined;
    case 'compaction-end':
      return { text: `── ${compactionText(event)} ──` };
    case 'message-retract':
      return { text: `(${retractText(event, gate)})` };
    case 'error':
      return { text: `✖ ${gate.line(event.error.message, LONGEST)}`, isBad: true, source: event.error.message };
    case 'notice':
      return event.severity === 'info' ? undefined : { ...warn(gate.line(event.title, LONGEST)), source: event.title };
    case 'hook-end':
      return event.outcome === 'error' ? warn('a hook failed') : undefined;
    case 'step-end':
      return event.stopReason === 'max_tokens' && event.subagentId === undefined ? warn(CUT_OFF) : undefined;
    case 'turn-end': {
      if (event.outcome === 'cancelled') return { ...warn('interrupted'), source: event.error?.message };
      const why = event.stopReason && STOPPED[event.stopReason];
      return why === undefined ? undefined : warn(why);
    }
    case 'raw':
      return rawTrouble(event, gate);
    default:
      return undefined;
  }
}

/** What somebody is asked for: what would be done, and behind it what the agent says about it. */
export function askText({ toolName = 'a tool', title = '', input }: EventOf<'permission-request'>): string {
  const subject = subjectOf(input);
  const text = subject === undefined ? title || inputText(input) : subjectText(subject, title);
  return text ? `${toolName} asks: ${text}` : `${toolName} asks for your permission`;
}

interface Subject {
  readonly text: string;
  readonly isPlace: boolean;
}

function subjectText({ text, isPlace }: Subject, title: string): string {
  if (title === '' || title === text) return text;
  // The same place in short says no more, and could be another of that name.
  if (isPlace && text.endsWith(`/${title.startsWith('~/') ? title.slice(2) : title}`)) return text;
  return `${text} (${title})`;
}

const COMMANDS = ['command', 'cmd', 'script'];
const PLACES = ['file_path', 'notebook_path', 'path', 'url'];

/** What the call acts on. */
function subjectOf(input: unknown): Subject | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(input));
  for (const name of [...COMMANDS, ...PLACES]) {
    const value = fields.get(name);
    const text = Array.isArray(value) ? value.map(String).join(' ') : value;
    if (typeof text === 'string' && text.trim() !== '') return { text, isPlace: PLACES.includes(name) };
  }
  return undefined;
}

function warn(text: string): Trouble {
  return { text: `⚠ ${text}` };
}

/** What could not be read is shown for what it is: a banner as text (M-06), half a message and the rest as a remark. */
function rawTrouble(event: EventOf<'raw'>, gate: Gate): Trouble | undefined {
  switch (event.reason) {
    case 'no_counterpart':
      return undefined;
    case 'not_json':
      return { text: isBrokenJson(event.text ?? '') ? rawText(event) : gate.line(event.text ?? '', LONGEST) };
    case 'unknown_type':
    case 'unknown_block':
      return { text: `(unknown, line ${event.line ?? '?'}) ${gate.line(JSON.stringify(event.value) ?? '', LONGEST)}` };
    default:
      return { text: rawText(event) };
  }
}

/** Where nothing was taken back some may be missing, and what follows says why: an interruption, or another try. */
function retractText({ messageIds, blockIds, toolCallIds, reason }: EventOf<'message-retract'>, gate: Gate): string {
  if (!messageIds && !blockIds && !toolCallIds) return 'the answer breaks off';
  return `the last answer was taken back: ${gate.line(reason, LONGEST)}`;
}

const CUT_OFF = 'the answer was cut off: it reached the longest length';

/** Why a turn stopped, where that is worth a row. */
const STOPPED: Partial<Readonly<Record<StopReason, string>>> = {
  max_tokens: CUT_OFF,
  max_turn_requests: 'stopped: as many steps were taken as are allowed',
  refusal: 'the model refused',
  content_filter: 'the answer was held back by a filter',
  max_budget: 'stopped: the budget is used up',
  context_full: 'stopped: the context is full',
};

function retryText({ attempt, maxAttempts, delayMs, error }: EventOf<'retry-start'>): string {
  const wait = showDuration(delayMs);
  const many = maxAttempts === undefined ? `${attempt}` : `${attempt} of ${maxAttempts}`;
  return `${errorWord(error)}, trying again${wait ? ` after ${wait}` : ''} (${many})`;
}

function errorWord(error: AgentError | undefined): string {
  switch (error?.code) {
    case undefined:
    case 'unknown':
      return 'an error';
    case 'overloaded':
      return 'the API is overloaded';
    case 'rate_limit':
      return 'the rate limit is reached';
    case 'network':
      return 'the network failed';
    case 'server':
      return 'the server failed';
    case 'timeout':
      return 'no answer in time';
    case 'authentication':
      return 'signing in failed';
    case 'context_full':
      return 'the context is full';
    default:
      return error?.code.replaceAll('_', ' ') ?? 'an error';
  }
}

function compactionText(event: EventOf<'compaction-end'>): string {
  if (event.outcome !== 'success') return 'the context could not be compacted';
  const { tokensBefore, tokensAfter } = event;
  if (tokensBefore === undefined) return 'context compacted';
  const after = tokensAfter === undefined ? '' : ` to ${showCount(tokensAfter)}`;
  return `context compacted from ${showCount(tokensBefore)}${after} tokens`;
}

/** How something went, in a word; nothing when it went well, or when nobody told. */
export function outcomeWord(outcome: Outcome, exitCode?: number): string {
  if (exitCode) return `exit ${exitCode}`;
  switch (outcome) {
    case 'success':
    case 'unknown':
      return '';
    case 'error':
      return 'failed';
    default:
      return outcome;
  }
}

/** A line that cannot be read, told by what is wrong with it. */
function rawText({ reason, line, bytes }: EventOf<'raw'>): string {
  const size = bytes === undefined ? '' : `, ${showCount(bytes)} bytes`;
  const what = reason === 'not_json' ? 'is broken JSON' : `was ${reason.replaceAll('_', ' ')}`;
  return `(line ${line ?? '?'} ${what}${size})`;
}

/** A text that was meant to be a message and is none: nobody wants to read half of it. */
function isBrokenJson(text: string): boolean {
  return /^\s{0,9}(?:\{\s{0,9}["}]|\[\s{0,9}[{"])/.test(text);
}

/** How much somebody thought. */
export function thoughtText(event: EventOf<'reasoning-end'>, measuredMs: number | undefined): string {
  const ms = event.durationMs ?? measuredMs;
  // A moment is not worth a figure.
  if (ms !== undefined) return ms < 1_000 ? 'thought' : `thought for ${showDuration(ms)}`;
  if (event.form === 'redacted') return 'thought (hidden)';
  const words = countWords(event.text);
  return words === 0 ? 'thought' : `thought (${words} ${words === 1 ? 'word' : 'words'})`;
}

/** Words of a text, up to many. It may be long, and nobody needs them one by one. */
function countWords(text: string): number {
  const word = /\S+/g;
  let count = 0;
  while (count < MOST_WORDS && word.test(text)) count++;
  return count;
}

/** Whole seconds: the line is drawn once in each. */
export function showSeconds(ms: number): string {
  return ms < 60_000 ? `${Math.floor(ms / 1_000)} s` : showDuration(ms);
}
