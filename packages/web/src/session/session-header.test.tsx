// @vitest-environment happy-dom
import { TailraceProvider } from '@tailrace/client/react';
import { createConversation, createSummary } from '@tailrace/core';
import type { SessionDetail } from '@tailrace/protocol';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SessionHeader } from './session-header.tsx';

let asked: unknown[];
// What a header uses of a client.
const client = {
  http: { label: async (id: string, change: object) => asked.push([id, change]) },
  command: async (command: object) => {
    asked.push(command);
    return { runId: 'r' };
  },
} as unknown as Parameters<typeof TailraceProvider>[0]['client'];

const summary = createSummary().summary(0);
// What a header reads of a session.
const ended = {
  id: 's',
  title: 'Fix it',
  project: 'shop',
  agent: 'codex',
  model: 'gpt-5',
  status: 'success',
  usage: { inputTokens: 180_000, outputTokens: 2000, state: 'known' },
  costUsd: 0.42,
  costState: 'estimated',
  starred: false,
  live: null,
  summary: { ...summary, retries: 2, permissionDenials: 1, lines: { ...summary.lines, unknown: 1 } },
} as SessionDetail;
const working = {
  ...ended,
  live: { runId: 'r', state: 'working', since: Date.now(), isOurs: true, waiting: 0, progress: null, subagents: 0 },
} as SessionDetail;

beforeEach(() => {
  asked = [];
});
afterEach(cleanup);

async function show(session: SessionDetail): Promise<string> {
  const root = createRootRoute({
    component: () => <SessionHeader session={session} conversation={createConversation()} onReplay={undefined} />,
  });
  const router = createRouter({ routeTree: root, history: createMemoryHistory() });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TailraceProvider client={client}>
        <RouterProvider router={router as never} />
      </TailraceProvider>
    </QueryClientProvider>,
  );
  return (await screen.findByRole('banner')).textContent ?? '';
}

test('says what it is, how it went, what it cost and what went wrong', async () => {
  const text = await show(ended);
  for (const words of [
    'shop',
    'Fix it',
    'ended well',
    '~$0.42',
    '182k tok',
    'codex · gpt-5',
    '2 retries',
    '1 denial',
    '1 line not understood',
  ])
    expect(text).toContain(words);
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
});

describe('a run of ours', () => {
  test('is stopped after it was asked for twice', async () => {
    await show(working);
    await userEvent.click(screen.getByRole('button', { name: 'Stop' }));
    expect(asked).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Really stop?' }));
    expect(asked).toEqual([{ action: 'stop', runId: 'r' }]);
  });

  test('is interrupted at once', async () => {
    await show(working);
    await userEvent.click(screen.getByRole('button', { name: 'Interrupt' }));
    expect(asked).toEqual([{ action: 'interrupt', runId: 'r' }]);
  });
});

test('a run of another terminal has no buttons, and says where it waits', async () => {
  const live = working.live && { ...working.live, isOurs: false, state: 'waiting' as const };
  const text = await show({ ...working, live });
  expect(text).toContain('waiting in its terminal');
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
});

test('a star is given', async () => {
  await show(ended);
  await userEvent.click(screen.getByRole('button', { name: 'Give it a star' }));
  expect(asked).toEqual([['s', { starred: true }]]);
});
