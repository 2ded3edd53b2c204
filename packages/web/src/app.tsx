// The page, put together: one client for the whole of it, and what is asked over HTTP remembered beside it.

import { createClient } from '@tailrace/client';
import { TailraceProvider } from '@tailrace/client/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { router } from './routes.tsx';

const client = createClient();
const queries = new QueryClient({ defaultOptions: { queries: { retry: 1, staleTime: 5_000 } } });

export function App(): ReactElement {
  return (
    <TailraceProvider client={client}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </TailraceProvider>
  );
}
