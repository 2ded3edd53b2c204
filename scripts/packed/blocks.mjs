// The blocks of code in a page of Markdown.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROGRAM = new Set(['ts', 'tsx', 'js', 'jsx']);

/** Every fenced block of a page: its language (empty where none is named), its text, and the line before its first. */
export function blocksOf(root, page) {
  const blocks = [];
  let open;
  for (const [index, line] of readFileSync(join(root, page), 'utf8').split('\n').entries()) {
    if (!line.startsWith('```')) open?.lines.push(line);
    else if (open) {
      blocks.push({ page, language: open.language, line: open.line, text: `${open.lines.join('\n')}\n` });
      open = undefined;
    } else open = { language: line.slice(3), line: index + 1, lines: [] };
  }
  return blocks;
}

/** The programs among them, named by their page and their place among its programs: `packages/core/README.md 1`. */
export function programsOf(root, page) {
  return blocksOf(root, page)
    .filter(({ language }) => PROGRAM.has(language))
    .map((block, index) => ({ ...block, name: `${page} ${index + 1}` }));
}

/** The lines that are typed into a shell. A block without a language is a shell's, unless it is a drawing. */
export function shellLinesOf(root, page) {
  return blocksOf(root, page)
    .filter(({ language, text }) => language === '' && !/[─│▶]/.test(text))
    .flatMap(({ text }) => text.split('\n'))
    .map((line) => line.replace(/\s+#\s.*$/, '').trimEnd())
    .filter((line) => line !== '');
}
