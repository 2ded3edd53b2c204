// @vitest-environment happy-dom
// Lists in a page: sessions, the bill, and what waits for an answer.

import type { Answer } from '@tailrace/core';
import { type CommandMessage, createProblem, type Reply, type RunInfo, type SessionInfo } from '@tailrace/protocol';
import { cleanup, fireEvent, render } from '@testing-library/react';
import { type ReactNode, StrictMode } from 'react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Client, createClient } from '../src/client.ts';
import { TailraceProvider, usePermissions, useSessions, useUsage, type WaitingRequest } from '../src/react/index.ts';
import { isMatch } from '../src/react/session-match.ts';
import { startTestServer, type TestServer } from './test-server.ts';
import { eventMessage, fastClock, openPage, sessionInfo, until } from './tools.ts';

let server: TestServer;
let client: Client;
/** What the server has. */
let sessions: readonly SessionInfo[];
let runs: readonly RunInfo[];
let asked: string[];
let isBroken: boolean;
let reply: (message: CommandMessage) => Omit<Reply, 'type' | 'commandId'> | undefined;

beforeEach(async () => {
  sessions = [];
  runs = [];
  asked = [];
  isBroken = false;
  reply = () => ({ result: { runId: 'r' } });
  server = await startTestServer({ route: ({ url = '' }) => answer(url), reply: (message) => reply(message) });
  openPage(server.url);
  client = createClient({ WebSocket, clock: fastClock(20) });
});
afterEach(async () => {
  cleanup();
  client.close();
  await server.close();
});

function answer(target: string): { readonly status?: number; readonly body: unknown } {
  asked.push(target);
  const { pathname, searchParams } = new URL(target, 'http://server');
  if (isBroken) return { status: 500, body: createProblem('io') };
  if (pathname === '/api/runs') return { body: { items: runs } };
  if (pathname === '/api/usage') return { body: { by: 'day', totals: { costUsd: asked.length } } };
  const from = Number(searchParams.get('cursor') ?? 0);
  const to = from + Number(searchParams.get('limit') ?? 2);
  return { body: { items: sessions.slice(from, to), next: to < sessions.length ? String(to) : null } };
}

const page = (children: ReactNode): ReactNode => (
  <StrictMode>
    <TailraceProvider client={client}>{children}</TailraceProvider>
  </StrictMode>
);
const isLive = (): boolean => server.peers.some(({ subscriptions }) => subscriptions.size > 0);
const tell = (session: SessionInfo): void => server.add([{ type: 'session', session }]);

describe('sessions', () => {
  function Sessions({ agent }: { readonly agent?: string }): ReactNode {
    const view = useSessions(agent === undefined ? {} : { agent });
    const state = view.isLoading ? 'loading' : (view.error?.code ?? 'ready');
    return (
      <button type="button" onClick={view.loadMore}>
        {[state, ...view.sessions.map(({ id, turns }) => `${id}${turns}`), view.hasMore ? 'more' : ''].join(' ').trim()}
      </button>
    );
  }

  test('are the list, and what changes in it', async () => {
    sessions = [sessionInfo('a'), sessionInfo('b'), sessionInfo('c')];
    const { container } = render(page(<Sessions />));
    expect(container.textContent).toBe('loading');
    await until(() => isLive() && container.textContent === 'ready a0 b0 more');
    fireEvent.click(container.querySelector('button') as HTMLElement);
    await until(() => container.textContent === 'ready a0 b0 c0');
    tell(sessionInfo('b', { turns: 1 }));
    tell(sessionInfo('new'));
    await until(() => container.textContent === 'ready new0 a0 b1 c0');
    server.add([{ type: 'gone', sessionId: 'a' }]);
    await until(() => container.textContent === 'ready new0 b1 c0');
    tell(sessionInfo('a', { turns: 2 }));
    await until(() => container.textContent === 'ready new0 a2 b1 c0');
  });

  test('that changed in a break are seen after it, and what was heard before it does not hide them', async () => {
    sessions = [sessionInfo('a')];
    const { container } = render(page(<Sessions />));
    await until(() => isLive() && container.textContent === 'ready a0');
    tell(sessionInfo('a', { turns: 1 }));
    await until(() => container.textContent === 'ready a1');
    sessions = [sessionInfo('a', { turns: 7 })];
    server.peers[0]?.cut('reset');
    await until(() => container.textContent === 'ready a7');
  });

  test('that do not belong into the list stay out of it', async () => {
    const { container } = render(page(<Sessions agent="codex" />));
    await until(() => isLive() && container.textContent === 'ready');
    tell(sessionInfo('other'));
    tell(sessionInfo('mine', { agent: 'codex' }));
    await until(() => container.textContent === 'ready mine0');
    expect(asked.every((target) => target.includes('agent=codex'))).toBe(true);
    expect([...(server.peers[0]?.subscriptions.values() ?? [])]).toMatchObject([{ filter: { agents: ['codex'] } }]);
  });

  test('that cannot be had are told as such, and had later', async () => {
    isBroken = true;
    const { container } = render(page(<Sessions />));
    await until(() => isLive() && container.textContent === 'io');
    isBroken = false;
    sessions = [sessionInfo('a')];
    server.peers[0]?.cut('clean');
    await until(() => container.textContent === 'ready a0');
  });

  test.each([
    [{ project: 'p' }, true],
    [{ project: 'q' }, false],
    [{ model: 'ONE' }, true],
    [{ model: 'two' }, false],
    [{ status: 'running' }, false],
    [{ tag: 'x' }, true],
    [{ tag: 'y' }, false],
    [{ starred: true }, false],
    [{ since: 50 }, true],
    [{ since: 51 }, false],
    [{ until: 10 }, true],
    [{ until: 9 }, false],
  ])('%j is a match: %s', (query, expected) => {
    expect(isMatch(sessionInfo('a', { model: 'the-one-1', tags: ['x'], startedAt: 10, endedAt: 50 }), query)).toBe(
      expected,
    );
  });
});

