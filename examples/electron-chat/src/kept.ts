// What a page that is loaded anew still knows. It is this window's own, and gone with it.

/** Its run, the session that this works in, and a message while it is not known whether that was sent. */
type Kept = 'run' | 'session' | 'message';

export function kept(name: Kept): string | undefined {
  return sessionStorage.getItem(name) ?? undefined;
}

export function keep(name: Kept, value: string | undefined): void {
  if (value === undefined) sessionStorage.removeItem(name);
  else sessionStorage.setItem(name, value);
}
