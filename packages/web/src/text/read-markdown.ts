// Markdown read into elements. Rows come and go as somebody scrolls: what was read lately is not read again.

import type { ReactElement } from 'react';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { markdownElements } from './markdown-elements.tsx';

const PLUGINS = [remarkGfm];

/** As many characters are remembered. */
const MOST_CHARACTERS = 1_000_000;
const known = new Map<string, ReactElement>();
let characters = 0;

/** Throws where it is nested too deep. A text that still grows is not worth remembering. */
export function readMarkdown(text: string, isGrowing: boolean): ReactElement {
  const before = known.get(text);
  if (before) return before;
  // It is a plain function of its options: it has no state of its own.
  const element = ReactMarkdown({
    children: text,
    remarkPlugins: PLUGINS,
    components: markdownElements,
    urlTransform: asItIs,
  });
  if (isGrowing) return element;
  known.set(text, element);
  characters += text.length;
  for (const oldest of known.keys()) {
    if (characters <= MOST_CHARACTERS) break;
    known.delete(oldest);
    characters -= oldest.length;
  }
  return element;
}

/** Addresses are judged where they would be used: of links and nowhere else (safe-link.tsx). */
function asItIs(url: string): string {
  return url;
}
