// One field that leads everywhere: to a session, a page, or something to do. Loaded when it is first opened.

import { useClient, useSessions, useStatus } from '@tailrace/client/react';
import { lookOf } from '@tailrace/client/timeline';
import type { SessionInfo } from '@tailrace/protocol';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { type ReactElement, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { findSessions } from '../home/find.ts';
import { PAGES } from '../shell/pages.ts';
import { signOut } from '../shell/sign-out.ts';
import { setTheme } from '../shell/theme.ts';
import { PlainText } from '../text/plain-text.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { sessionName } from '../ui/session-name.ts';
import { StateWord } from '../ui/state-word.tsx';
import { distance, fits } from './fits.ts';

export interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onKeys: () => void;
}

/** Sessions of one part of the list, and how many are offered. */
const PART = 100;
const MOST_SESSIONS = 8;
/** So many are looked through for words. */
const MOST_LOOKED_AT = 2000;

export function Palette({ isOpen, onClose, onKeys }: PaletteProps): ReactElement {
  return (
    <Dialog title="Go to" isOpen={isOpen} onClose={onClose}>
      <Choices onDone={onClose} onKeys={onKeys} />
    </Dialog>
  );
}

interface ChoicesProps {
  readonly onDone: () => void;
  readonly onKeys: () => void;
}

interface Deed {
  readonly name: string;
  readonly run: () => void;
}

function Choices({ onDone, onKeys }: ChoicesProps): ReactElement {
  const navigate = useNavigate();
  const client = useClient();
  const status = useStatus();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState('');
  const words = text.trim();
  const { sessions, hasMore, loadMore } = useSessions({ limit: PART });
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each part that came the next one is asked for
  useEffect(() => {
    if (words !== '' && hasMore && sessions.length < MOST_LOOKED_AT) loadMore();
  }, [words === '', hasMore, sessions.length]);
  const found = useMemo(() => findSessions(sessions, words).slice(0, MOST_SESSIONS), [sessions, words]);
  const deeds: readonly Deed[] = [
    { name: 'Light theme', run: () => setTheme('light') },
    { name: 'Dark theme', run: () => setTheme('dark') },
    { name: 'Theme like the system', run: () => setTheme('system') },
    { name: 'Show the keys', run: onKeys },
    ...(status.state === 'open' ? [{ name: 'Sign out', run: () => void signOut(client) }] : []),
  ];
  const choose = (run: () => void) => (): void => {
    onDone();
    run();
  };
  const pages = nearestFirst(PAGES, ({ label }) => label, words);
  const things = nearestFirst(deeds, ({ name }) => name, words);
  const [session] = found;
  const [page] = pages;
  const [thing] = things;
  // Whoever types the beginning of a page's name wants the page; other sessions can be found by more words.
  const groups = [
    {
      far: 1.5,
      first: session && `session ${session.id}`,
      shown: (
        <Group key="sessions" heading="Sessions">
          {found.map((one) => (
            <Item
              key={one.id}
              value={`session ${one.id}`}
              onSelect={choose(() => void navigate({ to: '/sessions/$sessionId', params: { sessionId: one.id } }))}
            >
              <SessionChoice session={one} />
            </Item>
          ))}
        </Group>
      ),
    },
    {
      far: page && distance(page.label, words),
      first: page && `page ${page.to}`,
      shown: (
        <Group key="pages" heading="Pages">
          {pages.map(({ to, label }) => (
            <Item key={to} value={`page ${to}`} onSelect={choose(() => void navigate({ to }))}>
              {label}
            </Item>
          ))}
        </Group>
      ),
    },
    {
      far: thing && distance(thing.name, words),
      first: thing && `do ${thing.name}`,
      shown: (
        <Group key="commands" heading="Commands">
          {things.map(({ name, run }) => (
            <Item key={name} value={`do ${name}`} onSelect={choose(run)}>
              {name}
            </Item>
          ))}
        </Group>
      ),
    },
  ]
    .filter(({ first }) => first !== undefined)
    .sort((one, other) => (one.far ?? 2) - (other.far ?? 2));
  const first = groups[0]?.first ?? 'search everything';
  // What fits best is chosen, also when it came late.
  useEffect(() => setChosen(first), [first]);
  useEffect(() => field.current?.focus(), []);

  return (
    <Command label="Go to" shouldFilter={false} loop value={chosen} onValueChange={setChosen} className="-m-4">
      <Command.Input
        ref={field}
        value={text}
        onValueChange={setText}
        maxLength={200}
        placeholder="A session, a page, something to do"
        aria-label="Go to"
        className="h-11 w-full border-b border-line bg-transparent px-4 text-base outline-none placeholder:text-muted"
      />
      <Command.List className="max-h-[50vh] overflow-y-auto p-2 text-sm">
        {groups.map(({ shown }) => shown)}
        {words !== '' && (
          <Item value="search everything" onSelect={choose(() => void navigate({ to: '/search', search: { words } }))}>
            Search everything for “<PlainText text={words} />”
          </Item>
        )}
      </Command.List>
    </Command>
  );
}

/** Those that fit; the nearest first, the others in the order they had. */
function nearestFirst<T>(all: readonly T[], nameOf: (one: T) => string, words: string): readonly T[] {
  return all
    .filter((one) => fits(nameOf(one), words))
    .sort((one, other) => distance(nameOf(one), words) - distance(nameOf(other), words));
}

function SessionChoice({ session }: { readonly session: SessionInfo }): ReactElement {
  const { title, project } = session;
  return (
    <span className="flex min-w-0 flex-1 items-baseline gap-2">
      {project !== null && (
        <span className="max-w-32 shrink-0 truncate text-xs text-muted">
          <PlainText text={project} />
        </span>
      )}
      <span className="min-w-0 flex-1 truncate">
        <PlainText text={sessionName(session.id, title)} />
      </span>
      <StateWord look={lookOf(session)} className="shrink-0 text-xs" />
    </span>
  );
}

function Group({ heading, children }: { readonly heading: string; readonly children: ReactNode }): ReactElement {
  return (
    <Command.Group
      heading={heading}
      className="pt-2 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  );
}

interface ItemProps {
  readonly value: string;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

function Item({ value, onSelect, children }: ItemProps): ReactElement {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-8 cursor-pointer items-center gap-1 rounded-sm px-2 py-1 data-[selected=true]:bg-sunken"
    >
      {children}
    </Command.Item>
  );
}
