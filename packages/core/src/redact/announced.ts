// Secrets that a word before them announces: the scheme of a header, the option of a command.

import { BASE64, DOTTED, isBlank, runEnd, TOKEN } from './characters.ts';
import { kindOfName } from './names.ts';
import { looksSecret } from './randomness.ts';
import { matchValue, openAt, type ValueMatch } from './values.ts';

/** What stands between the `login` of a netrc file and its password: on one line or on several, whose ends may be written. */
const LOGIN =
  /^(?:[ \t\r\n]|\\{1,4}[nrt]){1,8}[^\s"'\\]{1,64}(?:[ \t\r\n]|\\{1,4}[nrt]){1,8}password(?:[ \t\r\n]|\\{1,4}[nrt]){1,8}/;
const MYSQL = /(?:mysql|mysqldump|mysqladmin|mariadb)(?: {1,2}[^\s]{1,40}){0,4} {1,2}$/;

/** What stands behind a `Bearer` or `Basic` that ends here, behind `-u name:` and other options, `ENV name`, and `login name password`. */
export function matchAfterWord(text: string, start: number, end: number, isWhole: boolean): ValueMatch | undefined {
  if (text.startsWith('-p', start)) {
    const option = matchOption(text, start, end, isWhole);
    if (option) return option;
  }
  if (!isBlank(text.charCodeAt(end))) return undefined;
  const word = text.slice(start, end).toLowerCase();
  if (word.startsWith('--') && word !== '--user') {
    const kind = kindOfName(word);
    return kind === undefined ? undefined : matchValue(text, end, kind, isWhole);
  }
  if (word === 'env') {
    const name = runEnd(text, end + 1, DOTTED);
    const kind = isBlank(text.charCodeAt(name)) ? kindOfName(text.slice(end + 1, name)) : undefined;
    return kind === undefined ? undefined : matchValue(text, name, kind, isWhole, 'any');
  }
  if (word === 'login') {
    const login = LOGIN.exec(text.slice(end, end + 200));
    return login ? matchValue(text, end + login[0].length, 'password', isWhole, 'any') : undefined;
  }
  const from = end + 1;
  if (word === '-u' || word === '--user') {
    const colon = runEnd(text, from, DOTTED);
    return text.charCodeAt(colon) === 0x3a ? matchValue(text, colon + 1, 'password', isWhole) : undefined;
  }
  if (word !== 'bearer' && word !== 'basic') return undefined;
  const last = runEnd(text, from, TOKEN | DOTTED | BASE64);
  const kind = `${word}-authorization`;
  if (last === text.length && !isWhole) return openAt(from, kind);
  const value = text.slice(from, last);
  const isOne =
    word === 'bearer'
      ? value.length >= 16 && looksSecret(value, false)
      : value.length >= 12 && /[A-Z]/.test(value) && /[a-z]/.test(value) && /[\d=]/.test(value);
  return { kind, start: from, end: isOne ? last : -1, isOpen: false, readTo: from };
}

/** `sshpass -p password` and `mysql -ppassword`. */
function matchOption(text: string, start: number, end: number, isWhole: boolean): ValueMatch | undefined {
  const before = text.slice(Math.max(0, start - 200), start);
  const isSsh = /sshpass {1,2}$/.test(before);
  if (isSsh && end - start === 2)
    return isBlank(text.charCodeAt(end)) ? matchValue(text, end, 'password', isWhole, 'any') : undefined;
  if (end - start === 2 && isBlank(text.charCodeAt(end))) return undefined;
  return isSsh || MYSQL.test(before) ? matchValue(text, start + 2, 'password', isWhole, 'any') : undefined;
}
