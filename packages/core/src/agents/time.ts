// An agent's own time, as it prints it.

import { asNumber, asText, type Json } from '../event/json.ts';

/** Epoch milliseconds of a timestamp in words; nothing when it is none. */
export function timeOf(timestamp: Json): number | undefined {
  return asNumber(Date.parse(asText(timestamp) ?? ''));
}
