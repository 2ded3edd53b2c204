// What a page that is loaded anew still knows. It is this window's own, and gone with it.

/** Its run, the session that this works in, and a message while it is not known whether that was sent. */
type Kept = 'run' | 'session' | 'message';

export function kept(name: Kept): string | undefined {
  return sessionStorage.getItem(name) ?? undefined;
}

/** There is room for some million characters. What does not fit is not kept, and nothing else fails by it. */
export function keep(name: Kept, value: string | undefined): void {
  sessionStorage.removeItem(name);
  if (value === undefined) return;
  try {
    sessionStorage.setItem(name, value);
  } catch (error) {
    console.warn(`the page could not keep its ${name}:`, error);
  }
}
