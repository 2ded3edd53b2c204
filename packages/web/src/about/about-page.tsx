// What runs here, and how the history is doing.

import { useClient } from '@tailrace/client/react';
import { PROTOCOL_VERSION, type StoreHealth } from '@tailrace/protocol';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { useTitle } from '../shell/title.ts';
import { showBytes } from '../text/fold.ts';
import { Button } from '../ui/button.tsx';
import { Loading, Trouble } from '../ui/states.tsx';
import { stateSentence } from './state-sentence.ts';

export function AboutPage(): ReactElement {
  const { http } = useClient();
  useTitle('About');
  const { data, error, refetch } = useQuery({ queryKey: ['health'], queryFn: ({ signal }) => http.health({ signal }) });
  return (
    <main className="mx-auto flex max-w-3xl flex-col gap-8 px-4 py-6">
      <h1 className="text-xl font-semibold">About</h1>
      {error ? (
        <Trouble title="The server does not tell" action={<Button onClick={() => void refetch()}>Try again</Button>}>
          {error.message}
        </Trouble>
      ) : data ? (
        <>
          <Facts title="Versions">
            <Fact name="Server">{data.version}</Fact>
            <Fact name="Protocol">{data.protocol}</Fact>
            <Fact name="Page">
              {data.protocol === PROTOCOL_VERSION ? (
                'of the same protocol'
              ) : (
                <span className="text-bad">of protocol {PROTOCOL_VERSION}: load it anew</span>
              )}
            </Fact>
          </Facts>
          <StoreFacts store={data.store} />
        </>
      ) : (
        <Loading label="Asking the server" />
      )}
    </main>
  );
}

function StoreFacts({ store }: { readonly store: StoreHealth }): ReactElement {
  return (
    <Facts title="History">
      <Fact name="State">
        <span className={store.status === 'ok' ? 'text-good' : 'text-bad'}>{stateSentence(store)}</span>
      </Fact>
      {store.status === 'ok' && 'lines' in store && (
        <>
          <Fact name="Sessions">{store.sessions.toLocaleString('en')}</Fact>
          <Fact name="Lines">{`${store.lines.toLocaleString('en')} of ${store.streams.toLocaleString('en')} streams`}</Fact>
          <Fact name="Size on the disk">{showBytes(store.fileBytes)}</Fact>
          <Fact name="Size of the lines">{showBytes(store.lineBytes)}</Fact>
          <Fact name="Free in its file">{showBytes(store.freeBytes)}</Fact>
        </>
      )}
    </Facts>
  );
}

function Facts({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <section aria-label={title}>
      <h2 className="mb-2 text-lg font-semibold">{title}</h2>
      <dl className="border-t border-line">{children}</dl>
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="flex flex-wrap gap-x-4 border-b border-line py-2">
      <dt className="w-44 text-muted">{name}</dt>
      <dd className="figures min-w-0">{children}</dd>
    </div>
  );
}
