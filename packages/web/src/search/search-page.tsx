// Finds words in everything that was said and done, and leads to the place.

import { useClient } from '@tailrace/client/react';
import { sentenceOf } from '@tailrace/client/timeline';
import type { FoundKind, FoundPlace } from '@tailrace/protocol';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Search, X } from 'lucide-react';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useKeys } from '../shell/keys.ts';
import { useTitle } from '../shell/title.ts';
import { PlainText } from '../text/plain-text.tsx';
import { Button } from '../ui/button.tsx';
import { Time } from '../ui/figures.tsx';
import { sessionName, shortId } from '../ui/session-name.ts';
import { Empty, Loading, Trouble } from '../ui/states.tsx';
import { type FindPeriod, type FindSearch, KINDS, PERIODS, sinceOf } from './find-search.ts';
import { Snippet } from './snippet.tsx';

const route = getRouteApi('/search');

/** Whoever types goes on typing for so long. */
const TYPING_MS = 150;
const LIMIT = 50;

export function SearchPage(): ReactElement {
  const search = route.useSearch();
  const navigate = useNavigate();
  const client = useClient();
  useTitle('Search');
  const { words = '', kind, session, within } = search;
  const since = sinceOf(within, Date.now());
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['search', words, kind, session, since],
    queryFn: ({ signal }) =>
      client.http.search(
        {
          q: words,
          limit: LIMIT,
          ...(kind && { kind }),
          ...(session !== undefined && { session }),
          ...(since !== undefined && { since }),
        },
        { signal },
      ),
    enabled: words.trim() !== '',
    placeholderData: keepPreviousData,
  });
  const onSearch = (change: FindSearch): void =>
    void navigate({ to: '/search', search: { ...search, ...change }, replace: true });
  const isAsked = words.trim() !== '';
  const items = isAsked ? data?.items : undefined;

  return (
    <main className="mx-auto flex max-w-[860px] flex-col gap-4 px-4 py-6">
      <h1 className="sr-only">Search</h1>
      <WordsField words={words} onWords={(next) => onSearch({ words: next === '' ? undefined : next })} />
      <Narrowing search={search} onChange={onSearch} />
      {error && isAsked ? (
        <Trouble title="Nothing could be looked for" action={<Button onClick={() => void refetch()}>Try again</Button>}>
          {sentenceOf(error)}
        </Trouble>
      ) : !isAsked ? (
        <Empty title="Search everything">
          Prompts, answers, commands, paths and titles of all sessions. All words have to occur; “a few words” in
          quotation marks stand as they are.
        </Empty>
      ) : items === undefined ? (
        <Loading label="Searching" />
      ) : items.length === 0 ? (
        isFetching ? (
          <Loading label="Searching" />
        ) : (
          <NothingFound search={search} onChange={onSearch} />
        )
      ) : (
        <>
          <p className="text-xs text-muted" role="status">
            {items.length === LIMIT
              ? `The best ${LIMIT} places`
              : items.length === 1
                ? '1 place'
                : `${items.length} places`}
          </p>
          <ol className="flex flex-col border-t border-line" aria-label="Places">
            {items.map((place) => (
              <Place
                key={`${place.sessionId} ${place.position} ${place.kind} ${place.toolCallId} ${place.snippet}`}
                place={place}
                onOnly={session === undefined ? () => onSearch({ session: place.sessionId }) : undefined}
              />
            ))}
          </ol>
        </>
      )}
    </main>
  );
}

interface WordsFieldProps {
  readonly words: string;
  readonly onWords: (words: string) => void;
}

