// [T-22] What a page can do to the app: nothing but the few calls, with arguments that fit, from the app's own pages.

import { type BridgeCalls, CALL_CHANNELS, type CallName, MAX_PROMPT_LENGTH } from '@tailrace/protocol';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { counts } from '../../../proof/counts.ts';
import {
  externalUrl,
  type Frame,
  type FrameNavigation,
  type GuardedContents,
  type GuardOptions,
  guardWindow,
  isOwnPage,
  type Launch,
  registerTailrace,
  safePreferences,
  type TailraceOptions,
} from '../src/main/index.ts';
import { FakeMain, FakeWindow, PAGE } from './fake-electron.ts';
import { claude, SESSION } from './place.ts';

const RUN = '99999999-2222-4333-8444-555555555555';

/** Good arguments of every call. */
const GOOD: { readonly [N in CallName]: BridgeCalls[N]['argument'] } = {
  start: { prompt: 'Do it' },
  send: { id: RUN, text: 'More' },
  answer: { id: RUN, requestId: 'ask-1', answer: { decision: 'allow' } },
  interrupt: { id: RUN },
  stop: { id: RUN },
  runs: undefined,
  checkpoints: { sessionId: SESSION },
  previewRewind: { sessionId: SESSION, checkpoint: RUN },
  rewind: { sessionId: SESSION, checkpoint: RUN, digest: 'abc' },
  openExternal: { url: 'https://example.com/' },
};
const NAMES = Object.keys(GOOD) as CallName[];

/** An app that starts nothing, and notes whether something would have been done. */
function createApp(options: Partial<TailraceOptions> = {}) {
  const main = new FakeMain();
  const window = new FakeWindow(main);
  const done: unknown[] = [];
  const warnings: string[] = [];
  registerTailrace(main, {
    windows: () => [window],
    pages: PAGE,
    launch: (wanted): Launch => {
      done.push(wanted);
      return { agent: claude, program: '/nowhere/claude' };
    },
    openExternal: (url) => done.push(url),
    onWarning: (message) => warnings.push(message),
    ...options,
  });
  const call = (name: CallName, argument: unknown, frame: Frame | null = window.frame, sender = window.webContents) =>
    main.invoke({ sender, senderFrame: frame }, CALL_CHANNELS[name], argument);
  return { main, window, done, warnings, call };
}

