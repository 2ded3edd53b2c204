// Two sessions beside each other: what they cost, what they did, and what they said in the end.

import { useClient } from '@tailrace/client/react';
import { lookOf } from '@tailrace/client/timeline';
import type { SessionDetail } from '@tailrace/protocol';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { ArrowLeftRight } from 'lucide-react';
import { type ReactElement, useMemo } from 'react';
import { sessionKey } from '../session/use-session.ts';
import { useTitle } from '../shell/title.ts';
import { PlainText, withMarks } from '../text/plain-text.tsx';
import { useShown } from '../text/shown.tsx';
import { Button } from '../ui/button.tsx';
import { sessionName } from '../ui/session-name.ts';
import { StateWord } from '../ui/state-word.tsx';
import { Loading, Trouble } from '../ui/states.tsx';
import { type ComparedRow, compareFiles, compareSessions } from './compare.ts';
import { compareTexts, type Stretch } from './compared-text.ts';
import { SessionPicker } from './session-picker.tsx';

const route = getRouteApi('/compare');

export function ComparePage(): ReactElement {
  const { a, b } = route.useSearch();
  const navigate = useNavigate();
  const first = useDetail(a);
  const second = useDetail(b);
  useTitle('Compare');
  const choose = (side: 'a' | 'b', id: string | undefined): void =>
    void navigate({ to: '/compare', search: { ...(a && { a }), ...(b && { b }), [side]: id } });
  const sides = [
    { side: 'a', id: a, other: b, name: 'First session', ...first },
    { side: 'b', id: b, other: a, name: 'Second session', ...second },
  ] as const;
  return (
    <main className="mx-auto flex max-w-[1200px] flex-col gap-8 px-4 py-6">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h1 className="text-xl font-semibold">Compare two sessions</h1>
        {a !== undefined && b !== undefined && (
          <Button size="sm" onClick={() => void navigate({ to: '/compare', search: { a: b, b: a } })}>
            <ArrowLeftRight className="size-3.5" aria-hidden="true" />
            Swap
          </Button>
        )}
      </div>
      <div className="grid gap-4 md:grid-cols-2">
        {sides.map(({ side, id, other, name, data, error }) => (
          <section key={side} aria-label={name} className="min-w-0 rounded-md border border-line bg-raised p-4">
            <h2 className="mb-2 text-sm font-semibold text-muted">{name}</h2>
            {id === undefined ? (
              <SessionPicker
                not={other}
                like={other === a ? first.data : second.data}
                onChoose={(one) => choose(side, one)}
              />
            ) : error ? (
              <Trouble
                title="This session cannot be shown"
                action={<Button onClick={() => choose(side, undefined)}>Choose another</Button>}
              >
                {error.message}
              </Trouble>
            ) : data ? (
              <Side session={data} onOther={() => choose(side, undefined)} />
            ) : (
              <Loading label="Loading the session" />
            )}
          </section>
        ))}
      </div>
      {first.data && second.data && <Compared first={first.data} second={second.data} />}
    </main>
  );
}

function useDetail(id: string | undefined): { readonly data: SessionDetail | undefined; readonly error: Error | null } {
  const { http } = useClient();
  const { data, error } = useQuery({
    queryKey: sessionKey(id ?? ''),
    queryFn: ({ signal }) => http.session(id ?? '', { signal }),
    enabled: id !== undefined,
  });
  return { data: id === undefined ? undefined : data, error };
}

function Side({ session, onOther }: { readonly session: SessionDetail; readonly onOther: () => void }): ReactElement {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <div className="min-w-0 flex-1">
        <Link
          to="/sessions/$sessionId"
          params={{ sessionId: session.id }}
          search={{}}
          className="font-medium wrap-anywhere underline decoration-line underline-offset-2 hover:decoration-current"
        >
          <PlainText text={sessionName(session.id, session.title)} />
        </Link>
        <p className="flex flex-wrap gap-x-3 text-sm text-muted">
          <StateWord look={lookOf(session)} />
          <PlainText text={session.project ?? ''} />
        </p>
      </div>
      <Button size="sm" onClick={onOther}>
        Another…
      </Button>
    </div>
  );
}

interface ComparedProps {
  readonly first: SessionDetail;
  readonly second: SessionDetail;
}

