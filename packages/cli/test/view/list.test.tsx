// The list while runs are live: what is chosen stays chosen.

import type { SessionInfo } from '@tailrace/protocol';
import { expect, test } from 'vitest';
import { createTestClient, testSession } from '../../../web/test/test-client.ts';
import { KEYS, type Stage, showView } from './stage.tsx';

const live = { runId: 'r', since: 1, isOurs: true, waiting: 0, progress: null, subagents: 0 } as const;
const named = (id: string, more: Partial<SessionInfo> = {}): SessionInfo =>
  testSession(id, { title: `title ${id}`, ...more });
const chosen = (stage: Stage): string | undefined => stage.rows().find((row) => row.startsWith('▌'));

test('the chosen session stays chosen while others move around it, and is the one that opens', async () => {
  const client = createTestClient({ sessions: [named('a'), named('b'), named('c'), named('d')] });
  const stage = showView({ client });
  await stage.see('title d');
  await stage.press('j', 'j');
  expect(chosen(stage)).toContain('title c');
  const drawn = stage.frames.length;
  client.sessions = [named('d', { live: { ...live, state: 'working' } }), named('a'), named('b'), named('c')];
  client.tell();
  await stage.see('WORKING');
  client.sessions = [named('a'), named('c'), named('b'), named('d', { live: { ...live, state: 'waiting' } })];
  client.tell();
  await stage.see('WAITING FOR YOU');
  for (const frame of stage.frames.slice(drawn)) {
    const bar = frame.split('\n').find((row) => row.includes('▌'));
    if (bar !== undefined) expect(bar).toContain('title c');
  }
  await stage.press(KEYS.enter);
  expect(await stage.see('3 Output')).toContain('title c');
});