describe('[T-22] a call', () => {
  test('is one of the few, and they are all there is', () => {
    const { main } = createApp();
    expect([...main.handlers.keys()].sort()).toEqual(Object.values(CALL_CHANNELS).sort());
    expect(NAMES.sort()).toEqual(Object.keys(CALL_CHANNELS).sort());
  });

  test.each<[string, Frame | null]>([
    ['a frame that is gone', null],
    ['a frame in the page, though it shows the same page', { url: PAGE, parent: { url: PAGE, parent: null } }],
    ['another file', { url: 'file:///opt/app/other.html', parent: null }],
    ['the same file of another machine', { url: 'file://server/opt/app/index.html', parent: null }],
    ['a page of the web', { url: 'https://example.com/opt/app/index.html', parent: null }],
    ['a page made of its own address', { url: `data:text/html,${PAGE}`, parent: null }],
    ['a blank page', { url: 'about:blank', parent: null }],
    ['a page without an address', { url: '', parent: null }],
    ['a page in memory', { url: 'blob:file:///opt/app/index.html', parent: null }],
    ['a source view', { url: `view-source:${PAGE}`, parent: null }],
  ])('from %s is refused, whatever it asks', async (_name, frame) => {
    const { call, done, warnings } = createApp();
    for (const name of NAMES) expect(await call(name, GOOD[name], frame)).toMatchObject({ ok: false, code: 'refused' });
    expect(done).toEqual([]);
    expect(warnings).toHaveLength(NAMES.length);
  });

  test('from a page of no open window is refused', async () => {
    const { call, window, main, done } = createApp();
    const other = new FakeWindow(main);
    for (const name of NAMES)
      expect(await call(name, GOOD[name], other.frame, other.webContents)).toMatchObject({ code: 'refused' });
    window.isGone = true;
    for (const name of NAMES) expect(await call(name, GOOD[name])).toMatchObject({ code: 'refused' });
    expect(done).toEqual([]);
  });

  test('from a frame that throws at a touch is refused', async () => {
    const { call } = createApp();
    const frame = {
      parent: null,
      get url(): string {
        throw new Error('Render frame was disposed before WebFrameMain could be accessed');
      },
    };
    expect(await call('runs', undefined, frame)).toMatchObject({ ok: false, code: 'refused' });
  });

  test('that the app itself does not allow is refused; a yes counts only as such', async () => {
    for (const word of [false, undefined, 'yes', 1, Promise.resolve(true)]) {
      const { call } = createApp({ allow: () => word as boolean });
      expect(await call('runs', undefined)).toMatchObject({ ok: false, code: 'refused' });
    }
    expect(await createApp({ allow: () => true }).call('runs', undefined)).toEqual({ ok: true, value: [] });
  });

  test('from the own page is taken, whatever stands behind its address', async () => {
    const { call, done } = createApp();
    const frame = { url: `${PAGE}?a=1#/session/2`, parent: null };
    expect(await call('runs', undefined, frame)).toEqual({ ok: true, value: [] });
    expect(await call('openExternal', GOOD.openExternal, frame)).toMatchObject({ ok: true });
    expect(done).toEqual(['https://example.com/']);
  });

  test('with anything but what its schema says does nothing: random arguments', async () => {
    const { call, done } = createApp();
    const anything = fc.anything({ withDate: true, withMap: true, withBigInt: true });
    const bent = fc.constantFrom(...NAMES).chain((name) => {
      const good = GOOD[name];
      const fields = Object.keys(good ?? {});
      const broken: fc.Arbitrary<unknown> =
        fields.length === 0
          ? anything.filter((value) => value !== undefined)
          : fc.oneof(
              // A field that is something else, one that is missing, one too many.
              fc.tuple(fc.constantFrom(...fields), anything).map(([field, value]) => ({ ...good, [field]: value })),
              fc.constantFrom(...fields).map((field) => omit(good, field)),
              fc
                .tuple(fc.string({ minLength: 1 }), anything)
                .map(([field, value]) => ({ ...good, [`x${field}`]: value })),
              anything,
            );
      return broken.map((argument) => ({ name, argument }));
    });
    await fc.assert(
      fc.asyncProperty(bent, async ({ name, argument }) => {
        const before = done.length;
        const reply = await call(name, clonable(argument));
        expect(reply).toHaveProperty('ok');
        const isGood = isText(argument, 'prompt') || isText(argument, 'url');
        if (!isGood) expect(done.length, name).toBe(before);
        if (typeof reply === 'object' && reply !== null && 'code' in reply) expect(reply.code).not.toBe('internal');
      }),
      { numRuns: counts.bridgeCalls },
    );
    for (const one of done)
      if (typeof one === 'string') expect(one).toMatch(/^https?:\/\//);
      else expect(Object.keys(one as object).every((key) => ALLOWED.has(key))).toBe(true);
  });

  test.each<[CallName, unknown]>([
    ['start', { prompt: 'x', cwd: '/etc' }],
    ['start', { prompt: 'x', permissionMode: 'bypassPermissions' }],
    ['start', { prompt: 'x', program: '/bin/sh' }],
    ['start', { prompt: 'x', model: '--dangerously-skip-permissions' }],
    ['start', { prompt: 'x', resume: '../../other' }],
    ['start', { prompt: 'x', runId: '../../other' }],
    ['start', { prompt: 'x', resume: SESSION, resumeAt: '-p' }],
    ['start', { prompt: '' }],
    ['start', { prompt: 'x', fork: true }],
    ['start', { prompt: 'x', resumeAt: RUN }],
    ['start', JSON.parse('{ "prompt": "x", "__proto__": { "cwd": "/" } }')],
    ['stop', { id: '1; rm -rf' }],
    ['answer', { ...GOOD.answer, answer: { decision: 'allow', by: 'policy' } }],
    ['checkpoints', { sessionId: '..' }],
    ['rewind', { ...GOOD.rewind, checkpoint: '--version' }],
    ['runs', {}],
  ])('of %s with %j is not understood', async (name, argument) => {
    const { call, done } = createApp();
    expect(await call(name, argument)).toMatchObject({ ok: false, code: 'bad-request' });
    expect(done).toEqual([]);
  });

  test.each<[CallName, unknown, string]>([
    ['start', {}, '"start" was asked wrongly: "prompt" is missing, or cannot be used'],
    ['start', { prompt: '' }, '"start" was asked wrongly: "prompt" may not be empty'],
    ['start', { prompt: ' \n\t' }, '"start" was asked wrongly: there is nothing to read in it but blanks'],
    ['send', { id: RUN, text: ' ' }, '"send" was asked wrongly: there is nothing to read in it but blanks'],
    ['start', { prompt: 'x', cwd: '/etc' }, '"start" was asked wrongly: nothing is known of "cwd"'],
    [
      'start',
      { prompt: 'x', ['k'.repeat(99)]: 1, b: 1, c: 1, d: 1, e: 1 },
      `"start" was asked wrongly: nothing is known of "${'k'.repeat(40)}", "b", "c" and 2 more`,
    ],
    [
      'start',
      { prompt: 'x'.repeat(MAX_PROMPT_LENGTH + 1) },
      `"start" was asked wrongly: "prompt" is too long: it may have ${MAX_PROMPT_LENGTH} characters`,
    ],
    ['stop', { id: 'x' }, '"stop" was asked wrongly: "id" is missing, or cannot be used'],
    ['runs', 7, '"runs" was asked wrongly: what it was given is missing, or cannot be used'],
  ])('of %s with %j is answered in a sentence', async (name, argument, message) => {
    expect(await createApp().call(name, argument)).toEqual({ ok: false, code: 'bad-request', message });
  });

  test.each([[''], ['index.html'], ['about:blank'], [[]], [[PAGE, '']]])('pages %j are none', (pages) => {
    expect(() => createApp({ pages })).toThrow('give the address of your page');
  });

  test('with more than a prompt may hold is not understood', async () => {
    const { call, done } = createApp();
    const long = 'x'.repeat(MAX_PROMPT_LENGTH + 1);
    expect(await call('start', { prompt: long })).toMatchObject({ ok: false, code: 'bad-request' });
    expect(await call('send', { ...GOOD.send, text: long })).toMatchObject({ ok: false, code: 'bad-request' });
    expect(done).toEqual([]);
  });
});

const ALLOWED: ReadonlySet<string> = new Set(['prompt', 'project', 'model', 'resume', 'resumeAt', 'fork', 'runId']);

function isText(value: unknown, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return typeof (value as Record<string, unknown>)[name] === 'string';
}

function omit(value: unknown, field: string): object {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => name !== field));
}

