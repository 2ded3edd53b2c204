// The conversation scrolls in the middle of the window. These are for `ref`, and stay the same functions: each is called once for an element.

/** So near to the end is at it: where things stand is rounded. */
const END_PX = 2;

/** Tells the box that something in it was brought into view. */
const BROUGHT = 'brought-into-view';

/** Keeps a box at its end while its content grows. Whoever scrolled up is left where they are. */
export function followEnd(box: HTMLElement | null): (() => void) | undefined {
  const content = box?.firstElementChild;
  if (!box || !content) return;
  let isFollowing = true;
  let top = 0;
  const isAtEnd = (): boolean => box.scrollHeight - box.clientHeight - box.scrollTop <= END_PX;
  const observer = new ResizeObserver(() => {
    if (isFollowing) box.scrollTop = box.scrollHeight;
    top = box.scrollTop;
  });
  // A window that is made smaller hides the end as well.
  observer.observe(box);
  observer.observe(content);

  const ends = new AbortController();
  const scrolled = (): void => {
    // Only the person scrolls up. What grows at the end has not left it.
    if (isAtEnd()) isFollowing = true;
    else if (box.scrollTop < top) isFollowing = false;
    top = box.scrollTop;
  };
  box.addEventListener('scroll', scrolled, ends);
  // What is higher than the box stays at its beginning.
  box.addEventListener(BROUGHT, () => (isFollowing = isAtEnd()), ends);
  return () => {
    observer.disconnect();
    ends.abort();
  };
}

/** What comes is seen, wherever the person has scrolled to. */
export function bringIntoView(element: Element | null): void {
  element?.scrollIntoView();
  element?.dispatchEvent(new Event(BROUGHT, { bubbles: true }));
}