function Compared({ first, second }: ComparedProps): ReactElement {
  const rows = useMemo(() => compareSessions(first, second), [first, second]);
  return (
    <>
      <section aria-label="Figures">
        <h2 className="mb-2 text-lg font-semibold">Figures</h2>
        <table className="w-full border-collapse text-sm max-md:block">
          <thead className="text-left text-xs text-muted max-md:sr-only">
            <tr>
              <th className="py-1 pr-3 font-medium">What</th>
              <th className="px-3 py-1 font-medium">First</th>
              <th className="px-3 py-1 font-medium">Second</th>
              <th className="py-1 pl-3 font-medium">The second is</th>
            </tr>
          </thead>
          <tbody className="max-md:block">
            {rows.map((row) => (
              <FigureRow key={row.name} row={row} />
            ))}
          </tbody>
        </table>
      </section>
      <Files first={first} second={second} />
      <LastWords first={first.summary.text ?? ''} second={second.summary.text ?? ''} />
    </>
  );
}

function FigureRow({ row: { name, first, second, difference } }: { readonly row: ComparedRow }): ReactElement {
  const isPart = name.startsWith('  ');
  const cell = 'px-3 py-1.5 align-top wrap-anywhere max-md:inline-block max-md:w-1/2 max-md:px-0 max-md:py-0.5';
  return (
    <tr className="border-t border-line max-md:block max-md:py-2">
      <th
        scope="row"
        className={clsx('py-1.5 pr-3 text-left font-normal max-md:block max-md:py-0', isPart ? 'pl-4' : 'text-muted')}
      >
        {name.trim()}
      </th>
      <td className={clsx('figures', cell)}>
        <Empty text={first} />
      </td>
      <td className={clsx('figures', cell)}>
        <Empty text={second} />
      </td>
      <td className="figures py-1.5 pl-3 font-medium max-md:block max-md:py-0 max-md:pl-0">
        {difference !== '' && <span className="font-normal text-muted md:hidden">the second is </span>}
        {difference}
      </td>
    </tr>
  );
}

function Empty({ text }: { readonly text: string }): ReactElement {
  return text === '' ? <span className="text-muted">not known</span> : <PlainText text={text} />;
}

function Files({ first, second }: ComparedProps): ReactElement | null {
  const { both, first: onlyFirst, second: onlySecond } = useMemo(() => compareFiles(first, second), [first, second]);
  const groups = [
    { title: 'Both changed', paths: both },
    { title: 'Only the first changed', paths: onlyFirst },
    { title: 'Only the second changed', paths: onlySecond },
  ].filter(({ paths }) => paths.length > 0);
  if (groups.length === 0) return null;
  return (
    <section aria-label="Files">
      <h2 className="mb-2 text-lg font-semibold">Files</h2>
      <div className="grid gap-4 md:grid-cols-3">
        {groups.map(({ title, paths }) => (
          <div key={title} className="min-w-0">
            <h3 className="text-sm font-medium">
              {title} <span className="figures font-normal text-muted">{paths.length}</span>
            </h3>
            <ul className="font-mono text-xs">
              {paths.map((path) => (
                <li key={path} className="py-0.5 wrap-anywhere">
                  <PlainText text={path} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}

function LastWords({ first, second }: { readonly first: string; readonly second: string }): ReactElement {
  const shown = useShown();
  const compared = useMemo(() => compareTexts(shown(first), shown(second)), [first, second, shown]);
  return (
    <section aria-label="Last words">
      <h2 className="text-lg font-semibold">Last words</h2>
      <p className="mb-2 text-sm text-muted">What only one of them says is underlined.</p>
      <div className="grid gap-4 md:grid-cols-2">
        <Words title="First" stretches={compared.first} />
        <Words title="Second" stretches={compared.second} />
      </div>
    </section>
  );
}

const OWN = 'bg-sunken underline decoration-working decoration-2 underline-offset-2';

function Words({ title, stretches }: { readonly title: string; readonly stretches: readonly Stretch[] }): ReactElement {
  const isEmpty = stretches.every(({ text }) => text === '');
  return (
    <div className="min-w-0">
      <h3 className="mb-1 text-sm font-medium text-muted">{title}</h3>
      <div className="rounded-md border border-line bg-raised p-3 wrap-anywhere whitespace-pre-wrap">
        {isEmpty && <span className="text-muted">It said nothing in the end.</span>}
        {stretches.map(({ text, isOwn }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the stretches of a text stay where they are.
          <span key={index} className={isOwn ? OWN : undefined}>
            {withMarks(text, true)}
          </span>
        ))}
      </div>
    </div>
  );
}
