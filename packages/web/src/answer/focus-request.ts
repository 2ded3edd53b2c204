/** Every card of something that waits has this attribute. */
export const REQUEST_ATTRIBUTE = 'data-request';

/**
 * Leads to what has waited longest of all that is on the screen, and from a card on to the next, around. No button has the focus after
 * that: nothing is answered by accident.
 */
export function focusNextRequest(): boolean {
  const cards = [...document.querySelectorAll<HTMLElement>(`[${REQUEST_ATTRIBUTE}]`)];
  const at = cards.findIndex((card) => card.contains(document.activeElement));
  return focusCard(cards[(at + 1) % cards.length]);
}

/** Leads to the card of one request, where it is on the screen. */
export function focusRequest(requestId: string): boolean {
  const cards = [...document.querySelectorAll<HTMLElement>(`[${REQUEST_ATTRIBUTE}]`)];
  return focusCard(cards.find((card) => card.getAttribute(REQUEST_ATTRIBUTE) === requestId));
}

/** The request whose card has the focus, or something in it. */
export function focusedRequest(): string | null {
  return document.activeElement?.closest(`[${REQUEST_ATTRIBUTE}]`)?.getAttribute(REQUEST_ATTRIBUTE) ?? null;
}

function focusCard(card: HTMLElement | undefined): boolean {
  card?.focus();
  card?.scrollIntoView({ block: 'nearest' });
  return card !== undefined;
}
