// Names that sound secret: what stands behind `PASSWORD=`, `"api_key":` or `--token`.

/** What a name ends in, without what joins its words, and what is said of its value. Whole words only, where a part would be found in others. */
const ENDINGS: readonly (readonly [kind: string, endings: string])[] = [
  ['password', 'password passwd passphrase passcode passwort pwd pass'],
  ['aws-secret-key', 'secretaccesskey awssecretkey'],
  ['azure-key', 'accountkey sharedaccesskey'],
  ['heroku-key', 'herokuapikey'],
  [
    'api-key',
    'apikey accesskey secretkey privatekey authkey encryptionkey signingkey masterkey servicekey deploykey appkey apisecret privatekeyid',
  ],
  ['client-secret', 'clientsecret'],
  ['secret', 'secret secrets secretkeybase credential credentials creds'],
  ['token', 'token'],
  ['authorization', 'authorization auth'],
  ['session-cookie', 'cookie phpsessid jsessionid connectsid sessioncookie'],
  ['signature', 'sig'],
  // Any other key: much is one that is no secret.
  ['key', 'key'],
];

const WHOLE_WORDS: ReadonlySet<string> = new Set(['pwd', 'pass', 'auth', 'creds', 'sig']);

const PLAIN_KEYS = /(?:public|cache|primary|sort|partition|foreign|hash|index|idempotency|dedup|group)[-_.]key$/i;

const endings: readonly (readonly [ending: string, kind: string])[] = ENDINGS.flatMap(([kind, words]) =>
  words.split(' ').map((word) => [word, kind] as const),
).sort(([a], [b]) => b.length - a.length);

/** The last three letters of all endings: one look tells that nearly every name is none. */
const lastLetters = new Uint8Array(32_768);
for (const [ending] of [...endings, ['value']] as const) lastLetters[lastThree(ending, ending.length)] = 1;

function lastThree(text: string, end: number): number {
  const [a, b, c] = [text.charCodeAt(end - 3) & 31, text.charCodeAt(end - 2) & 31, text.charCodeAt(end - 1) & 31];
  return (a << 10) | (b << 5) | c;
}

/** Whether a name that sounds secret may end here. */
export function mayEndName(text: string, end: number): boolean {
  return lastLetters[lastThree(text, end)] === 1;
}

/** What kind of secret a name promises, or nothing. */
export function kindOfName(name: string): string | undefined {
  if (!mayEndName(name, name.length)) return undefined;
  const plain = name.toLowerCase().replaceAll(/[-_.]/g, '');
  for (const [ending, kind] of endings) {
    if (!plain.endsWith(ending)) continue;
    if (kind === 'key') return /[-_.]key$/i.test(name) && !PLAIN_KEYS.test(name) ? kind : undefined;
    if (!WHOLE_WORDS.has(ending) || isWholeWord(name, ending.length)) return kind;
  }
  return undefined;
}

/** `PWD` and `OLDPWD` are names of folders, too. */
export function mayBeFolder(name: string): boolean {
  return /^(?:old)?pwd$/i.test(name);
}

/** `DB_PASS`, `dbPass` and `pass`, but not `bypass`. */
function isWholeWord(name: string, length: number): boolean {
  const start = name.length - length;
  if (start <= 0) return start === 0;
  return /[-_.\d]/.test(name.charAt(start - 1)) || /^[A-Z][a-z]/.test(name.slice(start, start + 2));
}
