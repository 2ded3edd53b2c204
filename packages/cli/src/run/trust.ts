// A folder that brings code is asked about once (T-15).

import type { FolderLook, Trust } from '@tailrace/runner';
import { UsageError } from '../failure.ts';
import type { Palette } from '../printer/palette.ts';
import type { Keyboard } from './keyboard.ts';
import type { RunWords } from './options.ts';
import { revealLine } from './reveal.ts';

export interface TrustQuestion {
  readonly wanted: Pick<RunWords, 'trustFolder'>;
  readonly trust: Trust;
  readonly palette: Palette;
  /** Absent when nobody is there to be asked. */
  readonly keyboard?: Keyboard | undefined;
}

export async function askForTrust(look: FolderLook, question: TrustQuestion): Promise<boolean> {
  const { wanted, trust, palette, keyboard } = question;
  const { isTrusted, reason, warning } = await trust.check(look);
  if (isTrusted || wanted.trustFolder) return true;
  const rows = look.brought.map(
    ({ kind, name, detail, file }) =>
      `  ${KINDS[kind]} ${revealLine(name)}: ${shorten(revealLine(detail))}\n      in ${revealLine(file)}\n`,
  );
  const head = `${look.folder} ${reason === 'changed' ? 'now brings' : 'brings'} what the agent would run or obey without asking:`;
  if (!keyboard)
    throw new UsageError(`${head}\n${rows.join('')}Nobody is here to agree to it; if you do, say --trust-folder.`);
  if (warning !== undefined) process.stdout.write(palette.dim(`${warning}\n`));
  process.stdout.write(`${palette.waiting(`? ${head}`)}\n${rows.join('')}`);
  const word = await keyboard.line(
    '  trust this folder? [y] yes, and do not ask again  [n] no › ',
    new AbortController().signal,
  );
  if (!/^y(es)?$/i.test(word?.trim() ?? '')) throw new UsageError('the folder is not trusted; nothing was started');
  await trust.remember(look);
  return true;
}

const KINDS = { hook: 'hook', 'mcp-server': 'MCP server', setting: 'setting', command: 'command' } as const;
const MOST_SHOWN = 500;

function shorten(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}… (${text.length} characters)` : text;
}
