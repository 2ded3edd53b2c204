// Where a link of an agent may lead: to a web page or a letter, and to nothing else.

const PROTOCOLS: readonly string[] = ['http:', 'https:', 'mailto:'];

/** The address, when it is one that may be opened. An address that needs a page around it to mean something is none. */
export function safeAddress(address: string): URL | undefined {
  try {
    const url = new URL(address);
    return PROTOCOLS.includes(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

/** Who answers there, as the browser will read it. */
export function hostOf(url: URL): string {
  return url.protocol === 'mailto:' ? url.pathname : url.host;
}

/** Whether the words of a link name another place than the one it leads to. */
export function isMisleading(words: string, url: URL): boolean {
  const named = /(?:https?:\/\/|^)((?:[\p{L}\p{N}-]{1,63}\.)+\p{L}{2,24})(?![\p{L}\p{N}-])/iu.exec(words.trim())?.[1];
  return (
    named !== undefined &&
    named.toLowerCase() !== hostOf(url).replace(/^www\./, '') &&
    named.toLowerCase() !== hostOf(url)
  );
}
