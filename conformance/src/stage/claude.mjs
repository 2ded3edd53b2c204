// The real program, and what is held against it: the packages as they are built.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { agents } from '../../../packages/core/dist/index.js';

const require = createRequire(import.meta.url);

export const program = join(dirname(require.resolve('@anthropic-ai/claude-code/package.json')), 'bin', 'claude.exe');
export const claude = agents.find(({ name }) => name === 'claude');
