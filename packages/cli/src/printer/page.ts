// What stands on the page already, as far as the next thing has to know: paragraphs are kept apart from what is before them, a row
// of a sub-agent goes under its card, and what was just said is not said again.

import type { Cards } from './cards.ts';
import type { Flow } from './flow.ts';
import type { Helpers } from './helpers.ts';
import { promptRows } from './passages.ts';
import type { Sheet } from './sheet.ts';

export interface Page {
  /** Rows at their place: under a sub-agent's card when that is to come, else here. */
  rows(shown: readonly string[], subagentId?: string): string;
  /** The model's words, that came through the gate. */
  text(text: string): string;
  endParagraph(): string;
  /** What the person said. */
  prompt(text: string): string;
  /** The first line was printed. */
  begin(): void;
  /** The card of a sub-agent was printed: what it still does comes late, which right below its card need not be said. */
  endHelper(taskId: string): void;
  /** This was the last row's trouble, in the agent's words. */
  recall(trouble: string): void;
  /** Whether the last row told this trouble. */
  told(trouble: string): boolean;
  /** Whether a paragraph that begins now needs an empty line before it. */
  readonly isApart: boolean;
}

export interface PageOptions {
  readonly sheet: Sheet;
  readonly flow: Flow;
  readonly helpers: Helpers;
  readonly cards: Cards;
}

export function createPage({ sheet, flow, helpers, cards }: PageOptions): Page {
  /** What was printed last. `said` is a text that is over. */
  let last: 'nothing' | 'head' | 'text' | 'said' | 'rows' = 'nothing';
  /** These are forgotten when something else is printed. */
  let trouble: string | undefined;
  let prompt: string | undefined;
  /** Whose rows were the last, of those that came after their card. */
  let lateOf: string | undefined;

  function be(next: typeof last): void {
    last = next;
    trouble = undefined;
    prompt = undefined;
    lateOf = undefined;
  }

  function apart(text: string): string {
    if (text === '') return '';
    const gap = isApart() ? '\n' : '';
    be('text');
    return gap + text;
  }

  function isApart(): boolean {
    return last !== 'text' && last !== 'nothing';
  }

  function endParagraph(): string {
    const rest = apart(flow.end());
    if (last === 'text') last = 'said';
    return rest;
  }

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
    be('rows');
    lateOf = subagentId;
    const head = past ? `${cards.late(past, helpers.depth(past.parent))}\n` : '';
    return `${before}${gap}${head}${shown.join('\n')}\n`;
  }

  return {
    rows,
    text: (text) => apart(flow.push(text)),
    endParagraph,
    prompt(text) {
      const before = endParagraph();
      const gap = last === 'said' || last === 'rows' ? '\n' : '';
      // Prompts that waited are taken up together: the first of them stands there already.
      const isMore = prompt !== undefined && text.startsWith(`${prompt}\n`);
      const shown = rows(promptRows(sheet, isMore ? text.slice(prompt?.length) : text));
      prompt = text;
      return before + gap + shown;
    },
    begin: () => be('head'),
    endHelper(taskId) {
      lateOf = taskId;
    },
    recall(message) {
      trouble = inWords(message);
    },
    told: (message) => trouble !== undefined && inWords(message) === trouble,
    get isApart() {
      return isApart();
    },
  };
}

/** A text without what is only layout in it. */
function inWords(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(' ');
}
