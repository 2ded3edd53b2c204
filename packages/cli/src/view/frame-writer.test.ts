import xterm from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFrameWriter } from './frame-writer.ts';

interface Screen {
  readonly write: (frame: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  /** What a person sees by now. */
  seen(): Promise<readonly string[]>;
  readonly written: () => string;
}

function createScreen(columns: number, rows: number): Screen {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  // The other screen, as the view has it: nothing of it scrolls away.
  terminal.write('\u001b[?1049h');
  let listener = (): void => {};
  let written = '';
  const size = { columns, rows };
  const writer = createFrameWriter({
    get columns() {
      return size.columns;
    },
    get rows() {
      return size.rows;
    },
    write(text) {
      written += text;
      terminal.write(text);
    },
    on(_event, hear) {
      listener = hear;
    },
    off: () => undefined,
  });
  return {
    write: (frame) => void writer.stdout.write(frame),
    resize(nextColumns, nextRows) {
      Object.assign(size, { columns: nextColumns, rows: nextRows });
      terminal.resize(nextColumns, nextRows);
      listener();
    },
    async seen() {
      await new Promise<void>((resolve) => terminal.write('', resolve));
      return Array.from(
        { length: terminal.rows },
        (_, row) => terminal.buffer.active.getLine(row)?.translateToString(true) ?? '',
      );
    },
    written: () => written,
  };
}

const anyFrame = (columns: number, rows: number): fc.Arbitrary<readonly string[]> =>
  fc.array(
    fc.stringMatching(/^[a-z─]{0,40}$/).map((row) => row.slice(0, columns)),
    { minLength: 1, maxLength: rows },
  );

test('whatever frames there were, the last one is what is seen: also when it fills the screen', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyFrame(20, 6), { minLength: 1, maxLength: 8 }), async (frames) => {
      const screen = createScreen(20, 6);
      for (const frame of frames) screen.write(frame.join('\n'));
      const last = frames.at(-1) ?? [];
      expect(await screen.seen()).toEqual(Array.from({ length: 6 }, (_, row) => last[row] ?? ''));
    }),
  );
});

test('after a resize nothing of the old frame is left', async () => {
  const screen = createScreen(20, 6);
  screen.write(Array.from({ length: 6 }, (_, row) => `old row ${row} ${'x'.repeat(8)}`).join('\n'));
  // What was written is there before its terminal changes.
  await screen.seen();
  screen.resize(10, 3);
  screen.write('one\ntwo');
  expect(await screen.seen()).toEqual(['one', 'two', '']);
  screen.resize(30, 8);
  screen.write('one\ntwo');
  expect((await screen.seen()).join('')).toBe('onetwo');
});

test('only the rows that changed are written', () => {
  const screen = createScreen(20, 6);
  screen.write('same\nold\nsame');
  const before = screen.written().length;
  screen.write('same\nnew\nsame');
  const change = screen.written().slice(before);
  expect(change).toContain('new');
  expect(change).not.toContain('same');
  screen.write('same\nnew\nsame');
  expect(screen.written().length).toBe(before + change.length);
});
