// The part of starting a program on Windows that looks at the machine.

import { existsSync, readFileSync } from 'node:fs';
import { searchPath } from './locate.ts';
import type { WindowsFiles } from './windows.ts';

export function windowsFiles(env: NodeJS.ProcessEnv): WindowsFiles {
  return {
    read(file) {
      try {
        return readFileSync(file, 'utf8');
      } catch {
        return undefined;
      }
    },
    exists: existsSync,
    find: (program) => searchPath(program, env['PATH'] ?? env['Path'] ?? '', env, 'win32'),
    processor: env['ComSpec'] ?? env['COMSPEC'] ?? 'cmd.exe',
  };
}
