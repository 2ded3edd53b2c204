// What each element of markdown looks like.

import { Children, type ReactElement, type ReactNode } from 'react';
import type { Components } from 'react-markdown';
import { Code } from './code.tsx';
import { PlainText, withMarks } from './plain-text.tsx';
import { SafeLink } from './safe-link.tsx';

const FENCE_LINES = 80;

export const markdownElements: Components = {
  p: ({ children }) => <p className="max-w-[80ch] wrap-anywhere">{children}</p>,
  h1: ({ children }) => <h3 className="mt-2 max-w-[80ch] text-lg font-semibold wrap-anywhere">{children}</h3>,
  h2: ({ children }) => <h4 className="mt-2 max-w-[80ch] text-lg font-semibold wrap-anywhere">{children}</h4>,
  h3: ({ children }) => <h5 className="mt-1 max-w-[80ch] text-base font-semibold wrap-anywhere">{children}</h5>,
  h4: SmallHeading,
  h5: SmallHeading,
  h6: SmallHeading,
  ul: ({ children, className }) => (
    <ul
      className={`flex max-w-[80ch] flex-col gap-1 ${className?.includes('contains-task-list') ? 'pl-1' : 'list-disc pl-5'}`}
    >
      {children}
    </ul>
  ),
  ol: ({ children, start }) => (
    <ol start={start} className="flex max-w-[80ch] list-decimal flex-col gap-1 pl-6">
      {children}
    </ol>
  ),
  li: ({ children, className }) => (
    <li
      className={
        className?.includes('task-list-item')
          ? 'list-none wrap-anywhere'
          : 'pl-0.5 wrap-anywhere marker:text-muted [&>ol]:mt-1 [&>p+p]:mt-2 [&>ul]:mt-1'
      }
    >
      {children}
    </li>
  ),
  input: ({ checked }) => (
    <span role="img" aria-label={checked ? 'done' : 'not done'} className="mr-1.5 inline-block w-4 text-muted">
      {checked ? '☑' : '☐'}
    </span>
  ),
  blockquote: ({ children }) => (
    <blockquote className="flex max-w-[80ch] flex-col gap-2 border-l-2 border-strong-line pl-3 text-muted">
      {children}
    </blockquote>
  ),
  hr: () => <hr className="border-line" />,
  strong: ({ children }) => <strong className="font-semibold">{children}</strong>,
  table: ({ children }) => (
    <div className="max-w-full overflow-x-auto rounded-md border border-line">
      <table className="w-full text-sm">{children}</table>
    </div>
  ),
  thead: ({ children }) => <thead className="bg-sunken text-left">{children}</thead>,
  tr: ({ children }) => <tr className="border-b border-line last:border-b-0">{children}</tr>,
  // A header without words heads nothing.
  th: ({ children, style }) => {
    const Cell = Children.count(children) === 0 ? 'td' : 'th';
    return (
      <Cell className="px-3 py-1.5 font-semibold" style={style}>
        {children}
      </Cell>
    );
  },
  td: ({ children, style }) => (
    <td className="px-3 py-1.5 align-top" style={style}>
      {children}
    </td>
  ),
  a: ({ children, href }) => (
    <SafeLink address={href ?? ''} words={textOf(children)}>
      {marked(children)}
    </SafeLink>
  ),
  img: ({ alt, src }) => (
    <span className="rounded-sm border border-line bg-sunken px-1 text-sm text-muted">
      image: <PlainText text={alt || 'without a name'} />{' '}
      <span className="font-mono text-xs wrap-anywhere">
        <PlainText text={typeof src === 'string' ? src : ''} />
      </span>
    </span>
  ),
  code: ({ children }) => (
    <code className="rounded-sm bg-sunken px-1 py-0.5 text-[0.9em] wrap-anywhere">{marked(children)}</code>
  ),
  pre: ({ node }) => {
    const [code] = node?.children ?? [];
    if (code?.type !== 'element') return null;
    const [words] = code.children;
    const names = code.properties['className'];
    const name = Array.isArray(names) ? names.map(String).find((one) => one.startsWith('language-')) : undefined;
    return (
      <Code
        text={words?.type === 'text' ? words.value : ''}
        language={name?.slice('language-'.length)}
        maxLines={FENCE_LINES}
      />
    );
  },
};

function SmallHeading({ children }: { readonly children?: ReactNode }): ReactElement {
  return <h6 className="max-w-[80ch] text-sm font-semibold wrap-anywhere">{children}</h6>;
}

/** The texts among the children with their hidden characters marked. */
function marked(children: ReactNode): ReactNode {
  return Children.map(children, (child) => (typeof child === 'string' ? withMarks(child, true) : child));
}

function textOf(children: ReactNode): string {
  return Children.toArray(children)
    .filter((child) => typeof child === 'string')
    .join('');
}
