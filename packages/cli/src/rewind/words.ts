// Going back, in words: what will be set back, what stays and why, and how it goes on from there.

import { isAbsolute, relative } from 'node:path';
import {
  type ChangingCall,
  type LeftFile,
  quoteWords,
  type RewindPreview,
  type Rewound,
  type RewoundFile,
} from '@tailrace/runner';
import type { Palette } from '../printer/palette.ts';
import { revealLine } from '../run/reveal.ts';

/** What going back would do, for somebody who has to agree to it: names are shown whole, and nothing in them hides. */
export function showPreview(preview: RewindPreview, palette: Palette): string {
  const { cwd, files, left, unwatched } = preview;
  const prompt =
    preview.prompt === undefined ? preview.checkpoint : `"${shorten(revealLine(preview.prompt), PROMPT_WIDTH)}"`;
  const rows = [palette.bold(`Back to before ${prompt}`), palette.dim(`in ${revealLine(cwd)}`), ''];
  if (files.length === 0) rows.push('No file is set back: those that it has copies of are as they were.');
  else {
    rows.push(`${count(files.length, 'file')} set back${showLines(preview)}:`);
    rows.push(
      ...files.map((file) => `  ${shown(file.path, cwd)}${palette.dim(wordOf(file))}${warningOf(file, palette)}`),
    );
  }
  if (left.length > 0) {
    rows.push('', palette.waiting('Not set back, since the agent keeps no copies of what these calls change:'));
    rows.push(...left.flatMap((file) => showLeft(file, cwd, palette)));
  }
  if (unwatched.length > 0) {
    rows.push('', palette.waiting('Nobody watched the files while these ran; whatever they changed stays:'));
    rows.push(...unwatched.map((call) => `  ${showCall(call)}`));
  }
  rows.push('', conversationOf(preview));
  return `${rows.join('\n')}\n`;
}

/** What was done, and how it goes on. */
export function showRewound(rewound: Rewound, palette: Palette): string {
  const { files, failed, cwd } = rewound;
  const rows = [palette.good(`${count(files.length - failed.length, 'file')} set back.`)];
  for (const path of failed) rows.push(palette.bad(`${shown(path, cwd)} could not be set back.`));
  rows.push('Go on with:', `  ${nextCommand(rewound)}`);
  return `${rows.join('\n')}\n`;
}

/** The command with which the next prompt goes on from there. */
export function nextCommand({ cwd, next }: RewindPreview, prompt = '…'): string {
  const { resume, resumeAt, fork } = next;
  return quoteWords([
    ...['tailrace', 'run', '--cwd', cwd],
    ...(resume === undefined ? [] : ['--resume', resume]),
    ...(resumeAt === undefined ? [] : ['--resume-at', resumeAt]),
    ...(fork ? ['--fork'] : []),
    prompt,
  ]);
}

function conversationOf({ next }: RewindPreview): string {
  return next.resume === undefined
    ? 'Nothing was said before that prompt: the next one begins a new session. This one is kept.'
    : 'The conversation goes on from there in a new session. This one is kept.';
}

function showLines({ linesAdded, linesRemoved }: RewindPreview): string {
  return linesAdded === undefined || linesRemoved === undefined ? '' : ` (+${linesAdded} −${linesRemoved} lines)`;
}

function wordOf({ action }: RewoundFile): string {
  return { change: '', remove: '  removed, it was not there', restore: '  made again' }[action];
}

function warningOf({ isOverwritten }: RewoundFile, palette: Palette): string {
  return isOverwritten ? palette.bad('  not as the session left it: what was done to it since is lost') : '';
}

const OPERATIONS = { add: 'added', modify: 'changed', delete: 'deleted', move: 'moved', copy: 'copied' } as const;

function showLeft(
  { path, operation, calls, isCertain, isPartly }: LeftFile,
  cwd: string,
  palette: Palette,
): readonly string[] {
  const partly = isPartly ? ', set back only to what it was after that' : '';
  const head = `  ${shown(path, cwd)}  ${palette.dim(`${OPERATIONS[operation]} ${isCertain ? 'by' : 'perhaps by'}`)}`;
  const [first, ...others] = calls.map(showCall);
  const more = others.length > 0 ? palette.dim(` and ${count(others.length, 'other call')}`) : '';
  return [`${head} ${first ?? 'a call'}${more}${palette.dim(partly)}`];
}

function showCall({ toolName, title, subagentId }: ChangingCall): string {
  const whose = subagentId === undefined ? '' : ' of a sub-agent';
  const words = title === undefined || title === toolName ? '' : `: ${shorten(revealLine(title), TITLE_WIDTH)}`;
  return `${revealLine(toolName || 'a call')}${whose}${words}`;
}

const PROMPT_WIDTH = 80;
const TITLE_WIDTH = 100;

function shorten(text: string, width: number): string {
  const characters = [...text.slice(0, 4 * width)];
  return characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : text;
}

/** As seen from the folder, where it lies in it. */
function shown(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  return revealLine(inside === '' || inside.startsWith('..') || isAbsolute(inside) ? path : inside);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
