// Passwords and tokens in addresses: `https://name:password@host`, and a Telegram bot's number with its token.

import { BACKSLASH, isAt, isQuote, runEnd, TOKEN } from './characters.ts';
import { looksSecret } from './randomness.ts';
import type { ValueMatch } from './values.ts';

const LONGEST = 300;

/** The secret in the address whose `://` begins at this colon. */
export function matchAddress(text: string, at: number, isWhole: boolean): ValueMatch | undefined {
  const start = behindSlashes(text, at + 1);
  if (start < 0) return undefined;
  let colon = -1;
  let sign = -1;
  let end = start;
  for (; end < text.length && end - start < LONGEST; end++) {
    const code = text.charCodeAt(end);
    if (code === 0x40) sign = end;
    else if (code === 0x3a && colon < 0) colon = end;
    else if (code <= 0x20 || code === 0x2f || code === 0x3f || code === 0x23 || code === BACKSLASH || isQuote(code))
      break;
    else if (code === 0x3c || code === 0x3e) break;
  }
  if (end === text.length && !isWhole) return { kind: '', start, end: -1, isOpen: true, readTo: start };
  if (sign < 0) return undefined;
  if (colon < 0 || colon > sign) {
    const isToken = sign - start >= 20 && looksSecret(text.slice(start, sign), false);
    return isToken ? { kind: 'url-token', start, end: sign, isOpen: false, readTo: sign } : undefined;
  }
  if (sign - colon < 2 || isPlaceholder(text.slice(colon + 1, sign))) return undefined;
  const kind = DATABASES.test(text.slice(Math.max(0, at - 16), at)) ? 'database-password' : 'url-password';
  return { kind, start: colon + 1, end: sign, isOpen: false, readTo: sign };
}

const DATABASES =
  /(?:postgres|postgresql|mysql|mariadb|mongodb|mongodb\+srv|rediss?|amqps?|mssql|sqlserver|clickhouse)$/i;

/** Behind `//`, also as `\/\/`; -1 when they are not there. */
function behindSlashes(text: string, from: number): number {
  let at = from;
  for (let count = 0; count < 2; count++) {
    while (text.charCodeAt(at) === BACKSLASH) at++;
    if (text.charCodeAt(at) !== 0x2f) return -1;
    at++;
  }
  return at;
}

function isPlaceholder(password: string): boolean {
  return /^[$<{[*%]|^(?:password|passwd|pass|pwd|secret|x{3,20})$/i.test(password);
}

/** The token behind a Telegram bot's number, whose colon is here. */
export function matchTelegram(text: string, at: number, isWhole: boolean): ValueMatch | undefined {
  if (text.charCodeAt(at + 1) !== 0x41) return undefined;
  let digits = 0;
  while (digits < 11 && isDigit(text.charCodeAt(at - 1 - digits))) digits++;
  if (digits < 8 || digits > 10) return undefined;
  const kind = 'telegram-token';
  const start = at + 1;
  const end = runEnd(text, start, TOKEN);
  if (end === text.length && !isWhole) return { kind, start, end: -1, isOpen: true, readTo: start };
  const isOne = end - start >= 30 && end - start <= 46 && !isAt(text, end, TOKEN);
  return isOne ? { kind, start, end, isOpen: false, readTo: end } : undefined;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
