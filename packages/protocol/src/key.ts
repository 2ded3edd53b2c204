// The second half of a person's sign-in. Cookies know no ports: whatever else listens on this machine gets the cookie when the person looks
// at it. The key is kept by the page where only its own origin can read it, and goes with every request.

/** The header that carries the key. */
export const KEY_HEADER = 'x-tailrace-key';
/** What a page asks for when it opens a socket, beside the key: browsers send no headers with it. */
export const SOCKET_PROTOCOL = 'tailrace';

/** The key as a name of a protocol, which a browser can send with a socket. */
export function keyProtocol(key: string): string {
  return `${SOCKET_PROTOCOL}.key.${key}`;
}

/** The key among the protocols that somebody asks for. */
export function keyInProtocols(header: string | undefined): string | undefined {
  const prefix = keyProtocol('');
  const found = (header ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one.startsWith(prefix));
  return found.length === 1 ? found[0]?.slice(prefix.length) : undefined;
}
