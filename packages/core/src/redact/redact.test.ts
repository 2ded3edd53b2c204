import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { leaks, planted } from '../../test/planted.ts';
import { createRedactor, redact } from './redact.ts';
import { redactJson } from './redact-json.ts';
import { MOST_UNDECIDED } from './scanner.ts';

const cases = planted.map((one, index) => [`${index} ${one.kind}`, one] as const);

/** The text in these pieces, through a redactor. */
function inPieces(pieces: readonly string[]): string {
  const redactor = createRedactor();
  return pieces.map((piece) => redactor.push(piece)).join('') + redactor.flush();
}

describe('[T-28] planted secrets', () => {
  test('are at least sixty, of at least twenty-five kinds', () => {
    expect(planted.length).toBeGreaterThanOrEqual(60);
    expect(new Set(planted.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(25);
  });

  test.each(cases)('[T-28] %s is found and marked with its kind and length', (_name, one) => {
    const { text, found } = redact(one.text);
    expect(found.map(({ kind }) => kind)).toEqual([one.kind]);
    expect(leaks(text, one), text).toBe(false);
    expect(text).toBe(one.text.replace(one.secret, `[redacted: ${one.kind}, ${one.secret.length} characters]`));
  });

  test.each(cases)('[T-28] %s does not come through, wherever it is cut', (_name, one) => {
    const whole = redact(one.text).text;
    for (let cut = 1; cut < one.text.length; cut++)
      expect(inPieces([one.text.slice(0, cut), one.text.slice(cut)]), `cut at ${cut}`).toBe(whole);
    for (const size of [1, 2, 3, 7]) {
      const pieces = Array.from({ length: Math.ceil(one.text.length / size) }, (_, at) =>
        one.text.slice(at * size, (at + 1) * size),
      );
      expect(inPieces(pieces), `pieces of ${size}`).toBe(whole);
    }
  });

  test.each(cases)('[T-28] %s is found by whoever looks no further than its beginning', (_name, one) => {
    const text = `${one.text}\n${'It goes on: '.repeat(60)}\n${one.text}`;
    const [first, ...others] = redact(text).found;
    for (let upTo = 0; upTo < text.length; upTo += 5) {
      const { found } = redact(text, upTo);
      const needed = [first, ...others].filter((secret) => secret && secret.start < upTo);
      expect(found.slice(0, needed.length), `up to ${upTo}`).toEqual(needed);
    }
    // It would be of no use if it looked at everything.
    expect(redact(text, 0).found.length).toBeLessThan(1 + others.length);
  });

  test.each(cases)('[T-28] %s does not come through JSON, escaped once, twice and by number', (_name, one) => {
    const once = JSON.stringify({ content: one.text });
    const twice = JSON.stringify({ content: once });
    const slashes = once.replaceAll('/', '\\/');
    const numbered = once.replaceAll('-', '\\u002d').replaceAll('=', '\\u003d').replaceAll('_', '\\u005F');
    for (const written of [once, twice, slashes, numbered]) {
      const { text, found } = redact(written);
      expect(found.length, written).toBe(1);
      const read = JSON.parse(text).content;
      expect(leaks(read, one), text).toBe(false);
      expect(leaks(text.replaceAll(/\\+u00../g, ''), one), text).toBe(false);
      for (let cut = 1; cut < written.length; cut += 3)
        expect(inPieces([written.slice(0, cut), written.slice(cut)]), `cut at ${cut}`).toBe(text);
    }
  });

  test.each(cases.filter(([, one]) => one.text.startsWith('It is ')))(
    '[T-28] %s is found right behind an escape, a hyphen and a sign',
    (_name, one) => {
      const before = ['\\n', '\\\\n', '\\t', '%3D', '=', '"', '(', '/', ':', '<', '>', ',', '|', '\u00e9 '];
      const joined = /json|discord|webhook|google-oauth-token|sendgrid|mapbox|terraform/.test(one.kind)
        ? []
        : ['my-', 'my_'];
      for (const start of [...before, ...joined]) {
        const text = `${start}${one.secret} `;
        expect(leaks(redact(text).text, one), text).toBe(false);
        expect(leaks(inPieces([...text]), one), text).toBe(false);
      }
    },
  );

  test('[T-28] many in one text, cut at random', () => {
    const all = planted.map(({ text }) => text).join('\nand then ');
    const whole = redact(all);
    expect(whole.found).toHaveLength(planted.length);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 60 }), (sizes) => {
        const pieces: string[] = [];
        for (let at = 0, turn = 0; at < all.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          pieces.push(all.slice(at, at + size));
          at += size;
        }
        expect(inPieces(pieces)).toBe(whole.text);
      }),
      { numRuns: counts.redactions },
    );
  });

  test('[T-28] one that the end of the text cuts off does not come through', () => {
    for (const one of planted.filter(({ text }) => text.startsWith('It is '))) {
      const cut = one.text.slice(0, 6 + one.secret.length - 2);
      if (one.kind === 'slack-webhook' || one.secret.length < 24) continue;
      expect(leaks(redact(cut).text, one), cut).toBe(false);
    }
  });
});