function WordsField({ words, onWords }: WordsFieldProps): ReactElement {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(words);
  const asked = useRef(words);
  // The address may change by itself: back, forward, a link.
  useEffect(() => {
    if (words !== asked.current) setText(words);
    asked.current = words;
  }, [words]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed is waited for
  useEffect(() => {
    if (text === asked.current) return;
    const timer = setTimeout(() => {
      asked.current = text;
      onWords(text);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => field.current?.focus(), []);
  useKeys([{ keys: '/', label: 'what to search for', group: 'search', run: () => field.current?.select() }]);
  return (
    <search className="relative">
      <Search
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
        aria-hidden="true"
      />
      <input
        ref={field}
        type="search"
        value={text}
        maxLength={200}
        placeholder="Search everything"
        aria-label="Search everything"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        className="h-10 w-full rounded-md border border-line bg-raised pr-3 pl-9 text-base placeholder:text-muted hover:border-strong-line"
      />
    </search>
  );
}

const KIND_LABELS: Readonly<Record<FoundKind, string>> = {
  prompt: 'prompts',
  answer: 'answers',
  command: 'commands',
  path: 'paths',
  title: 'titles',
};
const KIND_WORDS: Readonly<Record<FoundKind, string>> = {
  prompt: 'prompt',
  answer: 'answer',
  command: 'command',
  path: 'path',
  title: 'title',
};
const PERIOD_LABELS: Readonly<Record<FindPeriod, string>> = {
  day: 'since yesterday',
  week: '7 days',
  month: '30 days',
  year: 'a year',
};

interface NarrowingProps {
  readonly search: FindSearch;
  readonly onChange: (change: FindSearch) => void;
}

function Narrowing({ search: { kind, session, within }, onChange }: NarrowingProps): ReactElement {
  const look = (isSet: boolean): string =>
    `h-7 rounded-md border bg-raised px-1.5 text-xs hover:border-strong-line ${isSet ? 'border-strong-line text-text' : 'border-line text-muted'}`;
  return (
    <fieldset className="flex flex-wrap items-center gap-1.5">
      <legend className="sr-only">Where to search</legend>
      <select
        aria-label="Kind"
        value={kind ?? ''}
        onChange={({ target }) => onChange({ kind: KINDS.find((one) => one === target.value) })}
        className={look(kind !== undefined)}
      >
        <option value="">everything</option>
        {KINDS.map((one) => (
          <option key={one} value={one}>
            {KIND_LABELS[one]}
          </option>
        ))}
      </select>
      <select
        aria-label="Period"
        value={within ?? ''}
        onChange={({ target }) => onChange({ within: PERIODS.find((one) => one === target.value) })}
        className={look(within !== undefined)}
      >
        <option value="">all the time</option>
        {PERIODS.map((one) => (
          <option key={one} value={one}>
            {PERIOD_LABELS[one]}
          </option>
        ))}
      </select>
      {session !== undefined && (
        <Button
          size="sm"
          aria-label="Search in all sessions"
          className="border-strong-line!"
          onClick={() => onChange({ session: undefined })}
        >
          one session: <PlainText text={shortId(session)} />
          <X className="size-3.5" aria-hidden="true" />
        </Button>
      )}
    </fieldset>
  );
}

function NothingFound({ search, onChange }: NarrowingProps): ReactElement {
  const { words = '', kind, session, within } = search;
  const isNarrowed = kind !== undefined || session !== undefined || within !== undefined;
  return (
    <Empty
      title="Nothing was found"
      action={
        isNarrowed && (
          <Button onClick={() => onChange({ kind: undefined, session: undefined, within: undefined })}>
            Search everywhere
          </Button>
        )
      }
    >
      <PlainText text={`All of “${words}” stands nowhere${isNarrowed ? ' in what was chosen above' : ''}.`} />
    </Empty>
  );
}

interface PlaceProps {
  readonly place: FoundPlace;
  readonly onOnly: (() => void) | undefined;
}

function Place({ place, onOnly }: PlaceProps): ReactElement {
  const { sessionId, title, project, kind, snippet, ranges, at } = place;
  return (
    <li className="group relative flex flex-col gap-0.5 border-b border-line px-3 py-2.5 hover:bg-sunken">
      <p className="flex min-w-0 items-baseline gap-2 text-xs text-muted">
        <span className="shrink-0">{KIND_WORDS[kind]}</span>
        {project !== null && (
          <span className="max-w-40 shrink-0 truncate">
            <PlainText text={project} />
          </span>
        )}
        <span className="min-w-0 truncate">
          <PlainText text={sessionName(sessionId, title)} />
        </span>
        <span className="ml-auto shrink-0">{at !== null && <Time at={at} />}</span>
      </p>
      <Link
        to="/sessions/$sessionId"
        params={{ sessionId }}
        search={placeSearch(place)}
        className={`text-sm break-words after:absolute after:inset-0 ${kind === 'command' || kind === 'path' ? 'font-mono' : ''}`}
      >
        <Snippet text={snippet} ranges={ranges} />
      </Link>
      {onOnly && (
        <button
          type="button"
          onClick={onOnly}
          className="relative self-start rounded-sm text-xs text-muted underline-offset-2 hover:text-text hover:underline"
        >
          only this session
        </button>
      )}
    </li>
  );
}

/** A call is known by its id; for anything else the session's page looks what its line has become. */
export function placeSearch({ toolCallId, position }: Pick<FoundPlace, 'toolCallId' | 'position'>): {
  readonly part?: string;
  readonly position?: number;
} {
  if (toolCallId !== null) return { part: `call:${toolCallId}` };
  // The name that a person gave stands on no line.
  return position > 0 ? { position } : {};
}
