// Colours for code. Nothing of this is loaded before there is code to show, and it works in small steps, so that a long file does not
// hold the page up.

import type { GrammarState, HighlighterCore } from 'shiki/core';
import { type Language, languages } from './languages.ts';

/** A stretch of a line; without a colour it is as the text around it. */
export interface Stretch {
  readonly text: string;
  readonly colour?: string;
}

export type ColouredLine = readonly Stretch[];

const LINES_A_STEP = 10;
/** What is coloured is shown when there is this much more of it. */
const LINES_A_SHOW = 100;
/** After this time others get their turn. */
const BUDGET_MS = 8;
/** Longer lines are data, not code. */
const LONGEST_LINE = 2000;
/** The patterns of a language are made ready while its first lines are read, which takes a while; a line left half read spoils the rest. */
const PATIENCE_MS = 3000;

/** Colours lines from the first on, and tells now and then what there is. */
export async function colourLines(
  lines: readonly string[],
  language: Language,
  tell: (coloured: readonly ColouredLine[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const highlighter = await highlighterFor(language);
  const coloured: ColouredLine[] = [];
  let state: GrammarState | undefined;
  let [told, since] = [0, performance.now()];
  for (let from = 0; from < lines.length && !signal.aborted; from += LINES_A_STEP) {
    const step = highlighter.codeToTokens(lines.slice(from, from + LINES_A_STEP).join('\n'), {
      lang: language,
      themes: { light: LIGHT, dark: DARK },
      defaultColor: 'light-dark()',
      tokenizeMaxLineLength: LONGEST_LINE,
      tokenizeTimeLimit: PATIENCE_MS,
      ...(state && { grammarState: state }),
    });
    state = step.grammarState;
    for (const tokens of step.tokens) coloured.push(joined(tokens));
    if (coloured.length - told >= LINES_A_SHOW || coloured.length >= lines.length) {
      tell([...coloured]);
      told = coloured.length;
    }
    if (performance.now() - since < BUDGET_MS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  }
}

const LIGHT = 'github-light-high-contrast';
const DARK = 'github-dark-default';

let loading: Promise<HighlighterCore> | undefined;

async function highlighterFor(language: Language): Promise<HighlighterCore> {
  loading ??= load();
  const highlighter = await loading;
  if (!highlighter.getLoadedLanguages().includes(language)) await highlighter.loadLanguage(languages[language]);
  return highlighter;
}

async function load(): Promise<HighlighterCore> {
  const [{ createHighlighterCore }, { createJavaScriptRegexEngine }, light, dark] = await Promise.all([
    import('shiki/core'),
    import('shiki/engine/javascript'),
    import('shiki/themes/github-light-high-contrast.mjs'),
    import('shiki/themes/github-dark-default.mjs'),
  ]);
  return createHighlighterCore({
    themes: [light, dark],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
}

/** What the themes write on a ground of its own, which is not drawn here: on ours it could not be seen. */
const UNSEEN = /\((?:#e7ecf0|#ffffff),|, #161b22\)/i;

interface Token {
  readonly content: string;
  readonly htmlStyle?: Readonly<Record<string, string>> | undefined;
}

/** Neighbours of one colour are one stretch: fewer elements. */
function joined(tokens: readonly Token[]): ColouredLine {
  const stretches: Stretch[] = [];
  for (const { content, htmlStyle } of tokens) {
    const told = htmlStyle?.['color'];
    const colour = told !== undefined && UNSEEN.test(told) ? undefined : told;
    const last = stretches.at(-1);
    // Nobody sees which colour a space has.
    if (last && (last.colour === colour || content.trim() === '')) {
      stretches[stretches.length - 1] = { ...last, text: last.text + content };
    } else stretches.push(colour === undefined ? { text: content } : { text: content, colour });
  }
  return stretches;
}
