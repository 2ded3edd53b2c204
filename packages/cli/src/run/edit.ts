// Lets the person change a call's input in their own editor.

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../failure.ts';

export async function editInput(input: unknown): Promise<{ readonly input: unknown } | { readonly fault: string }> {
  const [program = '', ...words] = (process.env['VISUAL'] || process.env['EDITOR'] || 'vi')
    .split(/\s+/)
    .filter(Boolean);
  // A folder of its own, which mkdtemp makes private.
  const folder = await mkdtemp(join(tmpdir(), 'tailrace-edit-'));
  const file = join(folder, 'input.json');
  try {
    await writeFile(file, `${JSON.stringify(input, null, 2)}\n`, { mode: 0o600 });
    const failure = await new Promise<string | undefined>((resolve) => {
      const editor = spawn(program, [...words, file], { stdio: 'inherit' });
      editor.once('error', (error) => resolve(error.message));
      editor.once('exit', (code) => resolve(code === 0 ? undefined : `it ended with ${code}`));
    });
    if (failure !== undefined) return { fault: `${program} did not work: ${failure}` };
    const edited: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof edited !== 'object' || edited === null || Array.isArray(edited))
      return { fault: 'that is no input: it has to be an object, { … }' };
    return { input: edited };
  } catch (error) {
    return { fault: `that is no input: ${messageOf(error)}` };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