describe('redact', () => {
  test.each([
    'The key is in the password manager: token, secret and API key are words.',
    'const token = await getToken(); password: string; apiKey: process.env.API_KEY, secret = readSecret("x1")',
    '"max_tokens": 4096, "token_count": 12, "input_tokens": 100000, tokens: 12345678',
    `PASSWORD=$DB_PASSWORD TOKEN=\${TOKEN} SECRET=<your-secret-1> API_KEY={{ api_key_2 }} PASSWORD=********`,
    'PWD=/home/mill/project-2 OLDPWD=/tmp/x1',
    'toolu_01A09q90qw90lq917835lq9 msg_01XFDUDYJgAACzvnptvVoYEL req_011CSHoEeqs5C35K2UUqR7Fy',
    '3f2504e0-4f89-11d3-9a0c-0305e82c3301 sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'integrity: sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
    'git commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904 and https://example.org:8080/a@b?x=y',
    'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx sk-ant-xxxxxxxxxxxxxxxxxxxxxxxx AKIAXXXXXXXXXXXXXXXX',
    'sk-learn-and-other-words-that-are-long-enough npm_config_registry_and_more_words hf_transfer',
    '-----BEGIN PUBLIC KEY----- and -----BEGIN PRIVATE KEY----- begin a key of words that go on here',
    `postgres://user:password@host/db https://user:\${PASS}@host basic understanding, Bearer of bad news`,
    '[redacted: token, 32 characters] PASSWORD=[redacted: password, 12 characters]',
    '"token": "claude-opus-4-8", "secret": "projects/12/secrets/token2", "api_key": "the-key-of-2026"',
    'auth = base64.b64encode(f"{user}:{key}") self.auth = MultiDomainBasicAuth(index_urls=1) token=makeToken2Url(x)',
    `PASSWORD=changeme DB_PASSWORD=<password> PASSWD=\${X} pwd=xxxxxxxx MYSQL_PASSWORD=your-password-here PWD=packages`,
    'connect(password=settings.value, passwd=configured) password: undefined, password: required; password=getpass.getpass()',
    'cache_key=0f1e2d3c4b5a69788796a5b4c3d2e1f0 key: 0f1e2d3c4b5a69788796a5b4c3d2e1f0 awk $1$2 $6 mysql -port 3306',
    '<password></password> <token>string</token> key="theme" value="a1b2c3d4e5f6a7b8c9" login to the password manager',
    "secretName: 'my-app-secret', tokenType: 'Bearer', auth: 'oauth2', key: 'a1b2c3d4e5f6a7b8'",
  ])('leaves ordinary text as it is: %s', (text) => {
    expect(redact(text)).toEqual({ text, found: [] });
  });

  test('is the same a second time', () => {
    for (const { text } of planted) {
      const once = redact(text).text;
      expect(redact(once)).toEqual({ text: once, found: [] });
    }
  });

  test('never fails, and in pieces gives the same as in one, whatever the text is', () => {
    const word = fc.constantFrom(
      'password',
      '="',
      ': ',
      '\\',
      '\\u002d',
      '\\u001b',
      '\\x1b',
      '\\033',
      '\\e',
      '\u001b',
      '[31m',
      '[',
      '1→',
      ' | ',
      '> ',
      '\\n',
      'ghp_',
      'sk-',
      '-----BEGIN ',
      'PRIVATE KEY-----',
      '\n',
      '://',
      '@',
      'Bearer ',
      '--token ',
      'eyJ',
      '.',
      'M',
      'abc123XYZ9',
      '\ud83d',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const { found } = redact(text);
        for (const [at, { start, length }] of found.entries()) {
          expect(start).toBeGreaterThanOrEqual(
            at === 0 ? 0 : (found[at - 1]?.start ?? 0) + (found[at - 1]?.length ?? 0),
          );
          expect(start + length).toBeLessThanOrEqual(text.length);
        }
        expect(inPieces(pieces)).toBe(redact(text).text);
      }),
      {
        numRuns: counts.redactionTexts,
        examples: [[['0', '--token ', '://', 'abc123XYZ9', ';']], [['password', '--token ', '://', 'password', '@0[']]],
      },
    );
  });
});

