import { expect, test } from 'vitest';
import { composerMode, sayCommand } from './composer-mode.ts';

const live = { runId: 'r', since: 1, isOurs: true, waiting: 0, progress: null, subagents: 0 } as const;
const session = { projectId: 'p', agent: 'claude', live: null };

test('a run that goes on is sent to; where it takes nothing now, it is said why', () => {
  expect(composerMode({ ...session, live: { ...live, state: 'idle' } })).toEqual({ kind: 'send', runId: 'r' });
  for (const state of ['starting', 'waiting', 'finishing'] as const)
    expect(composerMode({ ...session, live: { ...live, state } })).toMatchObject({ kind: 'none' });
  expect(composerMode({ ...session, live: { ...live, state: 'working', isOurs: false } })).toMatchObject({
    kind: 'none',
  });
});

test('what is over goes on by a new run, where its folder is known', () => {
  const mode = composerMode(session);
  expect(mode).toEqual({ kind: 'start', project: 'p', agent: 'claude' });
  expect(composerMode({ ...session, projectId: null })).toMatchObject({ kind: 'none' });
});

test('a text becomes one command, and what a new run goes on from is in it', () => {
  expect(sayCommand({ kind: 'send', runId: 'r' }, 'Go on')).toEqual({ action: 'send', runId: 'r', text: 'Go on' });
  expect(sayCommand({ kind: 'start', project: 'p', agent: 'claude' }, 'Go on', { resume: 's', trust: 'd' })).toEqual({
    action: 'start',
    project: 'p',
    agent: 'claude',
    prompt: 'Go on',
    isConversation: true,
    resume: 's',
    trust: 'd',
  });
});
