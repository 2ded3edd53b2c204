// @vitest-environment happy-dom
import { ClientError } from '@tailrace/client';
import { TailraceProvider } from '@tailrace/client/react';
import type { CheckpointInfo, RewindBody, RewindPreviewReply, SessionDetail } from '@tailrace/protocol';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ForkDialog } from './fork-dialog.tsx';
import { RewindDialog } from './rewind-dialog.tsx';

const preview: RewindPreviewReply = {
  sessionId: 's',
  cwd: '/home/dev/project',
  checkpoint: 'c',
  files: [
    { path: 'src/a.ts', action: 'change', isOverwritten: false },
    { path: 'src/b.ts', action: 'remove', isOverwritten: true },
  ],
  left: [{ path: 'build/out.js', operation: 'modify', calls: [], isCertain: true, isPartly: false }],
  unwatched: [],
  next: { resume: 's', resumeAt: 'm1', fork: true },
  digest: 'seen',
};

let asked: unknown[];
let answer: (body: RewindBody) => Promise<unknown>;
// What the dialog uses of a client.
const client = {
  http: {
    startBefore: async (_: string, query: object) => {
      asked.push(['before', query]);
      return preview.next;
    },
    previewRewind: async (_: string, body: object) => {
      asked.push(['preview', body]);
      return preview;
    },
    rewind: (_: string, body: RewindBody) => {
      asked.push(['rewind', body]);
      return answer(body);
    },
  },
  command: async (command: object) => {
    asked.push(['command', command]);
    return { runId: 'r' };
  },
  // The agent of the new run names its session.
  subscribe: (_: object, hear: (messages: readonly object[]) => void) => {
    queueMicrotask(() => hear([{ type: 'event', sessionId: 't' }]));
    return { close: () => undefined };
  },
} as unknown as Parameters<typeof TailraceProvider>[0]['client'];

beforeEach(() => {
  asked = [];
  answer = async () => ({ ...preview, failed: [] });
});
afterEach(cleanup);

async function show(isFork = false): Promise<void> {
  // What the dialog reads of a session and of a checkpoint.
  const session = { id: 's', agent: 'claude', projectId: 'p', live: null } as SessionDetail;
  const checkpoint: CheckpointInfo = { id: 'c', sessionId: 's', text: 'Fix it', at: null };
  const Shown = isFork ? ForkDialog : RewindDialog;
  const root = createRootRoute({
    component: () => <Shown session={session} checkpoint={checkpoint} onClose={() => asked.push(['closed'])} />,
  });
  const router = createRouter({ routeTree: root, history: createMemoryHistory() });
  render(
    <TailraceProvider client={client}>
      <RouterProvider router={router as never} />
    </TailraceProvider>,
  );
  if (!isFork) await screen.findByRole('button', { name: 'Set back 2 files' });
}

test('what would be set back, what is lost and what stays is shown before anything is done', async () => {
  await show();
  const text = screen.getByRole('dialog').textContent ?? '';
  for (const words of ['src/a.ts', 'changed back', 'src/b.ts', 'removed', 'that is lost', 'build/out.js', 'Fix it'])
    expect(text).toContain(words);
  expect(asked).toEqual([['preview', { checkpoint: 'c' }]]);
});

test('it is set back once, as it was shown, and can be gone on with from there', async () => {
  await show();
  await userEvent.dblClick(screen.getByRole('button', { name: 'Set back 2 files' }));
  await userEvent.type(await screen.findByRole('textbox'), 'Another way{Enter}');
  await waitFor(() => expect(asked.at(-1)).toEqual(['closed']));
  expect(asked.slice(1, -1)).toEqual([
    ['rewind', { checkpoint: 'c', digest: 'seen' }],
    [
      'command',
      expect.objectContaining({ action: 'start', prompt: 'Another way', resume: 's', resumeAt: 'm1', fork: true }),
    ],
  ]);
});

test('a copy goes on from there, and nothing is set back', async () => {
  await show(true);
  await userEvent.type(await screen.findByRole('textbox'), 'Another way{Enter}');
  await waitFor(() => expect(asked.at(-1)).toEqual(['closed']));
  expect(asked.slice(0, -1)).toEqual([
    ['before', { checkpoint: 'c' }],
    [
      'command',
      expect.objectContaining({ action: 'start', prompt: 'Another way', resume: 's', resumeAt: 'm1', fork: true }),
    ],
  ]);
});

test('what went wrong is said', async () => {
  answer = () => Promise.reject(new ClientError('conflict', 'files have changed since'));
  await show();
  await userEvent.click(screen.getByRole('button', { name: 'Set back 2 files' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Files have changed since.');
});
