// Finds the agent's program: where somebody said, then in PATH, then in the PATH of the login shell, which a program that was
// started from a desktop does not get.

import { accessSync, constants, statSync } from 'node:fs';
import { posix, resolve, win32 } from 'node:path';
import { TailraceError } from './errors.ts';
import { readLoginPath } from './login-path.ts';

export interface LocateOptions {
  /** The program's name, such as an agent's `command` tells it. */
  readonly program: string;
  /** The agent's name: `TAILRACE_<NAME>` may name the file. */
  readonly agent?: string | undefined;
  /** The file, or another name to look for, as somebody has asked for it. */
  readonly asked?: string | undefined;
  /** How it gets onto a machine, for the message. */
  readonly install?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly platform?: NodeJS.Platform | undefined;
  /** Gives the PATH of the login shell, if it has one. */
  readonly loginPath?: ((env: NodeJS.ProcessEnv) => Promise<string | undefined>) | undefined;
}

export interface Located {
  /** An absolute path. On Windows it may be a batch file: see `windows.ts`. */
  readonly file: string;
  readonly from: 'option' | 'variable' | 'path' | 'login-path';
}

/** Finds the program, or throws a {@link TailraceError} `program-not-found` that says where was looked. */
export async function locate(options: LocateOptions): Promise<Located> {
  const { program, agent = program, asked, env = process.env } = options;
  const { platform = process.platform, loginPath = readLoginPath } = options;
  const variable = variableOf(agent);
  const named = asked ?? (env[variable] || undefined);
  const from = asked === undefined ? 'variable' : 'option';
  const where: string[] = [];
  // A file that somebody named is that file or none: another of the same name is not what they meant.
  if (named !== undefined && /[\\/]/.test(named)) {
    const file = resolve(named);
    if (isProgram(file, platform)) return { file, from };
    throw notFound(options, [`${from === 'option' ? 'the option' : variable} names ${named}, which is no program`]);
  }
  const name = named ?? program;
  const inPath = searchPath(name, pathOf(env), env, platform);
  if (inPath !== undefined) return { file: inPath, from: named === undefined ? 'path' : from };
  where.push('PATH');
  // Windows programs have one PATH, whoever starts them.
  if (platform !== 'win32') {
    const path = await loginPath(env);
    const file = path === undefined ? undefined : searchPath(name, path, env, platform);
    if (file !== undefined) return { file, from: 'login-path' };
    where.push(path === undefined ? 'the login shell (which told no PATH)' : "the login shell's PATH");
  }
  throw notFound({ ...options, program: name }, [`it is not in ${where.join(' and not in ')}`]);
}

/** The variable that names an agent's program. */
export function variableOf(agent: string): string {
  return `TAILRACE_${agent.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
}

/**
 * The first program of this name in the folders of a PATH. A folder that is not absolute is passed over: it would mean the
 * folder to work in, whose content may be a stranger's.
 */
export function searchPath(
  name: string,
  path: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
  isThere: (file: string) => boolean = (file) => isProgram(file, platform),
): string | undefined {
  const isWindows = platform === 'win32';
  const { isAbsolute, join } = isWindows ? win32 : posix;
  const folders = path.split(isWindows ? ';' : ':').filter(isAbsolute);
  const names = isWindows ? windowsNames(name, env) : [name];
  for (const folder of folders)
    for (const one of names) {
      const file = join(folder, one);
      if (isThere(file)) return file;
    }
  return undefined;
}

/** As the name stands when it has an ending that can be run; npm puts a shell script without one beside its batch file. */
function windowsNames(name: string, env: NodeJS.ProcessEnv): string[] {
  const endings = (env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';').filter((ending) => RUNNABLE.test(ending));
  return RUNNABLE.test(name) ? [name] : endings.map((ending) => name + ending.toLowerCase());
}

const RUNNABLE = /\.(com|exe|bat|cmd)$/i;

function pathOf(env: NodeJS.ProcessEnv): string {
  return env['PATH'] ?? env['Path'] ?? '';
}

function isProgram(file: string, platform: NodeJS.Platform): boolean {
  try {
    if (!statSync(file).isFile()) return false;
    // On Windows the ending alone decides.
    if (platform !== 'win32') accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function notFound({ program, agent = program, install }: LocateOptions, where: readonly string[]): TailraceError {
  const ways = [
    ...(install === undefined ? [] : [`install it with: ${install}`]),
    `or let ${variableOf(agent)} name its file`,
  ];
  return new TailraceError(
    'program-not-found',
    `there is no program "${program}": ${where.join('; ')}; ${ways.join(', ')}`,
  );
}