describe('a redactor', () => {
  test('shows ordinary text at once', () => {
    const redactor = createRedactor();
    expect(redactor.push('The mill')).toBe('The mill');
    expect(redactor.push(' turns, and')).toBe(' turns, and');
    expect(redactor.push(' g')).toBe(' ');
    expect(redactor.push('o')).toBe('go');
    expect(redactor.push('od, gh')).toBe('od, ');
    expect(redactor.push('astly.')).toBe('ghastly.');
    expect(redactor.flush()).toBe('');
  });

  test('holds no more than its bound, and takes what goes on with what was too long to wait for', () => {
    const redactor = createRedactor();
    let held = 0;
    let shown = redactor.push('token sk-ant-');
    for (let count = 0; count < 1_000; count++) {
      const piece = `aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z${count}`;
      held += piece.length;
      const out = redactor.push(piece);
      if (out !== '') held = 0;
      shown += out;
      expect(held).toBeLessThan(1.2 * MOST_UNDECIDED);
    }
    shown += redactor.push(' and then words.') + redactor.flush();
    expect(shown).toMatch(/^token \[redacted: anthropic-key, \d+ characters\] and then words\.$/);
  });
});

describe('redactJson', () => {
  test('keeps names and takes the values of those that sound secret', () => {
    const secret = planted[2]?.secret ?? '';
    const value = { name: 'mill', password: 'Ab12!xyz', env: [{ text: `use ${secret} now` }], count: 3, token: null };
    const result = redactJson(value);
    expect(result.value).toEqual({
      name: 'mill',
      password: '[redacted: password, 8 characters]',
      env: [{ text: 'use [redacted: github-token, 40 characters] now' }],
      count: 3,
      token: null,
    });
    expect(result.found.map(({ kind }) => kind)).toEqual(['password', 'github-token']);
  });

  test('[T-28] takes the value of what is named next to it, and a password of words', () => {
    const secret = planted[2]?.secret.slice(4) ?? '';
    const value = { env: [{ name: 'API_KEY', value: secret }], password: `correct${'horse'}`, pwd: 'packages' };
    expect(redactJson(value).value).toEqual({
      env: [{ name: 'API_KEY', value: '[redacted: api-key, 36 characters]' }],
      password: '[redacted: password, 12 characters]',
      pwd: 'packages',
    });
  });

  test('gives the same value when there is nothing', () => {
    const value = { a: [1, { b: 'text' }], ['__proto__']: 'x' };
    expect(redactJson(value).value).toBe(value);
  });

  test('[T-25] a name such as __proto__ stays a name', () => {
    const value = JSON.parse('{"__proto__":{"password":"Ab12!xyz"}}');
    const result = redactJson(value).value;
    expect(JSON.stringify(result)).toBe('{"__proto__":{"password":"[redacted: password, 8 characters]"}}');
    expect(({} as Record<string, unknown>)['password']).toBeUndefined();
  });

  test('[T-28] a secret that is a name goes, too', () => {
    const secret = planted[2]?.secret ?? '';
    expect(JSON.stringify(redactJson({ [secret]: 1 }).value)).not.toContain(secret);
  });
});
