// A server of this data folder runs already: whoever looks at it types the code from its terminal, as in the page.

import { isClientError } from '@tailrace/client';
import { useClient } from '@tailrace/client/react';
import { sentenceOf } from '@tailrace/client/timeline';
import { type ReactElement, useState } from 'react';
import { Drawn } from './drawn.tsx';
import { typed } from './keys.ts';
import { bodyHeight, Frame, keyLine, rule, type Size } from './screen.tsx';
import { useLatest } from './scroll/use-pane.ts';
import { type Line, span, strong } from './text/line.ts';
import { own } from './text/shown.ts';
import { wrap } from './text/wrap.ts';
import { useKeys } from './use-keys.tsx';

export interface SignInScreenProps {
  readonly url: string;
  readonly size: Size;
  readonly onLeave: () => void;
}

export function SignInScreen({ url, size, onLeave }: SignInScreenProps): ReactElement {
  const client = useClient();
  const code = useLatest('');
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);

  async function signIn(): Promise<void> {
    setBusy(true);
    setProblem('');
    try {
      await client.http.signIn(code.get().trim().toUpperCase());
    } catch (error) {
      code.put('');
      setProblem(refusalOf(error));
    }
    setBusy(false);
  }

  async function askForCode(): Promise<void> {
    try {
      await client.http.askForCode();
      setProblem('A new code is in the terminal of the server.');
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  }

  useKeys((key) => {
    if (key === '<escape>') return onLeave();
    if (isBusy) return;
    if (key === '<enter>') return void (code.get() !== '' && signIn());
    if (key === '<ctrl-n>') return void askForCode();
    const next = typed(code.get(), key);
    if (next !== undefined) code.set(next.slice(0, 40));
  });

  const head: readonly Line[] = [[strong(' Tailrace')], rule(size.columns)];
  const foot: readonly Line[] = [
    keyLine(
      [
        ['Enter', 'sign in'],
        ['Ctrl-N', 'show a new code there'],
        ['Esc', 'leave'],
      ],
      size.columns,
    ),
  ];
  const lines: readonly Line[] = [
    [],
    [span('  Your server runs already, at '), span(own(url), 'working')],
    [span('  Type the code that stands in its terminal.', 'muted')],
    [span('  None stands there? Ctrl-N has a new one shown, for a minute.', 'muted')],
    [],
    [strong('  code: '), span(code.get()), { text: ' ', isTurned: true }],
    [],
    ...wrap(own(problem), size.columns - 4).map((row): Line => [span(`  ${row}`)]),
  ];
  return (
    <Frame size={size} head={head} foot={foot}>
      <Drawn lines={lines} width={size.columns} height={bodyHeight(size, head, foot)} />
    </Frame>
  );
}

/** Why a code was not taken, for whoever typed it. */
function refusalOf(error: unknown): string {
  return isClientError(error) && error.problem?.code === 'unauthenticated'
    ? 'This code is not taken: it is wrong, too old, or was used or tried too often. Ctrl-N shows a new one.'
    : sentenceOf(error);
}
