// Secrets that are known by their shape: three parts with dots between them, or the address of a web hook.

import { runEnd, TOKEN } from './characters.ts';
import { countDistinct } from './randomness.ts';
import type { Match } from './tokens.ts';

/** A secret of several parts that begins here. */
export function matchShape(text: string, at: number, isWhole: boolean): Match | undefined {
  if (text.charCodeAt(at - 1) === 0x24) return matchHash(text, at, isWhole);
  switch (text.charCodeAt(at)) {
    case 0x65: // e: what every JSON Web Token begins with, since it is an object in base64
      return text.startsWith('eyJ', at) || (!isWhole && 'eyJ'.startsWith(text.slice(at, at + 3)))
        ? matchParts(text, at, isWhole, 'json-web-token', JWT)
        : undefined;
    case 0x4d: // M, N and O are the first digits of an account's number in base64
    case 0x4e:
    case 0x4f:
      return matchParts(text, at, isWhole, 'discord-token', DISCORD);
    case 0x68:
      return matchHook(text, at, isWhole, 'slack-webhook', SLACK);
    case 0x64:
      return matchHook(text, at, isWhole, 'discord-webhook', DISCORD_HOOK);
    default:
      return undefined;
  }
}

/** The hash of a password, behind its first `$`: of bcrypt, of a shadow file, of Argon2. Slashes may have backslashes. */
const HASH =
  /^(?:2[abxy]\$\d\d\$[./A-Za-z\d\\]{53,80}|[156y]\$(?:[^$\s"':]{1,40}\$){1,3}[./A-Za-z\d\\]{22,120}|argon2(?:id|i|d)\$[^\s"']{30,200})/;
const HASH_BEGINNING = /^(?:[156y]|2[abxy]?|ar?g?o?n?2?i?d?)(?:\$[^\s"']{0,240})?$/;
const LONGEST_HASH = 250;

function matchHash(text: string, at: number, isWhole: boolean): Match | undefined {
  const hash = text.slice(at, at + LONGEST_HASH);
  if (!isWhole && at + hash.length === text.length && HASH_BEGINNING.test(hash))
    return { kind: 'password-hash', end: -1, isOpen: true };
  const match = HASH.exec(hash);
  return match ? { kind: 'password-hash', end: at + match[0].length, isOpen: false } : undefined;
}

/** How long each part is, at least and at most. */
type Lengths = readonly (readonly [number, number])[];
const LONG = Number.POSITIVE_INFINITY;
const JWT: Lengths = [
  [12, LONG],
  [8, LONG],
  [16, LONG],
];
const DISCORD: Lengths = [
  [23, 30],
  [6, 7],
  [25, 40],
];

function matchParts(text: string, at: number, isWhole: boolean, kind: string, lengths: Lengths): Match | undefined {
  let from = at;
  for (const [index, [shortest, longest]] of lengths.entries()) {
    const end = runEnd(text, from, TOKEN, longest + 1);
    if (end - from > longest) return undefined;
    if (end === text.length && !isWhole) return { kind, end: -1, isOpen: true };
    // What is cut off in its last part tells nearly all.
    if (end - from < shortest && !(end === text.length && index === 2)) return undefined;
    if (index === 2) return countDistinct(text, at, end) < 12 ? undefined : { kind, end, isOpen: false };
    if (text.charCodeAt(end) !== 0x2e) return undefined;
    from = end + 1;
  }
  return undefined;
}

/** As it is, and as JSON may write it. */
type Hosts = readonly [string, string];
const SLACK: Hosts = ['hooks.slack.com/services/', 'hooks.slack.com\\/services\\/'];
const DISCORD_HOOK: Hosts = ['discord.com/api/webhooks/', 'discord.com\\/api\\/webhooks\\/'];

/** An address whose path is the secret. */
function matchHook(text: string, at: number, isWhole: boolean, kind: string, hosts: Hosts): Match | undefined {
  const [host, escaped] = hosts;
  if (!text.startsWith(host, at) && !text.startsWith(escaped, at)) {
    const rest = text.length - at;
    return !isWhole && rest < 2 * host.length && host.startsWith(text.slice(at).replaceAll('\\', ''))
      ? { kind, end: -1, isOpen: true }
      : undefined;
  }
  let end = at;
  for (;;) {
    const code = text.charCodeAt(end);
    if (code === 0x2f || code === 0x2e || (code === 0x5c && text.charCodeAt(end + 1) === 0x2f)) end++;
    else {
      const next = runEnd(text, end, TOKEN);
      if (next === end) break;
      end = next;
    }
  }
  if (end === text.length && !isWhole) return { kind, end: -1, isOpen: true };
  return end - at < host.length + 16 ? undefined : { kind, end, isOpen: false };
}
