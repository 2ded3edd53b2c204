import type { RewindPreview } from '@tailrace/runner';
import { expect, test } from 'vitest';
import { createPalette } from '../printer/palette.ts';
import { nextCommand, showPreview, showRewound } from './words.ts';

const palette = createPalette(false);
const bash = { toolCallId: 'b', toolName: 'Bash', title: 'npm run build' };
const preview: RewindPreview = {
  sessionId: 'session',
  cwd: '/home/me/my app',
  checkpoint: 'prompt',
  prompt: 'Rename\nit',
  files: [
    { path: '/home/me/my app/src/a.ts', action: 'change', isOverwritten: true },
    { path: '/home/me/my app/b.ts', action: 'remove', isOverwritten: false },
    { path: '/elsewhere/c.ts', action: 'restore', isOverwritten: false },
  ],
  linesAdded: 3,
  linesRemoved: 12,
  left: [
    { path: '/home/me/my app/dist/x.js', operation: 'add', calls: [bash], isCertain: true, isPartly: false },
    {
      path: '/home/me/my app/y',
      operation: 'delete',
      calls: [bash, { ...bash, toolCallId: 'c' }],
      isCertain: false,
      isPartly: false,
    },
    {
      path: '/home/me/my app/z',
      operation: 'modify',
      calls: [{ toolCallId: 's', toolName: 'Edit', subagentId: 't' }],
      isCertain: true,
      isPartly: true,
    },
  ],
  unwatched: [{ toolCallId: 'd', toolName: 'Bash', title: 'make' }],
  next: { resume: 'session', resumeAt: 'message', fork: true },
};

test('[G-15] the preview names what is set back, what commands left, and what would be lost', () => {
  expect(showPreview(preview, palette)).toBe(`Back to before "Rename\\nit"
in /home/me/my app

3 files set back (+3 −12 lines):
  src/a.ts  not as the session left it: what was done to it since is lost
  b.ts  removed, it was not there
  /elsewhere/c.ts  made again

Not set back, since the agent keeps no copies of what these calls change:
  dist/x.js  added by Bash: npm run build
  y  deleted perhaps by Bash: npm run build and 1 other call
  z  changed by Edit of a sub-agent, set back only to what it was after that

Nobody watched the files while these ran; whatever they changed stays:
  Bash: make

The conversation goes on from there in a new session. This one is kept.
`);
});

test('[G-15] afterwards the command is told with which it goes on, fit for a shell', () => {
  expect(showRewound({ ...preview, failed: ['/home/me/my app/b.ts'] }, palette)).toBe(`2 files set back.
b.ts could not be set back.
Go on with:
  tailrace run --cwd '/home/me/my app' --resume session --resume-at message --fork '…'
`);
});

test('before the first prompt a new session begins, and nothing to set back is said', () => {
  const first = { ...preview, prompt: undefined, files: [], left: [], unwatched: [], next: {} };
  const text = showPreview(first, palette);
  expect(text).toContain('Back to before prompt\n');
  expect(text).toContain('No file is set back');
  expect(text).toContain('begins a new session');
  expect(nextCommand(first, "it's")).toBe("tailrace run --cwd '/home/me/my app' 'it'\\''s'");
});

test('[T-19] a name that hides something, or begins a line of its own, is shown as it is', () => {
  const path = '/home/me/my app/a\u202e\n\u001b[2Jb';
  const text = showPreview({ ...preview, files: [{ path, action: 'change', isOverwritten: false }] }, palette);
  expect(text).toContain('  a\\u{202e}\\n\\u{1b}[2Jb\n');
});