/** What cannot be cloned does not get over in the first place. */
function clonable(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return null;
  }
}

describe('[T-22] an address that is to be opened', () => {
  test.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTP://EXAMPLE.com:8080/a?b=c#d', 'http://example.com:8080/a?b=c#d'],
    ['https://example.com/ä"<>', 'https://example.com/%C3%A4%22%3C%3E'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ])('%s is opened as %s', (text, opened) => {
    expect(externalUrl(text)).toBe(opened);
  });

  test.each([
    'file:///etc/passwd',
    'FILE:///C:/Windows/System32/calc.exe',
    'smb://server/share/x.exe',
    '\\\\server\\share\\x.exe',
    '//server/share',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    ' https://example.com',
    'https://example.com/a b',
    'ht\ttps://example.com',
    'https:\\\\example.com',
    'https://example.com\\@evil.example',
    'https:example.com',
    'https:/example.com',
    'https:///example.com',
    'https://',
    'https://?x',
    'https://user@example.com',
    'https://@example.com/',
    'https://:@example.com/',
    'https://user:pass@example.com',
    'https://:pass@example.com',
    'ms-msdt:/id PCWDiagnostic',
    'vscode://file/etc/passwd',
    'search-ms:query=x',
    'mailto:a@b.example',
    'view-source:https://example.com',
    'data:text/html,x',
    'blob:https://example.com/1',
    'about:blank',
    'httpx://example.com',
    'https',
    '',
    'https://exa\u0000mple.com',
    'https://example.com/\u0085',
    'https://exa mple.com',
    'https://[::1',
    `https://example.com/${'a'.repeat(10_000)}`,
  ])('%j is not', (text) => {
    expect(externalUrl(text)).toBeUndefined();
  });

  /** Schemes, separators and tricks, put together at random. */
  const piece = fc.constantFrom(
    ...['http', 'https', 'HTTPS', 'file', 'smb', 'javascript', 'data', 'blob', 'vscode', 'ms-settings', 'ftp', 'ws'],
    ...[':', '://', ':/', ':\\\\', '//', '\\\\', '/', '\\', '@', ':pw@', '%', '%00', '%2f', '?', '#', '[', ']', '.'],
    ...['\t', '\n', '\r', '\0', ' ', '\u00a0', '\u200b', '\u202e', '\ufeff', '．', '／', '：'],
    ...['example.com', 'user', 'C:', 'etc/passwd', '127.0.0.1', '0x7f.1', 'xn--', '..', 'calc.exe'],
  );
  const address = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
    fc.string(),
    fc.webUrl(),
  );

  test('is one of the web, in one spelling, or nothing: random addresses', () => {
    fc.assert(
      fc.property(address, (text) => {
        const opened = externalUrl(text);
        if (opened === undefined) return;
        const { protocol, username, password, host } = new URL(opened);
        expect(['http:', 'https:']).toContain(protocol);
        expect(username + password).toBe('');
        expect(host).not.toBe('');
        // Whoever reads it next reads the same.
        expect(externalUrl(opened)).toBe(opened);
        expect(new URL(text).href).toBe(opened);
        expect(text.toLowerCase().startsWith(`${protocol}//`)).toBe(true);
      }),
      { numRuns: counts.bridgeCalls },
    );
  });

  test('from a page gets to the system only so', async () => {
    const { call, done } = createApp();
    await fc.assert(
      fc.asyncProperty(address, async (url) => {
        const before = done.length;
        const reply = await call('openExternal', { url });
        const safe = externalUrl(url);
        expect(done.slice(before)).toEqual(safe === undefined ? [] : [safe]);
        expect(reply).toMatchObject(safe === undefined ? { ok: false, code: 'refused' } : { ok: true });
      }),
      { numRuns: counts.bridgeCalls },
    );
  });
});

