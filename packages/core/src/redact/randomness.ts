// Whether a text looks made by chance: keys and tokens are, words and placeholders are not.

/** How many different characters there are, up to 16: `xxxxxxxx` and `00000000` have few. */
export function countDistinct(text: string, from: number, to: number): number {
  let seen = '';
  for (let at = from; at < to && seen.length < 16; at++) {
    const character = text.charAt(at);
    if (!seen.includes(character)) seen += character;
  }
  return seen.length;
}

/** What a value under a name that sounds secret has to look like. Passwords are made by people, so less is asked of them. */
export function looksSecret(value: string, isPassword: boolean): boolean {
  if (value.length < (isPassword ? 6 : 8) || /^[$%<[{*(]|^[^\s]{0,99}(?:\s|:\/\/)/.test(value)) return false;
  const counts = classesOf(value);
  if (counts.distinct < (value.length < 12 ? 5 : 7)) return false;
  const letters = counts.lower + counts.upper;
  if (letters === 0) return false;
  if (isPassword) return counts.digits > 0 || counts.signs > 0 || isShuffled(counts, value.length);
  return counts.digits > 0 || counts.signs > 1 ? !isWordy(value) : isShuffled(counts, value.length);
}

/** A password of words: all but what stands in place of one, and what code says. */
export function isWordPassword(value: string): boolean {
  if (value.length < 8 || value.length > 128 || countDistinct(value, 0, value.length) < 5) return false;
  if (!/^[A-Za-z\d!@#^&?+]|^[^ -~]/.test(value) || /[\s$<>{}()[\]*]|:\/\/|^\w+(?:\.\w+)+$/.test(value)) return false;
  return !isPlaceholder(value);
}

/** `changeme`, `your-password`, and words that say what is to be put there. */
function isPlaceholder(value: string): boolean {
  return /^(?:change|your|replace|insert|enter|todo|undefined|required|optional|disabled|enabled|unchanged|hidden|invalid|incorrect)|pass|pwd|secret|credential|example|placeholder|redacted|string|prompt|x{4}/i.test(
    value.slice(0, 200),
  );
}

interface Classes {
  lower: number;
  upper: number;
  digits: number;
  /** What is neither a letter nor a digit nor something that joins words. */
  signs: number;
  distinct: number;
  /** How often the case changes. */
  turns: number;
}

function classesOf(value: string): Classes {
  const classes = {
    lower: 0,
    upper: 0,
    digits: 0,
    signs: 0,
    distinct: countDistinct(value, 0, value.length),
    turns: 0,
  };
  let last = 0;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code >= 0x61 && code <= 0x7a) {
      classes.lower++;
      if (last === 1) classes.turns++;
      last = 2;
    } else if (code >= 0x41 && code <= 0x5a) {
      classes.upper++;
      if (last === 2) classes.turns++;
      last = 1;
    } else if (code >= 0x30 && code <= 0x39) classes.digits++;
    else if (!'_-./:'.includes(value.charAt(at))) classes.signs++;
  }
  return classes;
}

/** Letters alone: upper and lower case change more often than in any name. */
function isShuffled({ turns }: Classes, length: number): boolean {
  return length >= 16 && length < 3.5 * turns;
}

/** Names with a number here and there: `claude-opus-4-8`, `projects/12/token2`. */
function isWordy(value: string): boolean {
  return value.split(/[-_./: ]/).every((piece) => /^(?:[A-Z]?[a-z]{0,24}|[A-Z]{0,24})\d{0,4}$/.test(piece));
}
