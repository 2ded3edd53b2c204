// @vitest-environment happy-dom
// The page around the home page, and the home page itself, over a server in the hands of the test.

import { ClientError } from '@tailrace/client';
import { TailraceProvider } from '@tailrace/client/react';
import { createProblem, type SessionInfo } from '@tailrace/protocol';
import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { stubScreen } from '../../test/screen.ts';
import { createTestClient, type TestClient, testRun, testSession } from '../../test/test-client.ts';
import { router } from '../routes.tsx';

let client: TestClient;
let address: ReturnType<typeof createMemoryHistory>;

beforeEach(() => {
  stubScreen();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function open(
  path: string,
  { sessions = [], runs = [] }: Partial<Pick<TestClient, 'sessions' | 'runs'>>,
): Promise<void> {
  client = createTestClient({ sessions, runs });
  address = createMemoryHistory({ initialEntries: [path] });
  const own = createRouter({ routeTree: router.routeTree, history: address });
  render(
    <TailraceProvider client={client}>
      <RouterProvider router={own} />
    </TailraceProvider>,
  );
  await screen.findByRole('banner');
}

function live(state: 'working' | 'waiting' | 'idle', isOurs = true): NonNullable<SessionInfo['live']> {
  const progress = { phase: 'running tests', percentage: 75, basis: 'measured', done: 6, total: 8 } as const;
  return { runId: 'r', state, since: Date.now(), isOurs, waiting: 0, progress, subagents: 2 };
}

const sessions = [
  testSession('live', {
    title: 'Fix the mill',
    status: 'running',
    live: live('working'),
    costUsd: 9,
    costState: 'known',
  }),
  testSession('old-1', { title: 'Paint the wheel', costUsd: 0.5, costState: 'reconciled', lastText: 'It is blue.' }),
  testSession('old-2', { title: 'Dig the race', project: 'weir', projectId: 'q', costUsd: 1, costState: 'estimated' }),
];
const request = {
  type: 'permission-request',
  seq: 1,
  requestId: 'one',
  toolName: 'Shell',
  input: { command: 'ls' },
} as const;

describe('home', () => {
  test('has what is at work with how far it is, and what was, by project, with its cost', async () => {
    await open('/', { sessions });
    const working = await screen.findByRole('region', { name: /Working/ });
    expect(working.textContent).toMatch(/millFix the mill.*working.*running tests · 2 sub-agents6\/8.*≥ \$9.00/);
    const earlier = screen.getByRole('region', { name: /Earlier/ });
    expect(earlier.textContent).toMatch(/Earlier \(2\)cost: ~\$1.50/);
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      'mill1',
      'weir1',
    ]);
    expect(earlier.textContent).toContain('It is blue.');
    expect(screen.getByRole('link', { name: 'Dig the race' }).getAttribute('href')).toBe('/sessions/old-2');
  });

  test('does not call sessions working that only wait for another message', async () => {
    await open('/', { sessions: [testSession('idle', { title: 'Talk about it', live: live('idle') })] });
    expect(await screen.findByRole('region', { name: 'Open (1)' })).toBeTruthy();
    expect(screen.queryByRole('region', { name: /Working/ })).toBeNull();
  });

  test('has everything that waits first, and the title counts it', async () => {
    const elsewhere = testSession('other', { title: 'In a terminal', live: live('waiting', false) });
    await open('/', { sessions: [elsewhere, ...sessions], runs: [testRun('r', [request], { sessionId: 'live' })] });
    const inbox = await screen.findByRole('region', { name: 'Waiting for you (2)' });
    expect(inbox.textContent).toMatch(/claude asks to use Shell.*Fix the mill.*ls.*Deny.*Allow once/);
    expect(inbox.textContent).toMatch(/waiting in its terminal.*In a terminal/);
    expect(inbox.compareDocumentPosition(screen.getByRole('region', { name: /Working/ }))).toBe(
      Node.DOCUMENT_POSITION_FOLLOWING,
    );
    await waitFor(() => expect(document.title).toBe('(1) Tailrace'));
    fireEvent.keyDown(document.body, { key: 'a' });
    expect(document.activeElement?.getAttribute('data-request')).toBe('one');
  });

  test('has what waits longest first', async () => {
    const at = (ms: number, command: string) =>
      testRun(command, [{ ...request, at: ms, requestId: command, input: { command } }]);
    await open('/', { sessions, runs: [at(2, 'second'), at(1, 'first'), at(3, 'third')] });
    await screen.findByText('third');
    const names = [...document.querySelectorAll('[data-request]')].map((card) => card.getAttribute('data-request'));
    expect(names).toEqual(['first', 'second', 'third']);
  });

  test('finds by what is typed, and the address keeps it', async () => {
    await open('/', { sessions });
    await screen.findByText('Dig the race');
    fireEvent.keyDown(document.body, { key: '/' });
    const field = screen.getByRole('searchbox', { name: 'Find sessions' });
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: 'wheel' } });
    await waitFor(() => expect(screen.queryByText('Dig the race')).toBeNull());
    expect(screen.getByRole('region', { name: /Earlier/ }).textContent).toContain('cost: $0.500');
    expect(screen.queryByRole('region', { name: /Working/ })).toBeNull();
    expect(address.location.search).toBe('?q=wheel');
    fireEvent.change(field, { target: { value: 'zebra' } });
    fireEvent.click(await screen.findByRole('button', { name: 'Show all sessions' }));
    await screen.findByText('Dig the race');
    expect(address.location.search).toBe('');
    expect(field).toHaveProperty('value', '');
  });

  test('asks the server for what the address says', async () => {
    await open('/?project=q&status=error&starred=true&period=all&q=race', { sessions });
    await waitFor(() =>
      expect(client.queries).toContainEqual({ limit: 100, project: 'q', status: 'error', starred: true }),
    );
    expect(screen.getByRole('searchbox', { name: 'Find sessions' })).toHaveProperty('value', 'race');
  });

  test('is narrowed and ordered by choices that stand in the address', async () => {
    await open('/', { sessions });
    await screen.findByText('Dig the race');
    fireEvent.change(screen.getByRole('combobox', { name: 'Order' }), { target: { value: 'cost' } });
    await waitFor(() => expect(address.location.search).toBe('?sort=cost'));
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      'weir1',
      'mill1',
    ]);
    fireEvent.change(screen.getByRole('combobox', { name: 'Project' }), { target: { value: 'q' } });
    await waitFor(() => expect(screen.queryByText('Paint the wheel')).toBeNull());
    expect(address.location.search).toContain('project=q');
    expect(screen.getByText('Fix the mill')).toBeTruthy();
  });

  test('goes from row to row by keys', async () => {
    await open('/', { sessions });
    await screen.findByText('Dig the race');
    const seen = ['j', 'j', 'j', 'j', 'k'].map((key) => {
      fireEvent.keyDown(document.activeElement ?? document.body, { key });
      return document.activeElement?.textContent;
    });
    expect(seen).toEqual(['Fix the mill', 'Paint the wheel', 'Dig the race', 'Dig the race', 'Paint the wheel']);
  });

  test('is where it was left, for whoever comes back', async () => {
    await open('/', { sessions });
    await screen.findByText('Dig the race');
    const box = (): HTMLElement => document.getElementById('content') ?? document.body;
    box().scrollTop = 500;
    fireEvent.scroll(box());
    act(() => address.push('/nowhere'));
    await screen.findByText('There is nothing here');
    box().scrollTop = 0;
    act(() => address.back());
    await screen.findByText('Dig the race');
    await waitFor(() => expect(box().scrollTop).toBe(500));
    box().scrollTop = 0;
    act(() => address.push('/nowhere'));
    await screen.findByText('There is nothing here');
    act(() => address.push('/'));
    await screen.findByText('Dig the race');
    expect(box().scrollTop).toBe(0);
  });

  test('loads all parts of the list when something is looked for in it', async () => {
    const many = Array.from({ length: 250 }, (_, index) => testSession(`s${index}`, { title: `Session ${index}` }));
    await open('/?q=249', { sessions: many });
    expect(await screen.findByText('Session 249')).toBeTruthy();
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Earlier (1)' })).toBeTruthy());
  });

  test('tells how a session gets here where there is none', async () => {
    await open('/', {});
    expect(await screen.findByText('There is no session yet')).toBeTruthy();
    expect(screen.getByText('tailrace watch')).toBeTruthy();
    expect(screen.getAllByRole('button', { name: /^Copy: / })).toHaveLength(3);
  });
});

