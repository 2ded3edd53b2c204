// What goes into the log, and what people are shown.

import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../src/log.ts';
import { call, fixtures } from './command.ts';
import { metaOf } from './tree.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tailrace-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const capture = readFileSync(`${fixtures}basic-text.ndjson`);
const noise = 'this is no JSON: PLANTED-WORD\n';

/** The log that a recorded pipe leaves. */
async function logOf(level: string | undefined): Promise<string | undefined> {
  const env = {
    HOME: folder,
    TAILRACE_HOME: join(folder, 'data'),
    ...(level !== undefined && { TAILRACE_LOG: level }),
  };
  const { code } = await call(['view', '--record'], { env, input: [capture, Buffer.from(noise)] });
  expect(code).toBe(0);
  try {
    return readFileSync(join(folder, 'data/tailrace.log'), 'utf8');
  } catch {
    return undefined;
  }
}

describe('[R-14] what people and agents wrote', () => {
  test('is in the log at level debug only', async () => {
    const debug = await logOf('debug');
    expect(debug).toContain('PLANTED-WORD');
    rmSync(join(folder, 'data'), { recursive: true });
    const info = await logOf('info');
    expect(info).toContain('not_json');
    expect(info).not.toContain('PLANTED-WORD');
  });

  test('is logged nowhere when nobody asked for a log', async () => {
    expect(await logOf(undefined)).toBeUndefined();
  });

  test('[T-28] is there without its secrets, [T-24] in a file that is private', () => {
    const file = join(folder, 'log/tailrace.log');
    const secret = ['ghp', 'x7Kq2mV9sLr4TzBn8WcYd1FhJp6GaEu3RtQo'].join('_');
    const log = createLog({ file, level: 'debug', now: () => 1 });
    log('info', { message: `it said ${secret}`, content: `and ${secret}` });
    log('error', { message: 'plain' });
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain(secret);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).level),
    ).toEqual(['info', 'error']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

test('[R-14] the view shows people no session id', async () => {
  const { session_id: id } = metaOf('basic-text').expected;
  expect(capture.toString()).toContain(id);
  for (const words of [['view', '--plain'], ['view'], []]) {
    const { stdout } = await call(words, { input: [capture] });
    expect(stdout.length).toBeGreaterThan(10);
    expect(stdout).not.toContain(id);
  }
});
