// The first line: what was asked for, which model works on it, and where. It waits until it is known whether the stream tells the
// prompt. It is made without the rest of the printer, so that a pipe has its first line before all that is loaded.

import type { AgentStreamEvent, EventOf } from '@tailrace/core';
import type { Gate } from './gate.ts';
import type { Palette } from './palette.ts';

/** How wide a text is, and its beginning that fits: characters will do while all of them are narrow. */
interface Measure {
  width(text: string): number;
  fit(text: string, columns: number): string;
}

export interface Opening {
  /** Takes note of an event; gives the line when the event settles it, and once. */
  add(event: AgentStreamEvent, columns: number, measure: Measure): string;
  /** The line as far as it is known; empty when nothing is, or when it has been given. */
  draft(columns: number, measure: Measure): string;
  /** Whether the line has been given. */
  readonly isOver: boolean;
  /** Whether it shows what was asked. */
  readonly isTitled: boolean;
  /** What it is about, in a few words. */
  about(): string;
  /** Whether the line can be made without knowing how wide characters are. */
  isNarrow(): boolean;
  /** What was asked, when the line did not show all of it. Asked for once. */
  restOfPrompt(): string | undefined;
}

const NARROW = /^[ -~]*$/;

/** As much of a prompt as can stand in a line. */
const LONGEST_TITLE = 400;

/** Nothing is printed for these: the prompt may still come. */
const QUIET: ReadonlySet<string> = new Set([
  'session-start',
  'session-update',
  'turn-start',
  'step-start',
  'message-start',
  'text-start',
  'reasoning-start',
  'run-start',
  'run-state',
  'hook-start',
  'hook-end',
  'usage-update',
]);

export function isQuiet(event: AgentStreamEvent): boolean {
  if (event.type === 'raw') return event.reason === 'no_counterpart';
  if (event.type === 'notice') return event.severity === 'info';
  return QUIET.has(event.type);
}

export function createOpening(palette: Palette, gate: Gate): Opening {
  let agent: string | undefined;
  let model: string | undefined;
  let project: string | undefined;
  let title: string | undefined;
  let prompt: string | undefined;
  let hasBegun = false;
  let isGiven = false;
  let isWhole = false;

  function learn(event: EventOf<'session-start' | 'session-update'>): void {
    model ??= event.model === undefined ? undefined : gate.line(event.model, 80);
    project ??=
      event.cwd === undefined ? undefined : gate.line(event.cwd.split(/[\\/]/).filter(Boolean).at(-1) ?? '', 80);
    if (event.type === 'session-start') agent = gate.line(event.agent, 40);
  }

  function ask(text: string): void {
    if (prompt !== undefined || text.trim() === '') return;
    prompt = text;
    // Further lines are the prompt's own; the first one is its title.
    const [first = ''] = text.trim().split('\n', 1);
    title = gate.line(first, LONGEST_TITLE);
    isWhole = first === text.trim() && first.length < LONGEST_TITLE;
  }

  function facts(): string {
    const who = model ?? (agent === 'unknown' ? undefined : agent);
    return [who, project].filter(Boolean).join(' · ');
  }

  function line(columns: number, { width, fit }: Measure): string {
    const about = facts();
    const mark = palette.bold('●');
    if (title === undefined) return about === '' ? '' : `${mark} ${palette.dim(fit(about, columns - 2))}\n`;
    const right = fit(about, Math.max(0, Math.floor(columns / 2) - 2));
    const left = fit(title, columns - 2 - (right === '' ? 0 : width(right) + 2));
    isWhole &&= left === title;
    const gap = ' '.repeat(Math.max(0, columns - 2 - width(left) - width(right)));
    return `${mark} ${palette.bold(left)}${right === '' ? '' : gap + palette.dim(right)}\n`;
  }

  return {
    add(event, columns, measure) {
      if (isGiven) return '';
      if (event.type === 'session-start' || event.type === 'session-update') learn(event);
      else if (event.type === 'run-start' && event.prompt !== undefined) ask(event.prompt);
      else if (isPrompt(event)) ask(promptText(event));
      if (event.type === 'session-start') hasBegun = true;
      if (!hasBegun || isQuiet(event)) return '';
      isGiven = true;
      return line(columns, measure);
    },
    draft: (columns, measure) => (isGiven || !hasBegun ? '' : line(columns, measure)),
    get isOver() {
      return isGiven;
    },
    get isTitled() {
      return isGiven && title !== undefined;
    },
    about: () => title ?? facts(),
    isNarrow: () => NARROW.test(`${title ?? ''}${model ?? agent ?? ''}${project ?? ''}`),
    restOfPrompt() {
      const rest = isGiven && !isWhole ? prompt : undefined;
      isWhole = true;
      return rest;
    },
  };
}

/** The person's own words on the main thread. */
export function isPrompt(event: AgentStreamEvent): event is EventOf<'user-message'> {
  return event.type === 'user-message' && event.subagentId === undefined && event.origin !== 'injected';
}

export function promptText({ content }: EventOf<'user-message'>): string {
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join(' ');
}
