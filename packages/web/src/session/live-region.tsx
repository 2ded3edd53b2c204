import type { Conversation } from '@tailrace/core';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { announcementOf } from './announce.ts';

/** Reads out what is finished while the session goes on; what was there before is not read. */
export function LiveRegion({ conversation }: { readonly conversation: Conversation }): ReactElement {
  const last = useRef(conversation);
  const [text, setText] = useState('');
  useEffect(() => {
    const news = announcementOf(last.current, conversation);
    last.current = conversation;
    if (news !== undefined) setText(news);
  }, [conversation]);
  return (
    <div aria-live="polite" className="sr-only">
      {text}
    </div>
  );
}
