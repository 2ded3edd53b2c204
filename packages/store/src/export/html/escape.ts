// Text → HTML. Nothing of a session reaches the page but through here, through an address that was checked, or through a picture that was.

/** Controls, what turns the direction of writing, what takes no room, halves of characters, and the two odd line ends. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Surrogate}\p{Zl}\p{Zp}]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text that must not lie: commands, paths, names, diffs. Each character that hides is shown as a mark (T-19). */
export function exact(text: string): string {
  return entities(text).replace(HIDDEN, (character) => (isVisible(character) ? character : mark(character)));
}

/** Prose. What joins letters and emoji is left alone; what turns or hides text is not. */
export function prose(text: string): string {
  return entities(text).replace(HIDDEN, (character) =>
    isVisible(character) || JOINERS.has(character) ? character : mark(character),
  );
}

const JOINERS: ReadonlySet<string> = new Set(['\u200c', '\u200d', '\ufe0f', '\ufe0e']);

function isVisible(character: string): boolean {
  return character === '\n' || character === '\t';
}

function mark(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `<span class="hidden">U+${code.toString(16).toUpperCase().padStart(4, '0')}</span>`;
}

function entities(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** An address that a person may follow, ready for an attribute; undefined for every other. */
export function safeAddress(text: string): string | undefined {
  if (text.length > 4096) return undefined;
  let address: URL;
  try {
    address = new URL(text);
  } catch {
    return undefined;
  }
  if (!/^(?:https?|mailto):$/.test(address.protocol)) return undefined;
  // A name before the host looks like another host.
  if (address.username !== '' || address.password !== '') return undefined;
  if (/["'<>`{}\\\s]/.test(address.href)) return undefined;
  return entities(address.href);
}
