// Windows runs a batch file through its command processor, which reads the arguments as text of its own (T-14). Most of them
// are shims that a package manager wrote, with the real program inside: that one is started instead.

import { TailraceError } from './errors.ts';

/** What is to be started. */
export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted already. */
  readonly isVerbatim?: boolean | undefined;
}

/** What has to be asked of the machine. */
export interface WindowsFiles {
  /** The text of a file; undefined when it cannot be read. */
  read(file: string): string | undefined;
  exists(file: string): boolean;
  /** Where a program is that is only named. */
  find(program: string): string | undefined;
  /** The command processor. */
  readonly processor: string;
}

/** How `file` is started with these arguments on Windows, or a {@link TailraceError} `argument-refused`. */
export function planWindows(file: string, args: readonly string[], files: WindowsFiles): Invocation {
  if (!isBatchFile(file)) return { file, args };
  const target = readShim(files.read(file) ?? '', folderOf(file));
  if (target !== undefined) {
    const program = target.programs.find((one) => (isNamed(one) ? false : files.exists(one)));
    const found =
      program ??
      target.programs
        .filter(isNamed)
        .map(files.find)
        .find((one) => one !== undefined);
    if (found !== undefined && !isBatchFile(found)) return { file: found, args: [...target.args, ...args] };
  }
  // Not a shim that we know: the command processor has to run it, and reads every argument once more.
  for (const text of [file, ...args]) {
    const found = FORBIDDEN.exec(text);
    if (found) throw refuse(file, text, found[0]);
  }
  const line = [file, ...args].map(quote).join(' ');
  return { file: files.processor, args: ['/d', '/s', '/v:off', '/c', `"${line}"`], isVerbatim: true };
}

/** Whether Windows would take the file for a batch file: it does not mind case, nor dots and spaces at the end of a name. */
export function isBatchFile(file: string): boolean {
  const [name = ''] = (file.split(/[\\/]/).at(-1) ?? '').replace(/^[a-z]:/i, '').split(':');
  return /\.(cmd|bat)$/i.test(name.slice(0, lengthWithout(name, '. ')));
}

/** What a shim leads to: programs of which the first that is there is meant, and the arguments before the caller's own. */
export interface ShimTarget {
  readonly programs: readonly string[];
  readonly args: readonly string[];
}

/**
 * Reads a shim as npm, pnpm and yarn write it. It ends in a line that hands on all arguments: either to a program beside it, or
 * to Node with a script. Anything else is none: undefined.
 */
export function readShim(text: string, folder: string): ShimTarget | undefined {
  const place = (path: string): string => tidy(path.replace(/^%(~dp0|dp0%)\\?/i, `${folder}\\`));
  const calls = text.split(/\r?\n/).flatMap((line) => {
    const call = line.trim().replace(/^endlocal & goto #_undefined_# 2>nul \|\| title %comspec% & /i, '');
    return /%\*$/.test(call) && !/^(rem|::)/i.test(call)
      ? [call.replace(/^@/, '').replace(/^set pathext=\S+ & /i, '')]
      : [];
  });
  const read = calls.map((call) => {
    const direct = DIRECT.exec(call);
    if (direct) return { programs: [place(direct[1] ?? '')], args: [] };
    const script = SCRIPT.exec(call);
    if (!script) return undefined;
    return { programs: [`${folder}\\node.exe`, 'node'], args: [place(script[1] ?? '')] };
  });
  const [first] = read;
  // Where it calls in two places, as the older ones do, both have to mean the same.
  if (first === undefined || read.some((one) => JSON.stringify(one) !== JSON.stringify(first))) return undefined;
  return first;
}

/** A program below the shim's own folder: no variable in it but that folder's. */
const DIRECT = /^"(%(?:~dp0|dp0%)\\?[^"%]+\.(?:exe|com))"\s+%\*$/i;
const SCRIPT =
  /^(?:"%_prog%"|"%~dp0\\node\.exe"|"%dp0%\\node\.exe"|node(?:\.exe)?|"node")\s+"(%(?:~dp0|dp0%)\\?[^"%]+)"\s+%\*$/i;

/** What means something to the command processor, also between quotes, and whatever ends its line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const FORBIDDEN = /[%^&<>|"!\x00-\x1f\x7f]/;

const isNamed = (program: string): boolean => !/[\\/]/.test(program);

function folderOf(file: string): string {
  return file.replace(/[\\/][^\\/]*$/, '');
}

/** Without `..` and `.`, so that messages show what is meant. */
function tidy(path: string): string {
  const parts: string[] = [];
  for (const part of path.split(/[\\/]/)) {
    if (part === '.') continue;
    if (part === '..' && parts.length > 1 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('\\');
}

/** Backslashes at the end would otherwise take the quote away from the program that reads it at last. */
function quote(text: string): string {
  return `"${text}${text.slice(lengthWithout(text, '\\'))}"`;
}

/** How long a text is without these characters at its end. A pattern would take the square of the time. */
function lengthWithout(text: string, characters: string): number {
  let length = text.length;
  while (length > 0 && characters.includes(text.charAt(length - 1))) length -= 1;
  return length;
}

function refuse(file: string, text: string, found: string): TailraceError {
  const what = text === file ? 'its own path' : `the argument ${JSON.stringify(text.slice(0, 100))}`;
  return new TailraceError(
    'argument-refused',
    `${file} is a batch file, and ${what} has ${JSON.stringify(found)}, which Windows would act upon; name the program behind it`,
  );
}