describe('[T-22] a page of the app', () => {
  test.each([
    ['http://localhost:5173/', 'http://localhost:5173/session?x', true],
    ['file:///opt/my app/index.html', 'file:///opt/my%20app/index.html', true],
    ['file:///opt/my app/index.html', 'file:///opt/my%20app%2Findex.html', false],
    ['file:///opt/my app/index.html', 'file:///opt%2fmy app/index.html', false],
    ['file:///C:/app/index.html', 'file:///C:/app%5Cindex.html', false],
    ['http://localhost:5173', 'http://localhost:5174/', false],
    ['http://localhost:5173', 'https://localhost:5173/', false],
    ['http://localhost:5173', 'http://localhost:5173@evil.example/', false],
    ['http://localhost:5173', 'http://localhost.evil.example:5173/', false],
    ['app://chat/index.html', 'app://chat/other.html', true],
    ['app://chat/index.html', 'app://other/index.html', false],
    ['app://Chat/index.html', 'app://chat/other.html', true],
    ['file:///opt/my%20app/index.html', 'file:///opt/my app/index.html', true],
    ['file:///C:/app/index.html', 'file:///c:/app/index.html#a', true],
    ['file:///opt/app/index.html', 'file:///opt/app/../app/index.html', true],
    ['file:///opt/app/index.html', 'file:///opt/app/index.html/../../evil.html', false],
    ['file:///opt/app/index.html', 'file:///opt/app/', false],
    ['file:///opt/app/index.html', 'file:///opt/app/%', false],
    ['about:blank', 'about:blank', false],
    ['data:text/html,x', 'data:text/html,x', false],
    ['not an address', 'not an address', false],
  ])('%s: is %s one? %s', (page, address, isOwn) => {
    expect(isOwnPage(address, page)).toBe(isOwn);
    expect(isOwnPage(address, ['https://first.example/', page])).toBe(isOwn);
  });
});

test('[T-22] of random addresses only those of the same place are pages of the app', () => {
  const pages = [PAGE, 'http://localhost:5173/', 'app://chat/index.html'];
  const piece = fc.constantFrom(
    ...[
      'file',
      'http',
      'https',
      'app',
      'blob:',
      'data:',
      'view-source:',
      '://',
      ':///',
      ':',
      '/',
      '\\\\',
      '..',
      '.',
      '%2e',
      '@',
      '#',
      '?',
    ],
    ...[
      'localhost',
      'localhost:5173',
      'LOCALHOST',
      ':5173',
      'chat',
      'opt',
      'app/',
      'index.html',
      'evil.example',
      '\t',
      ' ',
      '\0',
    ],
  );
  const address = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
    fc.tuple(fc.constantFrom(...pages), fc.array(piece, { maxLength: 4 })).map(([page, more]) => page + more.join('')),
  );
  fc.assert(
    fc.property(address, (text) => {
      if (!isOwnPage(text, pages)) return;
      const { protocol, host, pathname } = new URL(text);
      const isFile = protocol === 'file:' && host === '' && decodeURIComponent(pathname) === '/opt/app/index.html';
      expect(isFile || ['http://localhost:5173', 'app://chat'].includes(`${protocol}//${host}`), text).toBe(true);
    }),
    { numRuns: counts.bridgeCalls },
  );
});

