// The words of an agent as formatted text: no HTML, no images, no addresses but of web pages and letters. Each block is drawn on its
// own and only when its text changes, so that a growing answer costs what its last block costs.

import { Component, memo, type ReactElement, type ReactNode, useState } from 'react';
import { createBlockSplitter } from './blocks.ts';
import { useCalmText } from './calm-text.ts';
import { Code } from './code.tsx';
import { readMarkdown } from './read-markdown.ts';
import { AsItIs, useShowable } from './shown.tsx';

export interface MarkdownProps {
  readonly text: string;
  /** It still grows. */
  readonly isStreaming?: boolean;
}

const PLAIN_LINES = 60;

export const Markdown = memo(function Markdown({ text, isStreaming = false }: MarkdownProps): ReactElement {
  const [splitter] = useState(createBlockSplitter);
  const blocks = splitter.split(text);
  return (
    <div className="flex min-w-0 flex-col gap-3" aria-busy={isStreaming}>
      {blocks.map((block, index) =>
        block.isPlain ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end.
          <Code key={index} text={block.text} maxLines={PLAIN_LINES} isWrapped label="text" />
        ) : (
          <MarkdownBlock
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end.
            key={index}
            text={block.text}
            isGrowing={isStreaming && index === blocks.length - 1}
          />
        ),
      )}
    </div>
  );
});

interface MarkdownBlockProps {
  readonly text: string;
  readonly isGrowing: boolean;
}

const MarkdownBlock = memo(function MarkdownBlock({ text, isGrowing }: MarkdownBlockProps): ReactElement {
  const { text: shown, isOpen, more } = useShowable(useCalmText(text, isGrowing), isGrowing);
  return (
    <AsItIs isSo={isOpen}>
      <IfUnreadable text={shown} instead={<Code text={shown} maxLines={PLAIN_LINES} isWrapped label="text" />}>
        <Elements text={shown} isGrowing={isGrowing} />
      </IfUnreadable>
      {more}
    </AsItIs>
  );
});

const Elements = memo(
  ({ text, isGrowing }: MarkdownBlockProps): ReactElement => readMarkdown(text, isGrowing),
  // That it has stopped growing changes nothing of what is shown.
  (before, after) => before.text === after.text,
);

interface IfUnreadableProps {
  readonly text: string;
  readonly instead: ReactNode;
  readonly children: ReactNode;
}

/** Text can be nested deeper than the reader of markdown can follow; then it is shown as it is. */
class IfUnreadable extends Component<IfUnreadableProps> {
  override state: { readonly isUnreadable: boolean } = { isUnreadable: false };

  static getDerivedStateFromError(): { readonly isUnreadable: boolean } {
    return { isUnreadable: true };
  }

  override componentDidUpdate({ text }: IfUnreadableProps): void {
    // What has grown since may be readable.
    if (this.state.isUnreadable && text !== this.props.text) this.setState({ isUnreadable: false });
  }

  override render(): ReactNode {
    return this.state.isUnreadable ? this.props.instead : this.props.children;
  }
}
