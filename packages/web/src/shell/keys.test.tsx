// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactElement, ReactNode } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { boundKeys, useKeys } from './keys.ts';
import { KeysDialog } from './keys-dialog.tsx';

let done: string[] = [];
beforeEach(() => {
  done = [];
});
afterEach(cleanup);

function Bound({
  keys,
  name,
  children,
}: {
  readonly keys: readonly string[];
  readonly name: string;
  readonly children?: ReactNode;
}): ReactElement {
  useKeys(
    keys.map((one) => ({
      keys: one,
      label: `${name} ${one}`,
      group: name,
      run: () => void done.push(`${name} ${one}`),
    })),
  );
  return <>{children}</>;
}

const press = (key: string, more: object = {}, target: Element = document.body): boolean =>
  fireEvent.keyDown(target, { key, ...more });

test('keys work while what binds them is there', () => {
  const { unmount } = render(<Bound keys={['j', 'G', '?']} name="list" />);
  press('j');
  press('G', { shiftKey: true });
  press('?', { shiftKey: true });
  press('x');
  expect(done).toEqual(['list j', 'list G', 'list ?']);
  unmount();
  press('j');
  expect(done).toHaveLength(3);
  expect(boundKeys()).toEqual([]);
});

test('the one that came last goes first', () => {
  const { rerender } = render(<Bound keys={['/', 'a']} name="shell" />);
  rerender(
    <>
      <Bound keys={['/', 'a']} name="shell" />
      <Bound keys={['/']} name="session" />
    </>,
  );
  press('/');
  press('a');
  expect(done).toEqual(['session /', 'shell a']);
});

test('two keys one after the other are one, and other keys between them break it', () => {
  render(<Bound keys={['g g', 'j']} name="list" />);
  press('g');
  press('j');
  press('g');
  expect(done).toEqual(['list j']);
  press('g');
  expect(done).toEqual(['list j', 'list g g']);
});

test('nothing happens while somebody types, but for what has Ctrl', () => {
  render(
    <Bound keys={['j', 'ctrl+k']} name="list">
      <input aria-label="field" />
      <textarea aria-label="text" />
      <input type="checkbox" aria-label="tick" />
    </Bound>,
  );
  press('j', {}, screen.getByLabelText('field'));
  press('j', {}, screen.getByLabelText('text'));
  expect(done).toEqual([]);
  press('k', { ctrlKey: true }, screen.getByLabelText('field'));
  press('K', { metaKey: true }, screen.getByLabelText('text'));
  press('j', {}, screen.getByLabelText('tick'));
  expect(done).toEqual(['list ctrl+k', 'list ctrl+k', 'list j']);
});

test('a key with Ctrl is no key without it', () => {
  render(<Bound keys={['j']} name="list" />);
  press('j', { ctrlKey: true });
  press('j', { altKey: true });
  expect(done).toEqual([]);
});

test('Enter and Space press the button that has the focus', () => {
  render(
    <Bound keys={['Enter', ' ']} name="list">
      <button type="button">Allow</button>
    </Bound>,
  );
  expect(press('Enter', {}, screen.getByRole('button'))).toBe(true);
  expect(press(' ', {}, screen.getByRole('button'))).toBe(true);
  expect(done).toEqual([]);
  press('Enter');
  expect(done).toEqual(['list Enter']);
});

test('the list has what is bound, and while it is open no key does anything behind it', () => {
  const keys = (isOpen: boolean): ReactElement => (
    <Bound keys={['j', 'g g']} name="list">
      <KeysDialog isOpen={isOpen} onClose={() => undefined} />
    </Bound>
  );
  const { rerender } = render(keys(false));
  rerender(keys(true));
  expect(screen.getByRole('dialog', { name: 'Keys' }).textContent).toContain('list jgglist g g');
  press('j');
  expect(done).toEqual([]);
});
