import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { claude } from './index.ts';

const captures = new URL('../../../../../fixtures/claude/2.1.325/', import.meta.url);
const files = readdirSync(captures).filter((name) => name.endsWith('.transcript.jsonl'));
const { rewind } = claude;
if (!rewind) throw new Error('it can go back');

interface Line {
  readonly type: string;
  readonly uuid?: string;
  readonly parentUuid?: string | null;
  readonly message?: { readonly content: unknown };
}

describe('[G-15] the message before a prompt', () => {
  test.each(files)('is in the file, or nothing is: %s', (name) => {
    const lines = readFileSync(new URL(name, captures), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
    const ids = new Set(lines.map(({ uuid }) => uuid));
    const prompts = lines.filter(({ type, message }) => type === 'user' && typeof message?.content === 'string');
    for (const { uuid = '', parentUuid } of prompts) {
      const found = lines.map((line) => rewind.before(line, uuid)).filter((one) => one !== undefined);
      expect(found).toEqual([parentUuid ?? null]);
      if (found[0] !== null) expect(ids).toContain(found[0]);
    }
  });
});

test.each([null, 1, 'text', [], {}, { uuid: 'p' }, { uuid: 'p', type: 'assistant' }, { type: 'user' }])(
  'no line of a prompt: %j',
  (line) => {
    expect(rewind.before(line, 'p')).toBeUndefined();
  },
);

test('a parent that is no id counts for nothing', () => {
  expect(rewind.before({ type: 'user', uuid: 'p', parentUuid: 7 }, 'p')).toBeNull();
});

test('it is started without a prompt, and leaves nothing behind', () => {
  const { args, stdin, env } = rewind.command({ sessionId: 's', resumeAt: 'm' });
  expect(stdin).toBe('');
  expect(args).toEqual(expect.arrayContaining(['--resume=s', '--resume-session-at=m', '--no-session-persistence']));
  expect(args).toContain('--settings={"disableAllHooks":true}');
  expect(env).toEqual({ CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: '1' });
  expect(rewind.command({ sessionId: 's' }).args.some((word) => word.startsWith('--resume-session-at'))).toBe(false);
});

test('a run can be told where the conversation is cut', () => {
  const started = claude.command?.({ prompt: 'Go', resume: 's', resumeAt: 'm', fork: true });
  expect(started?.args).toEqual(expect.arrayContaining(['--resume=s', '--fork-session', '--resume-session-at=m']));
  expect(claude.takes).toContain('resumeAt');
});
