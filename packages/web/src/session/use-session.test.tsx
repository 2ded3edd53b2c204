// @vitest-environment happy-dom
import { TailraceProvider } from '@tailrace/client/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, test } from 'vitest';
import { createTestClient, type TestClient, testSession } from '../../test/test-client.ts';
import { useSession } from './use-session.ts';

afterEach(cleanup);

function Title(): ReactElement {
  const { data } = useSession('one');
  return <p>{data ? (data.title ?? 'no title') : 'nothing yet'}</p>;
}

async function open(client: TestClient): Promise<void> {
  render(
    <TailraceProvider client={client}>
      <QueryClientProvider client={new QueryClient()}>
        <Title />
      </QueryClientProvider>
    </TailraceProvider>,
  );
  await screen.findByText('no title');
}

test('what changed between the answer and the first word of the list is asked for', async () => {
  const client = createTestClient({ sessions: [testSession('one')] });
  await open(client);
  // Nobody was told of it: the connection broke, or did not stand yet.
  client.sessions = [testSession('one', { title: 'Build it' })];
  act(() => client.tell());
  await screen.findByText('Build it');
});

test('what the list tells is shown', async () => {
  const client = createTestClient({ sessions: [testSession('one')] });
  await open(client);
  act(() => client.tell([{ type: 'session', session: testSession('one', { title: 'Told' }) }]));
  await screen.findByText('Told');
});
