// @vitest-environment happy-dom
import { ClientError, type FeedMessage, type SubscribeOptions } from '@tailrace/client';
import { TailraceProvider } from '@tailrace/client/react';
import { composerMode } from '@tailrace/client/timeline';
import { type Command, createProblem, type SessionInfo } from '@tailrace/protocol';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { forgetUnsent, moveUnsent } from '../ui/unsent.ts';
import { Composer } from './composer.tsx';

type Told = { readonly command: Command; readonly commandId: string };

let told: Told[];
let listening: { readonly wanted: SubscribeOptions; hear(messages: readonly FeedMessage[]): void } | undefined;
let answer: (one: Told) => Promise<{ readonly runId: string; readonly sessionId?: string }>;
// What a composer uses of a client.
const client = {
  command(command: Command, { commandId }: { readonly commandId: string }) {
    const one = { command, commandId };
    told.push(one);
    return answer(one);
  },
  subscribe: (wanted: SubscribeOptions, hear: (messages: readonly FeedMessage[]) => void) => {
    listening = { wanted, hear };
    return { close: () => undefined };
  },
} as unknown as Parameters<typeof TailraceProvider>[0]['client'];

const ended = { id: 's', agent: 'claude', projectId: 'p', live: null } as SessionInfo;
const idle = { ...ended, live: { runId: 'r', state: 'idle', since: 0, isOurs: true, waiting: 0 } } as SessionInfo;

beforeEach(() => {
  told = [];
  listening = undefined;
  answer = () => Promise.resolve({ runId: 'r' });
});
afterEach(cleanup);
afterEach(forgetUnsent);

