// What the hidden characters that people meet are called.

const NAMES: Readonly<Record<string, string>> = {
  '0000': 'null',
  '0007': 'bell',
  '0008': 'backspace',
  '000B': 'vertical tab',
  '000C': 'form feed',
  '000D': 'carriage return',
  '001B': 'escape',
  '007F': 'delete',
  '0085': 'next line',
  '00AD': 'soft hyphen',
  '034F': 'combining grapheme joiner',
  '061C': 'arabic letter mark',
  '115F': 'hangul choseong filler',
  '1160': 'hangul jungseong filler',
  '180E': 'mongolian vowel separator',
  '200B': 'zero width space',
  '200C': 'zero width non-joiner',
  '200D': 'zero width joiner',
  '200E': 'left-to-right mark',
  '200F': 'right-to-left mark',
  '2028': 'line separator',
  '2029': 'paragraph separator',
  '202A': 'left-to-right embedding',
  '202B': 'right-to-left embedding',
  '202C': 'pop directional formatting',
  '202D': 'left-to-right override',
  '202E': 'right-to-left override',
  '2060': 'word joiner',
  '2066': 'left-to-right isolate',
  '2067': 'right-to-left isolate',
  '2068': 'first strong isolate',
  '2069': 'pop directional isolate',
  '3164': 'hangul filler',
  FEFF: 'byte order mark',
  FFA0: 'halfwidth hangul filler',
};

/** The name of a character that hides, or of the family it belongs to. */
export function hiddenName(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  const name = NAMES[code.toString(16).toUpperCase().padStart(4, '0')];
  if (name !== undefined) return name;
  if (code < 0x20 || (code >= 0x80 && code < 0xa0)) return 'control character';
  if (code >= 0xd800 && code <= 0xdfff) return 'half of a character';
  if ((code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef)) return 'variation selector';
  if (code >= 0xe0000 && code <= 0xe007f) return 'tag character';
  return undefined;
}
