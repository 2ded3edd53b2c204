// @vitest-environment happy-dom

import { TailraceProvider } from '@tailrace/client/react';
import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { stubScreen } from '../../test/screen.ts';
import { createTestClient, testSession } from '../../test/test-client.ts';
import { router } from '../routes.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('a page whose name begins with what is typed stands before the sessions, and others after them', async () => {
  stubScreen();
  const sessions = [testSession('a', { title: 'Search and usage' }), testSession('b', { title: 'A new run of it' })];
  const history = createMemoryHistory({ initialEntries: ['/'] });
  render(
    <TailraceProvider client={createTestClient({ sessions })}>
      <RouterProvider router={createRouter({ routeTree: router.routeTree, history })} />
    </TailraceProvider>,
  );
  await screen.findByRole('banner');
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  const field = await screen.findByRole('combobox', { name: 'Go to' });
  const chosen = (): Promise<HTMLElement> => screen.findByRole('option', { selected: true });
  await screen.findByRole('option', { name: /Search and usage/ });
  fireEvent.change(field, { target: { value: 'run' } });
  expect((await chosen()).textContent).toContain('A new run of it');
  fireEvent.change(field, { target: { value: 'usage' } });
  expect((await chosen()).textContent).toBe('Usage');
  fireEvent.change(field, { target: { value: 'search' } });
  expect((await chosen()).textContent).toBe('Search');
  fireEvent.keyDown(field, { key: 'Enter' });
  await vi.waitFor(() => expect(history.location.pathname).toBe('/search'), { timeout: 30_000 });
});