test('the bill is asked for again when sessions change, and not with each change', async () => {
  const seen: (number | null | undefined)[] = [];
  function Usage(): ReactNode {
    const { usage, refresh } = useUsage({ by: 'day' });
    seen.push(usage?.totals.costUsd);
    return (
      <button type="button" onClick={refresh}>
        x
      </button>
    );
  }
  const { container } = render(page(<Usage />));
  await until(() => isLive() && seen.at(-1) === 1);
  let heard = 0;
  const other = client.subscribe({ view: 'sessions' }, (messages) => {
    heard += messages.filter(({ type }) => type === 'session').length;
  });
  await until(() => other.status.state === 'live');
  for (let turns = 1; turns <= 20; turns++) {
    tell(sessionInfo('a', { turns }));
    await until(() => heard === turns);
  }
  await until(() => seen.at(-1) === 2);
  fireEvent.click(container.querySelector('button') as HTMLElement);
  await until(() => seen.at(-1) === 3);
  expect(asked).toEqual(Array.from({ length: 3 }, () => '/api/usage?by=day'));
});

describe('what waits for an answer', () => {
  const run = (requestIds: readonly string[], digest = 'd'): RunInfo => ({
    runId: 'r',
    workOrderId: null,
    agent: 'claude',
    projectId: 'p',
    sessionId: 's',
    state: 'waiting',
    since: 5,
    startedAt: 0,
    progress: null,
    subagents: 0,
    requests: requestIds.map((requestId, index) => ({
      request: { type: 'permission-request', seq: 0, requestId, ...(index > 0 && { at: 7 }) },
      digest,
    })),
  });
  const ask = (requestId: string): void => server.add([eventMessage(1, { type: 'permission-request', requestId })]);
  const results: unknown[] = [];
  const yes: Answer = { decision: 'allow' };
  let answerAny: (request: WaitingRequest) => Promise<boolean>;
  let shown: readonly WaitingRequest[];

  function Waiting(): ReactNode {
    const { requests, answer: give } = usePermissions();
    answerAny = (request) => give(request, yes);
    shown = requests;
    return requests.map((one) => (
      <button
        type="button"
        key={one.request.requestId}
        onClick={() =>
          give(one, yes).then(
            (result) => results.push(result),
            (error) => results.push(error.code),
          )
        }
      >
        {`${one.request.requestId} ${one.isAnswered}`}
      </button>
    ));
  }
  beforeEach(() => void results.splice(0));

  test('is shown while it waits', async () => {
    runs = [run(['q1'])];
    const { container } = render(page(<Waiting />));
    await until(() => isLive() && container.textContent === 'q1 false');
    runs = [run(['q1', 'q2'])];
    ask('q2');
    await until(() => container.textContent === 'q1 falseq2 false');
    expect(shown.map(({ projectId, since }) => [projectId, since])).toEqual([
      ['p', 5],
      ['p', 7],
    ]);
    runs = [];
    server.add([eventMessage(2, { type: 'run-state', state: 'ended' })]);
    await until(() => container.textContent === '');
  });

  test('is not asked for with each state of a run, of which only few tell anything about it', async () => {
    const { container } = render(page(<Waiting />));
    let heard = 0;
    const other = client.subscribe({ view: 'events' }, (messages) => {
      heard += messages.filter(({ type }) => type === 'event').length;
    });
    await until(() => isLive() && asked.length > 0 && other.status.state === 'live');
    ask('none');
    await until(() => heard === 1);
    const before = asked.length;
    for (let position = 2; position < 22; position++) {
      server.add([eventMessage(position, { type: 'run-state', state: position % 2 ? 'working' : 'idle' })]);
      await until(() => heard === position);
    }
    runs = [run(['q1'])];
    server.add([eventMessage(22, { type: 'run-state', state: 'waiting' })]);
    await until(() => container.textContent === 'q1 false');
    expect(asked.length - before).toBeLessThan(4);
  });

  test('[T-21] takes one answer: a second click is none, and the next request is not hit', async () => {
    runs = [run(['q1', 'q2'])];
    const { container } = render(page([<Waiting key="1" />, <Waiting key="2" />]));
    await until(() => isLive() && container.textContent === 'q1 falseq2 false'.repeat(2));
    const [first, , sameInOther] = container.querySelectorAll('button');
    for (const button of [first, first, sameInOther, first]) fireEvent.click(button as HTMLElement);
    await until(() => results.length === 4);
    expect(results.filter((result) => result === true)).toHaveLength(1);
    await until(() => container.textContent === 'q1 trueq2 false'.repeat(2));
    expect(server.commands.map(({ command }) => command)).toEqual([
      { action: 'answer', runId: 'r', requestId: 'q1', digest: 'd', answer: yes },
    ]);
  });

  test('that shows something else under the same name is another request', async () => {
    runs = [run(['q1'])];
    const { container } = render(page(<Waiting />));
    await until(() => isLive() && container.textContent === 'q1 false');
    expect(await answerAny(shown[0] as WaitingRequest)).toBe(true);
    runs = [run(['q1'], 'other')];
    ask('q1');
    await until(() => shown[0]?.digest === 'other' && !shown[0].isAnswered);
    expect(await answerAny(shown[0] as WaitingRequest)).toBe(true);
    expect(server.commands.map(({ command }) => 'digest' in command && command.digest)).toEqual(['d', 'other']);
  });

  test.each([
    ['answered', false, true],
    ['not-found', false, true],
    ['conflict', 'conflict', false],
    ['unavailable', 'unavailable', false],
  ] as const)('and is told to be %s gives %j; nobody can answer it again: %s', async (code, result, isDead) => {
    runs = [run(['q1'])];
    reply = () => ({ problem: createProblem(code) });
    const { container } = render(page(<Waiting />));
    await until(() => isLive() && container.textContent === 'q1 false');
    const button = container.querySelector('button') as HTMLElement;
    fireEvent.click(button);
    await until(() => results.length === 1);
    reply = () => ({ result: { runId: 'r' } });
    fireEvent.click(button);
    await until(() => results.length === 2);
    expect(results).toEqual([result, !isDead]);
    expect(server.commands).toHaveLength(isDead ? 1 : 2);
  });

  test('is answered once though the connection breaks', async () => {
    runs = [run(['q1'])];
    reply = () => undefined;
    const { container } = render(page(<Waiting />));
    await until(() => isLive() && container.textContent === 'q1 false');
    const given = answerAny(shown[0] as WaitingRequest);
    await until(() => server.commands.length === 1);
    reply = () => ({ result: { runId: 'r' } });
    server.peers[0]?.cut('reset');
    expect(await given).toBe(true);
    expect(new Set(server.commands.map(({ commandId }) => commandId)).size).toBe(1);
  });
});
