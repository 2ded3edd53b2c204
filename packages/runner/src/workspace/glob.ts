// The patterns of .gitignore, matched as git does (wildmatch.c): `*`, `?`, `[a-z]`, `**`, and a backslash before any of them.
// No regular expression and no backtracking: all places of the pattern where a match may stand are moved along the text at once,
// so the time is the length of the text times that of the pattern, whatever the pattern (T-26).

/** Bytes of text as characters, since git compares bytes: its `?` is half an `é`. */
export function bytesOf(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

export type Matcher = (text: string) => boolean;

/** What one step of a pattern takes. A number is that very character. */
type Step = number | 'any' | 'star' | 'stars' | 'folders' | 'never' | Uint8Array;

const SLASH = 0x2f;

/** A pattern for whole paths, in bytes. Before the first wildcard it is compared as it is. */
export function compileGlob(pattern: string): Matcher {
  const start = pattern.search(/[*?[\\]/);
  if (start < 0) return (text) => text === pattern;
  const prefix = pattern.slice(0, start);
  // git cuts the plain beginning off, and then takes `**` for the start of a path though it is none: `a**/b` is `a/x/b` too.
  const steps = stepsOf(pattern.slice(start));
  if (prefix === '' && steps[0] === 'star' && steps.slice(1).every((step) => typeof step === 'number')) {
    const suffix = String.fromCharCode(...steps.slice(1).map(Number));
    if (!suffix.includes('/')) return (text) => text.endsWith(suffix) && isOneName(text, text.length - suffix.length);
  }
  return (text) => text.startsWith(prefix) && matches(steps, text, prefix.length);
}

function isOneName(text: string, end: number): boolean {
  const slash = text.indexOf('/');
  return slash < 0 || slash >= end;
}

function matches(steps: readonly Step[], text: string, from: number): boolean {
  let current = new Uint8Array(steps.length + 1);
  let next = new Uint8Array(steps.length + 1);
  enter(steps, current, 0);
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index);
    let isAlive = false;
    next.fill(0);
    for (let place = 0; place < steps.length; place++) {
      if (current[place] === 0) continue;
      const step = steps[place] as Step;
      const takes = takesCode(step, code);
      if (!takes) continue;
      isAlive = true;
      // A star stays where it is; folders are left by a slash.
      if (step === 'star' || step === 'stars') enter(steps, next, place);
      else if (step === 'folders') {
        next[place] = 1;
        if (code === SLASH) enter(steps, next, place + 1);
      } else enter(steps, next, place + 1);
    }
    if (!isAlive) return false;
    [current, next] = [next, current];
  }
  return current[steps.length] === 1;
}

/** A match may stand here; and behind it, where a step may take nothing. */
function enter(steps: readonly Step[], places: Uint8Array, place: number): void {
  let at = place;
  while (true) {
    places[at] = 1;
    const step = steps[at];
    if (step !== 'star' && step !== 'stars' && step !== 'folders') return;
    at++;
  }
}

function takesCode(step: Step, code: number): boolean {
  if (typeof step === 'number') return step === code;
  switch (step) {
    case 'any':
    case 'star':
      return code !== SLASH;
    case 'stars':
    case 'folders':
      return true;
    case 'never':
      return false;
    default:
      return code !== SLASH && step[code] === 1;
  }
}

function stepsOf(pattern: string): Step[] {
  const steps: Step[] = [];
  let at = 0;
  while (at < pattern.length) {
    const char = pattern[at];
    if (char === '*') {
      const first = at;
      while (pattern[at] === '*') at++;
      const isOwnName = (first === 0 || pattern[first - 1] === '/') && endsName(pattern, at);
      if (at - first === 1 || !isOwnName) steps.push('star');
      else if (pattern[at] === '/') {
        // `**/` is any number of folders, none too.
        steps.push('folders');
        at++;
      } else steps.push('stars');
    } else if (char === '?') {
      steps.push('any');
      at++;
    } else if (char === '[') {
      const set = readSet(pattern, at);
      steps.push(set ? set.set : 'never');
      if (!set) return steps;
      at = set.end;
    } else {
      if (char === '\\') at++;
      // A backslash at the end stands before nothing.
      steps.push(at < pattern.length ? pattern.charCodeAt(at) : 'never');
      at++;
    }
  }
  return steps;
}

function endsName(pattern: string, at: number): boolean {
  return at === pattern.length || pattern[at] === '/' || (pattern[at] === '\\' && pattern[at + 1] === '/');
}

/** The characters between brackets, as a table; nothing when the brackets are not closed or name a class that is none. */
function readSet(pattern: string, open: number): { readonly set: Uint8Array; readonly end: number } | undefined {
  const set = new Uint8Array(256);
  let at = open + 1;
  const isNegated = pattern[at] === '!' || pattern[at] === '^';
  if (isNegated) at++;
  let previous = 0;
  // The first character counts even when it is a closing bracket.
  for (let isFirst = true; isFirst || pattern[at] !== ']'; isFirst = false) {
    if (at >= pattern.length) return undefined;
    if (pattern[at] === '-' && previous !== 0 && at + 1 < pattern.length && pattern[at + 1] !== ']') {
      at += pattern[at + 1] === '\\' ? 2 : 1;
      if (at >= pattern.length) return undefined;
      for (let code = previous; code <= pattern.charCodeAt(at); code++) set[code] = 1;
      previous = 0;
      at++;
      continue;
    }
    if (pattern[at] === '[' && pattern[at + 1] === ':') {
      const close = pattern.indexOf(']', at + 2);
      if (close < 0) return undefined;
      if (pattern[close - 1] === ':' && close - 1 >= at + 2) {
        const isIn = CLASSES[pattern.slice(at + 2, close - 1)];
        if (!isIn) return undefined;
        for (let code = 0; code < 128; code++) if (isIn.test(String.fromCharCode(code))) set[code] = 1;
        previous = 0;
        at = close + 1;
        continue;
      }
    } else if (pattern[at] === '\\') {
      at++;
      if (at >= pattern.length) return undefined;
    }
    previous = pattern.charCodeAt(at);
    set[previous] = 1;
    at++;
  }
  if (isNegated) for (let code = 0; code < 256; code++) set[code] = set[code] === 1 ? 0 : 1;
  return { set, end: at + 1 };
}

/** Each is asked about one character at a time. */
const CLASSES: Readonly<Record<string, RegExp>> = Object.assign(Object.create(null), {
  alnum: /[a-z0-9]/i,
  alpha: /[a-z]/i,
  blank: /[ \t]/,
  cntrl: /\p{Cc}/u,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t-\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9a-f]/i,
});
