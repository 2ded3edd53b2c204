// Finds sessions, from everywhere. What is typed stands in the address of the home page.

import { useLocation, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';

const FIELD_ID = 'find';

export function focusFind(): void {
  const field = document.getElementById(FIELD_ID);
  if (field instanceof HTMLInputElement) {
    field.focus();
    field.select();
  }
}

export function FindField(): ReactElement {
  const navigate = useNavigate();
  const isHome = useLocation({ select: ({ pathname }) => pathname === '/' });
  const asked = useLocation({ select: ({ search }) => ('q' in search ? String(search.q) : '') });
  const [text, setText] = useState(asked);
  // The address may change by itself: back, forward, a link.
  useEffect(() => setText(asked), [asked]);

  function find(next: string): void {
    const q = next.trim() === '' ? undefined : next;
    void navigate({ to: '/', search: (before) => ({ ...(isHome ? before : {}), q }), replace: isHome });
  }

  return (
    <search className="relative w-full max-w-80 min-w-0">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          find(text);
        }}
      >
        <Search
          className="pointer-events-none absolute top-1/2 left-2 size-3.5 -translate-y-1/2 text-muted"
          aria-hidden="true"
        />
        <input
          id={FIELD_ID}
          type="search"
          value={text}
          maxLength={200}
          placeholder="Find sessions"
          aria-label="Find sessions"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setText(event.target.value);
            if (isHome) find(event.target.value);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            setText('');
            if (isHome) find('');
            event.currentTarget.blur();
          }}
          className="h-8 w-full rounded-md border border-line bg-raised pr-2 pl-7 text-sm placeholder:text-muted"
        />
      </form>
    </search>
  );
}
