// The view in the hands of a test: a client that says what the test wants, keys that are pressed, and what is on the screen.

import type { FeedMessage } from '@tailrace/client';
import { TailraceProvider } from '@tailrace/client/react';
import { cleanup, render } from 'ink-testing-library';
import { onTestFinished } from 'vitest';
import { createTestClient, type TestClient, testSession } from '../../../web/test/test-client.ts';
import { App } from '../../src/view/app.tsx';
import { type Codes, createCodes } from '../../src/view/connect/codes.ts';

export interface Stage {
  readonly client: TestClient;
  /** What is on the screen. */
  frame(): string;
  rows(): readonly string[];
  /** Every frame so far, as it was written. */
  readonly frames: readonly string[];
  press(...keys: readonly string[]): Promise<void>;
  /** Waits until this stands on the screen. */
  see(text: string | RegExp): Promise<string>;
  /** Waits until it does not. */
  miss(text: string): Promise<string>;
  resize(columns: number, rows: number): void;
  readonly copied: readonly string[];
  readonly left: readonly number[];
  /** How often the bell was rung. */
  rung(): number;
}

export interface StageOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly client?: TestClient;
  readonly past?: readonly FeedMessage[];
  readonly warning?: () => string | undefined;
  readonly codes?: Codes;
  readonly isOwnServer?: boolean;
}

export const KEYS = {
  enter: '\r',
  escape: '\u001b',
  up: '\u001b[A',
  down: '\u001b[B',
  pageUp: '\u001b[5~',
  pageDown: '\u001b[6~',
} as const;

/** A client that tells of one session, and of all that happened in it. */
export function clientOf(past: readonly FeedMessage[], more: Parameters<typeof testSession>[1] = {}): TestClient {
  return createTestClient({ sessions: [testSession('s', { title: 'A quiet afternoon', ...more })], past });
}

export function showView(options: StageOptions = {}): Stage {
  const { columns = 80, rows = 24, client = clientOf(options.past ?? []), warning = () => undefined } = options;
  const copied: string[] = [];
  const left: number[] = [];
  let rung = 0;
  // What the client of the page's tests does not have.
  Object.assign(client.http, {
    events: () => Promise.reject(new Error('not here')),
    session: () => Promise.reject(new Error('not here')),
    line: async () => new Response('{"the":"line as it came"}'),
  });
  const { codes = createCodes() } = options;
  const view = render(
    <TailraceProvider client={client}>
      <App
        url="http://127.0.0.1:7317"
        codes={codes}
        isOwnServer={options.isOwnServer ?? true}
        warning={warning}
        onLeave={(code) => left.push(code)}
        onCopy={(text) => copied.push(text)}
        onRing={() => void rung++}
      />
    </TailraceProvider>,
  );
  onTestFinished(() => cleanup());
  const size = { columns, rows };
  Object.defineProperty(view.stdout, 'columns', { get: () => size.columns });
  Object.defineProperty(view.stdout, 'rows', { get: () => size.rows });
  view.stdout.emit('resize');
  const frame = (): string => bare(view.lastFrame() ?? '');

  async function until(isSo: () => boolean, what: string): Promise<string> {
    const end = Date.now() + 60_000;
    while (!isSo()) {
      if (Date.now() > end) throw new Error(`${what}:\n${frame()}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return frame();
  }

  return {
    client,
    frame,
    rows: () => frame().split('\n'),
    frames: view.frames,
    async press(...keys) {
      for (const key of keys) {
        view.stdin.write(key);
        // An escape is a key when nothing follows it for a while: with what comes at once it would be another one.
        await new Promise((resolve) => setTimeout(resolve, key === KEYS.escape ? 60 : 0));
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    see: (text) =>
      until(() => (typeof text === 'string' ? frame().includes(text) : text.test(frame())), `never seen: ${text}`),
    miss: (text) => until(() => !frame().includes(text), `still there: ${text}`),
    resize(nextColumns, nextRows) {
      Object.assign(size, { columns: nextColumns, rows: nextRows });
      view.stdout.emit('resize');
    },
    copied,
    left,
    rung: () => rung,
  };
}

/** Without our own colours. */
function bare(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours are made of
  return text.replaceAll(/\u001b\[[\d;]*m/g, '');
}
