/** Every card of something that waits has this attribute. */
export const REQUEST_ATTRIBUTE = 'data-request';

/** Leads to what has waited longest of all that is on the screen. No button has the focus after that: nothing is answered by accident. */
export function focusOldestRequest(): boolean {
  const card = document.querySelector<HTMLElement>(`[${REQUEST_ATTRIBUTE}]`);
  card?.focus();
  card?.scrollIntoView({ block: 'nearest' });
  return card !== null;
}