describe('signing in', () => {
  const signedOut = { state: 'signed-out', problem: createProblem('unauthenticated') } as const;
  const field = (): HTMLElement => screen.getByRole('textbox', { name: /Type the code/ });

  async function openSignedOut(): Promise<void> {
    await open('/', { sessions });
    act(() => client.setStatus(signedOut));
    await screen.findByRole('heading', { name: 'Sign in' });
  }

  test('takes a code as it is pasted, by itself, and shows the page', async () => {
    await openSignedOut();
    expect(screen.queryByText('Dig the race')).toBeNull();
    expect(document.activeElement).toBe(field());
    fireEvent.change(field(), { target: { value: ' abcd-2345 ' } });
    expect(client.codes).toEqual(['ABCD2345']);
    expect(await screen.findByText('Dig the race')).toBeTruthy();
  });

  test('cuts nothing off: what is longer than a code is none, and is not sent', async () => {
    await open('/', {});
    act(() => client.setStatus(signedOut));
    fireEvent.change(await screen.findByRole('textbox', { name: /Type the code/ }), {
      target: { value: 'uzb9-a9eh-x' },
    });
    expect(await screen.findByText(/That is too long/)).toBeTruthy();
    fireEvent.keyDown(field(), { key: 'Enter' });
    expect(screen.getByRole('button', { name: 'Sign in' })).toHaveProperty('disabled', true);
    expect(field()).toHaveProperty('value', 'UZB9A9EHX');
    expect(client.codes).toEqual([]);
  });

  test('says that a code is wrong, how many tries are left, and when there are none', async () => {
    await openSignedOut();
    client.onSignIn = () => {
      throw new ClientError('unauthenticated', 'no');
    };
    for (const left of ['4 tries are left', '3 tries', '2 tries', 'One try is left', 'tried too often']) {
      fireEvent.change(field(), { target: { value: 'WRONG234' } });
      await waitFor(() => expect(screen.getByRole('alert').textContent).toContain(left));
      expect(field()).toHaveProperty('value', '');
    }
    fireEvent.click(screen.getByRole('button', { name: 'Show another code' }));
    expect(await screen.findByText(/Another code stands in the terminal/)).toBeTruthy();
    expect(client.askedForCode).toBe(1);
  });

  test('says when the server does not answer', async () => {
    await openSignedOut();
    client.onSignIn = () => {
      throw new ClientError('unavailable', 'no');
    };
    fireEvent.change(field(), { target: { value: 'ABCD2345' } });
    expect((await screen.findByRole('alert')).textContent).toMatch(/does not answer/);
  });
});

describe('the connection', () => {
  test('is told in words, with a way to try at once', async () => {
    await open('/', { sessions });
    const word = (): string =>
      screen.getAllByRole('status').find(({ textContent }) => /connect|signed/.test(textContent))?.textContent ?? '';
    expect(word()).toBe('connected');
    const again = vi.spyOn(client, 'reconnect');
    act(() => client.setStatus({ state: 'waiting', retryAt: Date.now() + 2900, attempt: 1 }));
    expect(word()).toMatch(/not connected, tries again in 3 s/);
    fireEvent.click(screen.getByRole('button', { name: 'Try again now' }));
    expect(again).toHaveBeenCalledOnce();
    act(() => client.setStatus({ state: 'connecting' }));
    expect(word()).toBe('connecting…');
  });

  test('with a newer server asks to load the page anew', async () => {
    await open('/', { sessions });
    act(() => client.setStatus({ state: 'incompatible', ours: 1, theirs: 2 }));
    expect((await screen.findByRole('alert')).textContent).toContain('This page is older than the server');
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  });
});
