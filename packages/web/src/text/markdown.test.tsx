// @vitest-environment happy-dom

import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Markdown } from './markdown.tsx';

const drawn = vi.hoisted((): string[] => []);
vi.mock('react-markdown', async (original) => {
  const module = await original<typeof import('react-markdown')>();
  return {
    ...module,
    default: (props: Parameters<typeof module.default>[0]) => {
      drawn.push(props.children ?? '');
      return module.default(props);
    },
  };
});

beforeEach(() => {
  drawn.length = 0;
});
afterEach(cleanup);

test('a delta draws only the last block', () => {
  const text = '# Title\n\nFirst words.\n\n- one\n- two\n\nLast';
  const { rerender } = render(<Markdown text={text} isStreaming />);
  expect(drawn).toHaveLength(4);
  drawn.length = 0;
  rerender(<Markdown text={`${text} words`} isStreaming />);
  expect(drawn).toEqual(['Last words']);
  drawn.length = 0;
  rerender(<Markdown text={`${text} words\n\nAnother`} isStreaming />);
  expect(drawn).toEqual(['Last words\n\n', 'Another']);
});

test('what was read is not read again when it comes back', () => {
  const text = 'Words that come, go, and come back.';
  render(<Markdown text={text} />).unmount();
  expect(drawn).toEqual([text]);
  const { container } = render(<Markdown text={text} />);
  expect(drawn).toEqual([text]);
  expect(container.textContent).toBe(text);
});

test('a long block that grows is drawn now and then, and in the end as it is', async () => {
  let text = '- item\n'.repeat(400);
  const { rerender, container } = render(<Markdown text={text} isStreaming />);
  drawn.length = 0;
  for (let delta = 0; delta < 50; delta++) {
    text += `- item ${delta}\n`;
    rerender(<Markdown text={text} isStreaming />);
  }
  expect(drawn.length).toBeLessThan(10);
  await waitFor(() => expect(container.textContent).toContain('item 49'));
  rerender(<Markdown text={`${text}- the last`} />);
  expect(container.textContent).toContain('the last');
});

test('headings, lists, tables and tasks are what they are', () => {
  render(
    <Markdown text={'# Title\n\n- [x] did\n- [ ] will\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n1. one\n   - in it'} />,
  );
  expect(screen.getByRole('heading', { name: 'Title' })).toBeDefined();
  expect(screen.getByRole('img', { name: 'done' })).toBeDefined();
  expect(screen.getByRole('img', { name: 'not done' })).toBeDefined();
  expect(screen.getByRole('table')).toBeDefined();
  expect(screen.getAllByRole('columnheader')).toHaveLength(2);
});

test.each(['https://example.com/a', 'http://example.com/a', 'mailto:someone@example.com'])(
  '%s is a link',
  (address) => {
    render(<Markdown text={`[words](${address})`} />);
    const link = screen.getByRole('link', { name: 'words' });
    expect(link.getAttribute('href')).toBe(address);
    expect(link.getAttribute('target')).toBe('_blank');
    expect(link.getAttribute('rel')).toBe('noopener noreferrer');
    expect(link.getAttribute('title')).toMatch(/example\.com$/);
  },
);

const PAYLOADS = [
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](vbscript:msgbox(1))',
  '[x](file:///etc/passwd)',
  '[x](/api/sign-out)',
  '[x](//evil.example)',
  '<javascript:alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<style>*{background:url(https://evil.example)}</style>',
  '![x](https://evil.example/pixel.png)',
  '![x][r]\n\n[r]: https://evil.example/pixel.png',
  '<math><mi xlink:href="data:x,<script>alert(1)</script>">',
  '[x]: javascript:alert(1)\n\n[x]',
  '<details open ontoggle=alert(1)>',
];

test.each(PAYLOADS)('[T-17] %s stays text', (payload) => {
  const { container } = render(<Markdown text={payload} />);
  expect(
    container.querySelector('script, img, svg image, iframe, style, a, math, details, [onerror], [onload]'),
  ).toBeNull();
});

test('an image is named and its address is text', () => {
  const { container } = render(<Markdown text="![a wheel](https://evil.example/p.png)" />);
  expect(container.textContent).toContain('a wheel');
  expect(container.textContent).toContain('https://evil.example/p.png');
});

test('raw HTML is shown as it was written', () => {
  const { container } = render(<Markdown text={'Take <b>this</b> one'} />);
  expect(container.textContent).toBe('Take <b>this</b> one');
});

test('a link that names another place than it leads to says where it leads', () => {
  const { container } = render(
    <Markdown text="[google.com](https://evil.example/) and [words](https://fine.example/)" />,
  );
  expect(container.textContent).toBe('google.com (evil.example) and words');
});

test('[T-19] hidden characters are marked in code and in the words of a link', () => {
  const { container } = render(<Markdown text={'`rm\u202e` and [go\u200bod](https://example.com)'} />);
  expect([...container.querySelectorAll('mark')].map(({ title }) => title)).toEqual([
    'U+202E right-to-left override',
    'U+200B zero width space',
  ]);
});

test('a fence is code with a copy button', () => {
  const { container } = render(<Markdown text={'```ts\nconst a = 1;\n```'} />);
  expect(container.querySelector('pre')?.textContent).toBe('const a = 1;');
  expect(screen.getByRole('button', { name: 'Copy code' })).toBeDefined();
});

test.each([
  ['a megabyte in one block', 'word '.repeat(200_000)],
  ['forty thousand stars', '*a '.repeat(13_000)],
  ['brackets', '['.repeat(40_000)],
  ['pictures', '!['.repeat(20_000)],
  ['nested quotes', `${'> '.repeat(20_000)}x`],
  ['backticks', '`a'.repeat(20_000)],
])('%s does not hold the page up, and none of it is lost', (_, text) => {
  const begin = performance.now();
  const { container } = render(<Markdown text={text} />);
  expect(performance.now() - begin).toBeLessThan(2000);
  expect(container.textContent?.length).toBeGreaterThan(1000);
});

test('an empty cell at the head of a table is no header', () => {
  render(<Markdown text={'|  | A |\n|---|---|\n| b | c |'} />);
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['A']);
  expect(screen.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['', 'b', 'c']);
});