async function show(session: SessionInfo): Promise<{ path(): string }> {
  const root = createRootRoute();
  const page = createRoute({ getParentRoute: () => root, path: '/', component: () => <Composer session={session} /> });
  const other = createRoute({ getParentRoute: () => root, path: '/sessions/$sessionId', component: () => null });
  const router = createRouter({
    routeTree: root.addChildren([page, other]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  render(
    <TailraceProvider client={client}>
      <RouterProvider router={router as never} />
    </TailraceProvider>,
  );
  await screen.findByRole('textbox');
  return { path: () => router.state.location.pathname };
}

describe('a run that takes prompts', () => {
  test('gets what is typed, and the field is empty again', async () => {
    await show(idle);
    const field = screen.getByRole('textbox');
    await userEvent.type(field, 'go on{Shift>}{Enter}{/Shift}please{Enter}');
    await waitFor(() => expect(field).toHaveProperty('value', ''));
    expect(told.map(({ command }) => command)).toEqual([{ action: 'send', runId: 'r', text: 'go on\nplease' }]);
  });

  test('hears it once, however often it is sent meanwhile', async () => {
    let done = (): void => undefined;
    answer = () => new Promise((resolve) => (done = () => resolve({ runId: 'r' })));
    await show(idle);
    await userEvent.type(screen.getByRole('textbox'), 'go{Enter}{Enter}{Enter}');
    await userEvent.click(screen.getByRole('button', { name: /Sending/ }));
    expect(told).toHaveLength(1);
    done();
    await waitFor(() => expect(screen.getByRole('textbox')).toHaveProperty('value', ''));
  });

  test('what fails is said, what was typed stays, and the next try has a key of its own', async () => {
    answer = () => Promise.reject(new ClientError('conflict', 'the run has ended'));
    await show(idle);
    await userEvent.type(screen.getByRole('textbox'), 'go{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('The run has ended.');
    expect(screen.getByRole('textbox')).toHaveProperty('value', 'go');
    await userEvent.click(screen.getByRole('button', { name: /Send/ }));
    await waitFor(() => expect(new Set(told.map(({ commandId }) => commandId)).size).toBe(2));
  });
});

describe('what is not sent yet', () => {
  const again = async (session: SessionInfo): Promise<string> => {
    cleanup();
    await show(session);
    return screen.getByRole<HTMLTextAreaElement>('textbox').value;
  };

  test('is there again for whoever comes back, also when the session has got another name, and for nobody after signing out', async () => {
    await show(idle);
    await userEvent.type(screen.getByRole('textbox'), 'half a thou');
    expect(await again({ ...idle, id: 'other' })).toBe('');
    expect(await again(idle)).toBe('half a thou');
    await userEvent.type(screen.getByRole('textbox'), 'ght');
    moveUnsent('s', 'named');
    await userEvent.type(screen.getByRole('textbox'), '!');
    expect(await again({ ...idle, id: 'named' })).toBe('half a thought!');
    forgetUnsent();
    expect(await again({ ...idle, id: 'named' })).toBe('');
  });

  test('is not there a second time while it is on its way, and is when it did not arrive', async () => {
    let fail = (_: Error): void => undefined;
    answer = () => new Promise((_resolve, reject) => (fail = reject));
    const fresh = { ...idle, id: 'fresh' };
    await show(fresh);
    await userEvent.type(screen.getByRole('textbox'), 'go{Enter}');
    await waitFor(() => expect(told).toHaveLength(1));
    expect(await again(fresh)).toBe('');
    fail(new ClientError('conflict', 'the run has ended'));
    await waitFor(async () => expect(await again(fresh)).toBe('go'));
  });
});

describe('a session that has ended', () => {
  test('is resumed by a new run', async () => {
    await show(ended);
    await userEvent.type(screen.getByRole('textbox'), 'go{Enter}');
    await waitFor(() => expect(told).toHaveLength(1));
    expect(told[0]?.command).toEqual({
      action: 'start',
      project: 'p',
      agent: 'claude',
      prompt: 'go',
      isConversation: true,
      resume: 's',
    });
  });

  test('is forked into another one, which is shown', async () => {
    answer = () => Promise.resolve({ runId: 'r', sessionId: 'copy' });
    const { path } = await show(ended);
    await userEvent.type(screen.getByRole('textbox'), 'go');
    await userEvent.click(screen.getByRole('button', { name: 'Fork' }));
    await waitFor(() => expect(path()).toBe('/sessions/copy'));
    expect(told[0]?.command).toMatchObject({ resume: 's', fork: true });
  });

  test('is forked, and the copy is shown as soon as its agent has told which one it is', async () => {
    const { path } = await show(ended);
    await userEvent.type(screen.getByRole('textbox'), 'go');
    await userEvent.click(screen.getByRole('button', { name: 'Fork' }));
    await waitFor(() => expect(listening?.wanted).toMatchObject({ runs: ['r'] }));
    expect(path()).toBe('/');
    const event = { type: 'turn-start', seq: 0, turnId: 't' } as const;
    listening?.hear([{ type: 'event', sessionId: 'copy', position: 1, event }]);
    await waitFor(() => expect(path()).toBe('/sessions/copy'));
  });

  test('is started with what the folder brings only after a yes to exactly that', async () => {
    const brought = [{ kind: 'hook', name: 'on start', detail: 'rm -rf /', file: '.claude/settings.json' }];
    const problem = createProblem('not-trusted', undefined, { digest: 'd1', brought });
    answer = ({ command }) =>
      command.action === 'start' && command.trust === 'd1'
        ? Promise.resolve({ runId: 'r' })
        : Promise.reject(new ClientError('not-trusted', problem.title, { problem }));
    await show(ended);
    await userEvent.type(screen.getByRole('textbox'), 'go');
    await userEvent.click(screen.getByRole('button', { name: 'Fork' }));
    expect((await screen.findByRole('dialog')).textContent).toContain('rm -rf /');
    await userEvent.click(screen.getByRole('button', { name: 'Trust it and start' }));
    await waitFor(() => expect(told).toHaveLength(2));
    expect(told[1]?.command).toMatchObject({ trust: 'd1', fork: true, resume: 's', prompt: 'go' });
    expect(told[1]?.commandId).not.toBe(told[0]?.commandId);
  });
});

describe('what can be said', () => {
  const live = (state: string, isOurs = true) =>
    ({ ...ended, live: { runId: 'r', state, since: 0, isOurs, waiting: 0 } }) as SessionInfo;

  test.each([
    ['starting', live('starting'), 'none'],
    ['working', live('working'), 'send'],
    ['waiting', live('waiting'), 'none'],
    ['in a terminal', live('idle', false), 'none'],
    ['ended', live('ended'), 'start'],
    ['without a folder', { ...ended, projectId: null }, 'none'],
  ])('%s', (_, session, kind) => {
    const mode = composerMode(session);
    expect(mode.kind).toBe(kind);
    if (mode.kind === 'none') expect(mode.reason).toMatch(/^[A-Z].*\.$/);
  });

  test('the field says why nothing can be typed', async () => {
    await show(live('idle', false));
    const field = screen.getByRole('textbox');
    expect(field).toHaveProperty('disabled', true);
    expect(field.getAttribute('placeholder')).toContain('terminal');
  });
});
