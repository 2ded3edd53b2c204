// Where the demo plays: a folder of its own, with the data, the projects and the agent's program in it. The person's own are not touched.

import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandFile, recordings } from './assets.ts';
import { writeOlderSessions } from './older-sessions.ts';
import { PROJECTS } from './plays.ts';

export interface Stage {
  /** The folders that runs may be started in. */
  readonly projects: readonly string[];
  /** What makes this process, and the agents it starts, play here. */
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

export function setStage(speed: number): Stage {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-demo-')));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  try {
    const at = (name: string): string => join(folder, name);
    for (const name of ['data', 'agent', 'program', ...PROJECTS.map((project) => `projects/${project}`)])
      mkdirSync(at(name), { recursive: true, mode: 0o700 });
    writeOlderSessions(at('agent'), at('projects'));
    const env = {
      TAILRACE_HOME: at('data'),
      TAILRACE_CLAUDE: writeProgram(at('program'), speed),
      CLAUDE_CONFIG_DIR: at('agent'),
    };
    return { projects: PROJECTS.map((project) => at(`projects/${project}`)), env, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The agent's program: this command, as a replay. On Windows it is a shim such as npm writes. */
function writeProgram(folder: string, speed: number): string {
  const script = join(folder, 'claude.cjs');
  const words = [process.execPath, commandFile, 'replay', '--as-agent', recordings, '--speed', String(speed), '--'];
  writeFileSync(
    script,
    `process.argv = [...${JSON.stringify(words)}, ...process.argv.slice(2)];\nrequire(${JSON.stringify(commandFile)});\n`,
  );
  if (process.platform === 'win32') {
    writeFileSync(join(folder, 'claude.cmd'), '@node "%~dp0\\claude.cjs" %*\r\n');
    return join(folder, 'claude.cmd');
  }
  const program = join(folder, 'claude');
  writeFileSync(program, `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(script)} "$@"\n`);
  chmodSync(program, 0o700);
  return program;
}

/** As one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
