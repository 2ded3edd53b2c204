// [T-26] The scanners are written by hand: a great deal of what each of them likes least. One that looks at everything again and again
// would take much longer, so the bound is generous, and taken in the process's own time.

import { expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { createRedactor, redact } from './redact.ts';

const SIZE = counts.likedLeast;
/** Linear takes a thirtieth of it. */
const LIMIT_MS = SIZE / 300;

const runs: readonly string[] = [
  'a',
  '-',
  '_',
  '.',
  ':',
  '=',
  '"',
  '\\',
  '\\"',
  "'",
  '/',
  '://',
  '@',
  ' ',
  '\n',
  '\\n',
  'M',
  'M.',
  '-M',
  'eyJ',
  'eyJ.',
  'eyJ-',
  'xoxb-',
  'xoxb-.',
  'sk-ant-',
  'ghp_',
  'SK0',
  'hooks.slack.com/services/',
  'hooks.slack.com/services/a',
  'password=',
  'password="',
  'password=\'\\"',
  'password:',
  'token=a',
  'cookie:',
  'cookie: "',
  'Authorization: Bearer ',
  'bearer ',
  '--token ',
  '-u a:',
  '://a:',
  '://a:b@',
  '12345678:AA',
  '\\u002d',
  '\\\\u002d',
  'sk\\u002d',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----\n',
  '-----BEGIN PRIVATE KEY-----\nabcd\n',
  '-----END ',
  'Aaa: ',
  'token=" ',
  'auth=basic ',
  'é',
  '\u001b',
  '\u001b[',
  '\u001b[1',
  '\u001b[1m',
  '\\u001b[',
  '\\u001b[31m',
  '\\u65e5',
  '\\x',
  '\\033',
  '-----BEGIN PRIVATE KEY-----\n1→',
  '-----BEGIN PRIVATE KEY-----\n> | ',
  '-----BEGIN PRIVATE KEY-----\na:',
  '\n1→',
  '<password>',
  '<password>a',
  'key="ApiKey" value="',
  'apikey:X-API-Key:',
  'ENV TOKEN ',
  'login a password ',
  'login a ',
  'sshpass -p ',
  'mysql -p',
  'mysql a ',
  ' -p',
  '$6$',
  '$6$a',
  '$2b$10$',
  'token%3D',
  '\n> ',
  '\na-b:',
  '\n-',
];

function spentOn(action: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && best >= LIMIT_MS; round++) {
    const start = process.cpuUsage();
    action();
    best = process.cpuUsage(start).user / 1000;
  }
  return best;
}

test.each(runs)('[T-26] %j over and over takes linear time', (run) => {
  const text = run.repeat(Math.ceil(SIZE / run.length));
  for (const one of [text, `-----BEGIN PRIVATE KEY-----\n${text}!`])
    expect(spentOn(() => redact(one))).toBeLessThan(LIMIT_MS);
});

test.each(runs)('[T-26] %j in many small pieces takes linear time', (run) => {
  const text = run.repeat(Math.ceil(SIZE / 20 / run.length));
  expect(
    spentOn(() => {
      const redactor = createRedactor();
      for (let at = 0; at < text.length; at += 16) redactor.push(text.slice(at, at + 16));
      redactor.flush();
    }),
  ).toBeLessThan(LIMIT_MS);
});

test('[T-26] quotes with ever more backslashes take linear time', () => {
  let text = '';
  for (let level = 0; text.length < SIZE; level++) text += `password=${'\\'.repeat(level)}"`;
  expect(spentOn(() => redact(text))).toBeLessThan(LIMIT_MS);
});
