// Many rows, of which only those near the screen are made.

import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactElement, type ReactNode, useLayoutEffect, useRef, useState } from 'react';

export interface Row {
  readonly key: string;
  readonly content: ReactNode;
}

/** So many are made without any counting. */
const FEW = 150;
const USUAL_HEIGHT = 57;

export function Rows({
  rows,
  scrollerId,
}: {
  readonly rows: readonly Row[];
  readonly scrollerId: string;
}): ReactElement {
  if (rows.length > FEW) return <ManyRows rows={rows} scrollerId={scrollerId} />;
  return (
    <div>
      {rows.map(({ key, content }) => (
        <div key={key}>{content}</div>
      ))}
    </div>
  );
}

function ManyRows({ rows, scrollerId }: { readonly rows: readonly Row[]; readonly scrollerId: string }): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  const scroller = (): HTMLElement | null => document.getElementById(scrollerId);
  // What stands above may grow at any time; it is measured with each drawing, and drawn again only where it changed.
  useLayoutEffect(() => {
    const [own, box] = [place.current?.getBoundingClientRect(), scroller()];
    if (own && box) setScrollMargin(Math.round(own.top - box.getBoundingClientRect().top + box.scrollTop));
  });
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: scroller,
    estimateSize: () => USUAL_HEIGHT,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
    scrollMargin,
  });
  return (
    <div ref={place} className="relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ key, index, start }) => (
        <div
          key={key}
          ref={virtual.measureElement}
          data-index={index}
          className="absolute inset-x-0 top-0"
          style={{ transform: `translateY(${start - scrollMargin}px)` }}
        >
          {rows[index]?.content}
        </div>
      ))}
    </div>
  );
}
