import type { EventType } from '@tailrace/core';
import { describe, expect, test } from 'vitest';
import { inputFrom, inputOf, recordings, textOf } from '../../test/exported.ts';
import { hostileEvents, payloads, samples } from '../../test/hostile.ts';
import { readStrictly } from '../../test/strict-html.ts';
import { exportMarkdown } from './export-markdown.ts';
import { exportHtml } from './html/export-html.ts';
import { STYLE } from './html/style.ts';
import type { ExportInput } from './input.ts';

/** A session with the payload in its own facts, too. */
function hostile(payload: string, all: boolean): ExportInput {
  const input = inputOf(hostileEvents(payload, all));
  const session = { ...input.session, id: payload, title: payload, project: payload, cwd: payload, model: payload };
  return { ...input, session: { ...session, agent: payload, status: payload, costState: payload as 'known' } };
}

function checkPage(page: string, name: string): void {
  const { faults, text, addresses, style, policy } = readStrictly(page);
  expect(faults, name).toEqual([]);
  expect(style).toBe(STYLE);
  const hides = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u200b\ufeff\u{e0000}-\u{e007f}]/gu;
  expect(
    [...text.matchAll(hides)].filter(([character]) => character !== '\n' && character !== '\t'),
    name,
  ).toEqual([]);
  expect(page, name).not.toMatch(/\p{Surrogate}/u);
  for (const address of addresses) expect(address).not.toMatch(/^javascript|["<>\s]/i);
  const hasPicture = addresses.some((address) => address.startsWith('data:'));
  expect(policy).toMatch(
    hasPicture
      ? /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; img-src data:; base-uri 'none'; form-action 'none'$/
      : /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'; form-action 'none'$/,
  );
}

describe('[T-17] the page of a hostile session', () => {
  test('there are two hundred payloads, and a sample of every event', () => {
    expect(new Set(payloads).size).toBeGreaterThanOrEqual(200);
    const types: ReadonlySet<EventType> = new Set(samples.map(({ type }) => type));
    expect(types.size).toBe(45);
  });

  test('[T-17] [T-19] has no script, no handler, no style, nothing that is loaded and nothing that hides', async () => {
    for (const payload of payloads) {
      for (const all of [false, true]) {
        const page = await textOf(exportHtml(hostile(payload, all)));
        checkPage(page, JSON.stringify(payload));
      }
    }
  });

  test('[T-17] the style has no address in it', () => {
    expect(STYLE).not.toMatch(/url\(|@import|expression|<|https?:/i);
  });

  test('[T-17] pictures are shown when their bytes are those of one', async () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    const show = async (mediaType: string, data: string): Promise<readonly string[]> => {
      const content = [{ type: 'image' as const, mediaType, data }];
      const page = await textOf(exportHtml(inputOf([{ seq: 0, type: 'user-message', origin: 'prompt', content }])));
      checkPage(page, mediaType);
      return readStrictly(page).addresses;
    };
    expect(await show('image/png', png)).toEqual([`data:image/png;base64,${png}`]);
    expect(await show('image/svg+xml', 'PHN2Zz48L3N2Zz4=')).toEqual([]);
    expect(await show('image/png', 'PHN2Zz48L3N2Zz4=')).toEqual([]);
    expect(await show('image/png', `${png}"><script>`)).toEqual([]);
    expect(await show('image/jpeg', png)).toEqual([]);
    expect(await show('constructor', png)).toEqual([]);
  });

  test('the pages of all recorded sessions are as strict', async () => {
    for (const [name, bytes] of recordings) checkPage(await textOf(exportHtml(inputFrom(bytes))), name);
  });
});

describe('the Markdown of a hostile session', () => {
  test('[T-17] brings no HTML along but ours, no picture and no other address', async () => {
    for (const payload of payloads) {
      const text = await textOf(exportMarkdown(hostile(payload, false)));
      const outside = withoutCode(text, payload);
      const left = outside.replaceAll(/<\/?details>|<\/?summary>/g, '');
      expect(left.replaceAll(/\\</g, ''), JSON.stringify(payload)).not.toMatch(/</);
      expect(outside, JSON.stringify(payload)).not.toMatch(
        /(?<!\\)!\[|(?<!\\)\]\((?!https?:|mailto:)|^[> ]*\[[^\]]*\]:/m,
      );
    }
  });

  test('[T-17] its headings are ours alone', async () => {
    const fake = '# You\n\n## You\n\nYou\n===\n\nYou\n---\n\n```\n## You\n';
    const text = await textOf(exportMarkdown(hostile(fake, false)));
    const headings = withoutCode(text, '')
      .split('\n')
      .filter((line) => /^#{1,2} /.test(line));
    expect(headings.map((line) => line.split(' ')[1])).toEqual(['\\#', 'You', 'To']);
  });
});

/** What a reader of Markdown takes for anything but code; every fence has to be closed. */
function withoutCode(text: string, name: string): string {
  const kept: string[] = [];
  let fence = '';
  for (const line of text.split('\n')) {
    const bare = line.replace(/^(?:> ?)*/, '');
    const found = /^ {0,3}(`{3,})([^`]*)$/.exec(bare);
    if (fence === '' && found) fence = found[1] ?? '';
    else if (fence !== '') {
      if (found && (found[1] ?? '').length >= fence.length && (found[2] ?? '').trim() === '') fence = '';
    } else kept.push(bare);
  }
  expect(fence, name).toBe('');
  // A span may go on in the next line of its paragraph.
  return kept.join('\n').split('\n\n').map(withoutSpans).join('\n\n');
}

/** As CommonMark has it: an escaped backtick opens nothing, a run is closed by one of its own length. */
function withoutSpans(line: string): string {
  let shown = '';
  for (let at = 0; at < line.length; ) {
    if (line[at] === '\\') {
      shown += line.slice(at, at + 2);
      at += 2;
      continue;
    }
    const ticks = /^`+/.exec(line.slice(at))?.[0];
    if (ticks === undefined) {
      shown += line[at];
      at++;
      continue;
    }
    let close = -1;
    for (const run of line.slice(at + ticks.length).matchAll(/`+/g))
      if (run[0].length === ticks.length) {
        close = at + ticks.length + run.index + ticks.length;
        break;
      }
    if (close < 0) {
      shown += ticks;
      at += ticks.length;
    } else at = close;
  }
  return shown;
}