describe('[T-22] a window', () => {
  test('is isolated, in a sandbox, and has nothing of Node', () => {
    expect(safePreferences('/opt/app/preload.cjs')).toEqual({
      preload: '/opt/app/preload.cjs',
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
    });
  });

  /** A window, and what was tried to leave it. */
  function createGuarded(options: Partial<GuardOptions> = {}) {
    const listeners = new Map<string, (event: FrameNavigation) => void>();
    let open: Parameters<GuardedContents['setWindowOpenHandler']>[0] = () => ({ action: 'deny' });
    const contents: GuardedContents = {
      setWindowOpenHandler: (handler) => {
        open = handler;
      },
      on: (name: string, listener: (event: never) => void) => listeners.set(name, listener as never),
    };
    const opened: string[] = [];
    guardWindow(contents, { pages: PAGE, openExternal: (url) => opened.push(url), ...options });
    /** Whether it went. */
    const go = (name: string, url: string, isMainFrame = true): boolean => {
      let isPrevented = false;
      listeners.get(name)?.({
        url,
        isMainFrame,
        preventDefault: () => {
          isPrevented = true;
        },
      });
      return !isPrevented;
    };
    return { open: (url: string) => open({ url }), go, opened };
  }

  test('opens no other and goes nowhere else; links of the web go to the browser', () => {
    const { open, go, opened } = createGuarded();
    expect(open('https://example.com')).toEqual({ action: 'deny' });
    expect(open('file:///etc/passwd')).toEqual({ action: 'deny' });
    expect(open(PAGE)).toEqual({ action: 'deny' });
    expect(go('will-navigate', `${PAGE}#there`)).toBe(true);
    expect(go('will-navigate', 'https://example.com/link')).toBe(false);
    expect(go('will-navigate', 'smb://server/x')).toBe(false);
    expect(go('will-attach-webview', PAGE)).toBe(false);
    expect(opened).toEqual(['https://example.com/', 'https://example.com/link']);
  });

  test('is not led out by an answer that sends it on', () => {
    const { go, opened } = createGuarded();
    expect(go('will-redirect', `${PAGE}?x`)).toBe(true);
    expect(go('will-redirect', 'https://example.com/on')).toBe(false);
    expect(go('will-redirect', 'smb://server/x')).toBe(false);
    expect(go('will-redirect', 'https://example.com/frame', false)).toBe(false);
    expect(opened).toEqual(['https://example.com/on']);
  });

  test('keeps the frames in its page where they are, and opens no browser for them', () => {
    const { go, opened } = createGuarded();
    for (const url of [PAGE, 'about:blank', 'about:srcdoc']) expect(go('will-frame-navigate', url, false)).toBe(true);
    for (const url of ['https://example.com/', 'file:///etc/passwd', 'data:text/html,x', 'about:version'])
      expect(go('will-frame-navigate', url, false)).toBe(false);
    expect(opened).toEqual([]);
  });

  test('hears of an address that could not be opened, and goes on', async () => {
    const fail = (): never => {
      throw new Error('no program for https');
    };
    for (const openExternal of [fail, async () => fail()]) {
      const warnings: string[] = [];
      const { go, open } = createGuarded({ openExternal, onWarning: (message) => warnings.push(message) });
      expect(go('will-navigate', 'https://example.com/a')).toBe(false);
      expect(open('https://example.com/b')).toEqual({ action: 'deny' });
      await vi.waitFor(() =>
        expect(warnings).toEqual([
          'https://example.com/a was not opened: no program for https',
          'https://example.com/b was not opened: no program for https',
        ]),
      );
      // One who fails at hearing it harms nobody: a rejection that nobody takes would fail this test.
      for (const onWarning of [fail, async () => fail()])
        createGuarded({ openExternal, onWarning }).go('will-navigate', 'https://example.com/');
    }
  });
});
