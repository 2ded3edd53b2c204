// What a tool gave back, or what came with a prompt: texts, images, resources and values.

import type { ContentPart } from '@tailrace/core';
import type { ReactElement } from 'react';
import { Code } from '../text/code.tsx';
import { showBytes } from '../text/fold.ts';
import { PlainText } from '../text/plain-text.tsx';
import { SafeLink } from '../text/safe-link.tsx';
import { withoutAnsi } from './ansi.ts';
import { imageAddress } from './image-address.ts';
import { JsonTree } from './json-tree.tsx';

export interface ContentProps {
  readonly parts: readonly ContentPart[];
  readonly maxLines?: number;
  readonly keep?: 'first' | 'last';
  readonly label?: string;
}

export function Content({ parts, maxLines = 12, keep = 'first', label = 'output' }: ContentProps): ReactElement {
  return (
    <>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a content have no other name than their place.
        <ContentView key={index} part={part} maxLines={maxLines} keep={keep} label={label} />
      ))}
    </>
  );
}

interface ContentViewProps extends Required<Omit<ContentProps, 'parts'>> {
  readonly part: ContentPart;
}

function ContentView({ part, maxLines, keep, label }: ContentViewProps): ReactElement | null {
  switch (part.type) {
    case 'text':
      if (part.text.trim() === '') return null;
      return <Code text={withoutAnsi(part.text)} maxLines={maxLines} keep={keep} label={label} isWrapped />;
    case 'image':
    case 'audio':
      return <Picture part={part} />;
    case 'resource':
      return (
        <div className="flex min-w-0 flex-col gap-1 text-sm">
          <SafeLink address={part.uri} words={part.title ?? ''}>
            {part.title === undefined ? undefined : <PlainText text={part.title} />}
          </SafeLink>
          {part.text !== undefined && (
            <Code text={withoutAnsi(part.text)} maxLines={maxLines} label={label} isWrapped />
          )}
        </div>
      );
    case 'json':
      return <JsonTree value={part.value} label={label} />;
  }
}

type PicturePart = Extract<ContentPart, { readonly type: 'image' | 'audio' }>;

/** Only pictures that came along are shown, and only in forms that can do nothing but be looked at. */
function Picture({ part }: { readonly part: PicturePart }): ReactElement {
  const address = part.type === 'image' ? imageAddress(part) : undefined;
  const size = part.data === undefined ? '' : `, ${showBytes(Math.floor((part.data.length * 3) / 4))}`;
  return (
    <figure className="flex flex-col items-start gap-1">
      {address !== undefined && (
        <img
          src={address}
          alt={`of the form ${part.mediaType}`}
          className="max-h-96 max-w-full rounded-md border border-line bg-raised object-contain"
        />
      )}
      <figcaption className="text-xs text-muted wrap-anywhere">
        {part.type}: <PlainText text={`${part.mediaType}${size}`} />
        {address === undefined && part.uri !== undefined && (
          <>
            {' '}
            <PlainText text={part.uri.slice(0, 200)} />
          </>
        )}
      </figcaption>
    </figure>
  );
}
