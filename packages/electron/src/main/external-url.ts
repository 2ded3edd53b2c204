// Which addresses may leave the app for the person's own browser. Handing any other to the system starts whatever program is registered
// for it.

const MAX_LENGTH = 8_000;

/**
 * The address as it may be opened, in one spelling; nothing for any other. Only http and https, with a host, without a name or a
 * password, and without what parsers pass over in silence: blanks, control characters, backslashes.
 */
export function externalUrl(text: string): string | undefined {
  // Also a name that is empty: `https://@host/`.
  if (text.length > MAX_LENGTH || !/^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(text) || hasHidden(text)) return undefined;
  try {
    const { protocol, username, password, host, href } = new URL(text);
    if (protocol !== 'http:' && protocol !== 'https:') return undefined;
    return username === '' && password === '' && host !== '' ? href : undefined;
  } catch {
    return undefined;
  }
}

function hasHidden(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // Up to the blank, the backslash, and the second block of control characters.
    if (code <= 0x20 || code === 0x5c || (code >= 0x7f && code <= 0xa0)) return true;
  }
  return false;
}
