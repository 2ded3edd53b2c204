// Whoever is signed out types the code that the server shows in its terminal. After that everything connects by itself.

import { isClientError } from '@tailrace/client';
import { useClient } from '@tailrace/client/react';
import { type ReactElement, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { CODE_LENGTH, codeIn } from './code-input.ts';
import { useTitle } from './title.ts';

/** So many wrong codes are listened to; after the last of them the code is dead (packages/server/src/guard/limits.ts). */
const TRIES = 5;
const TOO_LONG = `That is too long: a code has ${CODE_LENGTH} letters and digits.`;

export function SignIn(): ReactElement {
  const { http } = useClient();
  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [tries, setTries] = useState(0);
  const [message, setMessage] = useState<{ readonly text: string; readonly isBad: boolean } | null>(null);
  useTitle('Sign in');

  async function attempt(work: () => Promise<string | null>, failed: (failure: unknown) => string): Promise<void> {
    setBusy(true);
    try {
      const text = await work();
      setMessage(text === null ? null : { text, isBad: false });
    } catch (failure) {
      setMessage({ text: failed(failure), isBad: true });
    }
    setCode('');
    setBusy(false);
    field.current?.focus();
  }

  function enter(whole: string): void {
    void attempt(
      async () => {
        await http.signIn(whole);
        return null;
      },
      (failure) => {
        if (!isWrong(failure)) return reasonOf(failure);
        setTries(tries + 1);
        return wrongCode(TRIES - tries - 1);
      },
    );
  }

  function showAnother(): void {
    void attempt(async () => {
      await http.askForCode();
      setTries(0);
      return 'Another code stands in the terminal. It holds for a minute.';
    }, reasonOf);
  }

  function type(typed: string): void {
    const next = codeIn(typed);
    setCode(next);
    if (next.length > CODE_LENGTH) setMessage({ text: TOO_LONG, isBad: true });
    else if (next !== '') setMessage(null);
    if (next.length === CODE_LENGTH && !isBusy) enter(next);
  }

  const isEnterable = code !== '' && code.length <= CODE_LENGTH;
  return (
    <main className="mx-auto flex w-full max-w-sm flex-col px-4 pt-[14vh] pb-12">
      <h1 className="mb-1 text-xl font-semibold">Sign in</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy && isEnterable) enter(code);
        }}
      >
        <label htmlFor="code" className="mb-4 block text-muted">
          Type the code that tailrace shows in its terminal.
        </label>
        <input
          ref={field}
          id="code"
          // biome-ignore lint/a11y/noAutofocus: there is nothing else to do here
          autoFocus
          value={code}
          onChange={(event) => type(event.target.value)}
          readOnly={isBusy}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          aria-describedby="code-message"
          className="h-14 w-full rounded-md border border-strong-line bg-raised text-center font-mono text-xl tracking-[0.3em] uppercase read-only:opacity-60"
        />
        <p
          id="code-message"
          role={message?.isBad ? 'alert' : 'status'}
          className={`mt-2 mb-4 min-h-10 text-sm ${message?.isBad ? 'text-bad' : 'text-muted'}`}
        >
          {isBusy ? 'One moment…' : message?.text}
        </p>
        <div className="flex gap-2">
          <Button type="submit" kind="primary" disabled={isBusy || !isEnterable}>
            Sign in
          </Button>
          <Button kind="quiet" disabled={isBusy} onClick={showAnother}>
            Show another code
          </Button>
        </div>
      </form>
    </main>
  );
}

function isWrong(failure: unknown): boolean {
  return isClientError(failure) && failure.code === 'unauthenticated';
}

function wrongCode(left: number): string {
  const why = 'That is not the code, or it was used or is older than a minute.';
  if (left <= 0) return `${why} It was tried too often: show another one.`;
  return `${why} ${left === 1 ? 'One try is left.' : `${left} tries are left.`}`;
}

function reasonOf(failure: unknown): string {
  if (!isClientError(failure)) return 'Something went wrong here.';
  if (failure.code === 'too-many') return 'A code was shown a moment ago. Look in the terminal, or wait two seconds.';
  if (failure.code === 'unavailable') return 'The server does not answer. Is tailrace still running?';
  return failure.message;
}
