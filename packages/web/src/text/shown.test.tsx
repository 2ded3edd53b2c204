// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { JsonTree } from '../cards/json-tree.tsx';
import { Code } from './code.tsx';
import { Diff } from './diff.tsx';
import { Markdown } from './markdown.tsx';
import { PlainText } from './plain-text.tsx';
import { AsItIs, redaction, shown } from './shown.tsx';

const SECRET = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;
const MARK = '[redacted: github-token, 40 characters]';
const KEY_ROWS = [
  '-----BEGIN RSA PRIVATE KEY-----',
  'MIIEowIBAAKCAQEAtrace',
  'b1c2d3e4',
  '-----END RSA PRIVATE KEY-----',
];

afterEach(() => {
  cleanup();
  act(() => redaction.set('on'));
});

const everywhere = (
  <>
    <PlainText text={`a ${SECRET}`} />
    <Code text={`export TOKEN=${SECRET}\necho done`} language="bash" />
    <Markdown text={`It is **${SECRET}**.\n\n\`\`\`\ncurl -H ${SECRET}\n\`\`\`\n`} />
    <Diff change={{ path: 'a', operation: 'modify', oldText: 'x\n', newText: `x\nkey = ${SECRET}\n` }} />
    <JsonTree value={{ list: [{ token: SECRET }], password: 'hunter2' }} />
  </>
);

test('[T-28] no secret is on the screen until the person wants that in this browser', () => {
  const { container } = render(everywhere);
  expect(container.innerHTML).not.toContain(SECRET);
  expect(container.innerHTML).not.toContain('hunter2');
  expect(container.textContent?.split(MARK)).toHaveLength(7);
  act(() => redaction.set('off'));
  expect(container.textContent?.split(SECRET)).toHaveLength(7);
  expect(container.textContent).toContain('hunter2');
  expect(shown(SECRET)).toBe(SECRET);
  expect(screen.queryByRole('button', { name: /redacted/ })).toBeNull();
});

test('what was redacted in a block opens by a click, and closes', async () => {
  const { container } = render(<Markdown text={`Use \`${SECRET}\` now.`} />);
  await userEvent.click(screen.getByRole('button', { name: 'show what was redacted' }));
  expect(container.textContent).toContain(`Use ${SECRET} now.`);
  await userEvent.click(screen.getByRole('button', { name: 'redact it again' }));
  expect(container.textContent).toContain(`Use ${MARK} now.`);
});

test('a fence in an opened block needs no second click', async () => {
  const { container } = render(<Markdown text={`\`\`\`\n${SECRET}\n\`\`\``} />);
  await userEvent.click(screen.getByRole('button', { name: 'show what was redacted' }));
  expect(container.querySelector('pre')?.textContent).toBe(SECRET);
});

test('while a text grows, no beginning of a secret is seen', () => {
  const { container, rerender } = render(<Markdown text="" isStreaming />);
  const text = `It is ${SECRET} now.`;
  for (let length = 1; length < text.length; length++) {
    rerender(<Markdown text={text.slice(0, length)} isStreaming />);
    expect(container.textContent, String(length)).not.toContain('ghp_1');
  }
  rerender(<Markdown text={text} />);
  expect(container.textContent).toContain(`It is ${MARK} now.`);
});

test('a key that goes over lines is taken out of a change, and the lines stay', async () => {
  const { container } = render(
    <Diff
      change={{ path: 'id_rsa', operation: 'modify', oldText: 'a\n', newText: `a\n${KEY_ROWS.join('\n')}\nb\n` }}
    />,
  );
  expect(container.textContent).not.toContain('b1c2d3e4');
  expect(container.textContent).toContain('[redacted: private-key');
  expect(container.querySelectorAll('tr')).toHaveLength(6);
  await userEvent.click(screen.getByRole('button', { name: 'show what was redacted' }));
  expect(container.textContent).toContain('b1c2d3e4');
});

test('two secrets of the same length are a change all the same', () => {
  const other = SECRET.replace('16C7', '99Z9');
  const { container } = render(
    <Diff change={{ path: 'a', operation: 'modify', oldText: `k=${SECRET}\n`, newText: `k=${other}\n` }} />,
  );
  expect(container.textContent).not.toContain(other);
  expect(container.querySelectorAll('tr')).toHaveLength(2);
});

test('what waits for an approval is shown as it is', () => {
  const { container } = render(<AsItIs>{everywhere}</AsItIs>);
  expect(container.textContent?.split(SECRET)).toHaveLength(7);
});
