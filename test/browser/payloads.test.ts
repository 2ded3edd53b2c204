// [T-17] [T-19] Whatever an agent says is only ever shown.

import type { AgentStreamEvent, Json, RequestEvent, ToolKind } from '@tailrace/core';
import type { RunInfo } from '@tailrace/protocol';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { counts } from '../../proof/counts.ts';
import { browserTest, openBrowser } from './chromium.ts';
import { watchPage } from './harmless.ts';
import { EVENT_TYPES, hostileEvents } from './hostile-events.ts';
import { addEvents, showRuns, showSessions } from './hostile-server.ts';
import { wholeTimeline } from './open-session.ts';
import { ELSEWHERE, payloads } from './payloads.ts';
import { serveRecorded, sessionIds } from './recorded.ts';
import { connected, signInPage } from './signed-in.ts';

/** What a browser may see of a session at once, so that a test stays within its time. */
const PIECES = 16;
/** Hidden characters of one line. */
const FEW = 40;
/** Much is seen at once. */
const TALL = { width: 1280, height: 8000 };

browserTest('[T-17] there are two hundred payloads, and an event of every type holds each of them', () => {
  expect(new Set(payloads).size).toBeGreaterThanOrEqual(200);
  const events = hostileEvents('PAYLOAD', 0);
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(Object.keys(EVENT_TYPES)));
});

browserTest.each(Array.from({ length: counts.payloadPieces }, (_, piece) => piece))(
  '[T-17] nothing runs in a session, all of it opened, nor among its raw events (part %i)',
  async (piece) => {
    const served = await serveRecorded('basic-text');
    const context = await openBrowser();
    const first = await signInPage(context, served);
    const [id = ''] = await sessionIds(first);
    await first.close();
    const page = await context.newPage();
    await page.setViewportSize(TALL);
    const watch = await watchPage(page, served.url);
    const some = payloads.map((payload, round) => ({ payload, round })).filter(({ round }) => round % PIECES === piece);
    await addEvents(
      page,
      some.flatMap(({ payload, round }) => hostileEvents(payload, round)),
    );
    await page.goto(`${served.url}/sessions/${id}`);
    await wholeTimeline(page).waitFor();
    const seen = await openEverything(page);
    // A part of each kind from each of them.
    expect(seen.rows).toBeGreaterThan(some.length * 30);
    expect(seen.forbidden).toEqual([]);
    await watch.isHarmless();

    await page.getByRole('complementary', { name: 'About this session' }).getByRole('button').last().focus();
    await page.keyboard.press('r');
    await page.getByRole('listbox', { name: 'Events' }).waitFor();
    expect(await readRawEvents(page)).toEqual([]);
    await watch.isHarmless();
  },
);

browserTest('[T-17] nothing runs that went through the store and the server', async () => {
  const lines = payloads.flatMap((payload, index) => linesOf(payload, index));
  const served = await serveRecorded(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
  const context = await openBrowser();
  const first = await signInPage(context, served);
  const [id = ''] = await sessionIds(first);
  await first.close();
  const page = await context.newPage();
  await page.setViewportSize(TALL);
  const watch = await watchPage(page, served.url);
  await page.goto(served.url);
  await connected(page);
  await page.getByRole('link', { name: payloads[0] ?? '' }).waitFor();
  await watch.isHarmless();
  await page.goto(`${served.url}/sessions/${id}`);
  await wholeTimeline(page).waitFor();
  const seen = await openEverything(page);
  expect(seen.rows).toBeGreaterThan(payloads.length * 2);
  expect(seen.forbidden).toEqual([]);
  await watch.isHarmless();
});

browserTest('[T-17] nothing runs in the list of sessions', async () => {
  const served = await serveRecorded('basic-text');
  const context = await openBrowser();
  await (await signInPage(context, served)).close();
  const page = await context.newPage();
  await page.setViewportSize(TALL);
  const watch = await watchPage(page, served.url);
  await showSessions(page, (known) =>
    payloads.map((payload, index) => ({
      ...known,
      // A store keeps no halves of characters.
      id: `${index} ${Buffer.from(payload).toString()}`,
      agent: payload,
      project: payload,
      cwd: payload,
      title: payload,
      model: payload,
      status: index % 2 === 0 ? payload : 'success',
      tags: [payload],
      lastText: payload,
      startedAt: Date.now() - index * 1000,
      endedAt: Date.now(),
      live:
        index % 3 !== 0
          ? null
          : {
              runId: payload,
              state: 'working',
              since: Date.now(),
              isOurs: false,
              waiting: 0,
              progress: { phase: payload, activity: payload, percentage: 5, basis: 'estimated' },
              subagents: 1,
            },
    })),
  );
  await page.goto(served.url);
  await connected(page);
  await page
    .getByText(payloads[0] ?? '')
    .first()
    .waitFor();
  expect(await scrollThrough(page)).toEqual([]);
  await watch.isHarmless();
});

browserTest('[T-17] nothing runs in the inbox', async () => {
  const served = await serveRecorded('basic-text');
  const context = await openBrowser();
  const first = await signInPage(context, served);
  const [id = ''] = await sessionIds(first);
  await first.close();
  const page = await context.newPage();
  await page.setViewportSize(TALL);
  const watch = await watchPage(page, served.url);
  await showRuns(
    page,
    payloads.map(
      (payload, index): RunInfo => ({
        runId: `run-${index}`,
        workOrderId: payload,
        agent: payload,
        projectId: payload,
        sessionId: index % 2 === 0 ? id : payload,
        state: 'waiting',
        since: Date.now() - index,
        startedAt: Date.now() - index,
        progress: null,
        subagents: 0,
        requests: requestsOf(payload).map((request) => ({ request, digest: 'd' })),
      }),
    ),
  );
  await page.goto(served.url);
  await connected(page);
  await page.getByRole('heading', { name: /Waiting for you/ }).waitFor();
  expect(await scrollThrough(page)).toEqual([]);
  await watch.isHarmless();
});

browserTest(
  '[T-19] each character that hides is a mark, in commands, paths, names, changes and what waits',
  async () => {
    const hidden = hiddenCharacters();
    const served = await serveRecorded('basic-text');
    const context = await openBrowser();
    const first = await signInPage(context, served);
    const [id = ''] = await sessionIds(first);
    await first.close();
    const page = await context.newPage();
    await page.setViewportSize(TALL);
    const watch = await watchPage(page, served.url);
    const text = hidden.map((character) => `a${character}b`).join(' ');
    const request: RequestEvent = {
      type: 'permission-request',
      seq: 1,
      requestId: 'r',
      toolName: text,
      input: { command: text },
    };
    const few = Array.from({ length: Math.ceil(hidden.length / FEW) }, (_, index) =>
      hidden.slice(index * FEW, (index + 1) * FEW),
    );
    await addEvents(
      page,
      few.flatMap((some, index) => hidingEvents(some.map((character) => `a${character}b`).join(' '), index)),
    );
    await showRuns(page, [
      {
        runId: 'run',
        workOrderId: null,
        agent: 'claude',
        projectId: 'p',
        sessionId: null,
        state: 'waiting',
        since: Date.now(),
        startedAt: Date.now(),
        progress: null,
        subagents: 0,
        requests: [{ request, digest: 'd' }],
      },
    ]);
    await showSessions(page, (known) => [
      { ...known, title: text, project: text, lastText: text, endedAt: Date.now() },
    ]);
    const marks = hidden.map(
      (character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
    );
    const marked = async (place: string): Promise<readonly string[]> =>
      page.evaluate(`(() => {
      const seen = new Set([...document.querySelectorAll(${JSON.stringify(place)})].flatMap((one) => [...one.querySelectorAll('mark')].map((mark) => mark.textContent)));
      return ${JSON.stringify(marks)}.filter((mark) => !seen.has(mark));
    })()`);

    await page.goto(served.url);
    await connected(page);
    await page.getByRole('heading', { name: /Waiting for you/ }).waitFor();
    await page.locator('a[href^="/sessions/"] mark').first().waitFor();
    expect(await marked('a[href^="/sessions/"]')).toEqual([]);
    await page
      .getByRole('button', { name: /^Show all/ })
      .first()
      .click();
    await page.getByRole('group', { name: 'The whole input' }).locator('mark').first().waitFor();
    expect(await marked('[aria-label="The whole input"]')).toEqual([]);
    expect(await marked('main h3')).toEqual([]);

    await page.goto(`${served.url}/sessions/${id}`);
    await wholeTimeline(page).waitFor();
    await openEverything(page);
    for (const name of ['call-command', 'call-edit', 'call-read', 'call-name'])
      expect([name, await marked(`[data-key^="call:${name}"]`)]).toEqual([name, []]);
    await watch.isHarmless();
    // As they are, they are nowhere in what is read, nor in what the pointer brings up.
    const titles = await page.evaluate('[...document.querySelectorAll("[title]")].map((one) => one.title).join(" ")');
    for (const character of hidden) expect(String(titles).includes(character)).toBe(false);
    const shown = await page.evaluate('document.querySelector("[role=feed]").innerText');
    for (const character of hidden)
      expect(String(shown).includes(character), `U+${character.codePointAt(0)?.toString(16)}`).toBe(false);
  },
);

// ── What is shown ─────────────────────────────────────────────────────────────────────────────────

/** Those that turn the direction, take no room, are tags or controls. */
function hiddenCharacters(): readonly string[] {
  const ranges = [
    [0x00, 0x08],
    [0x0b, 0x0c],
    [0x0e, 0x1f],
    [0x7f, 0x9f],
    [0xad, 0xad],
    [0x061c, 0x061c],
    [0x180e, 0x180e],
    [0x200b, 0x200f],
    [0x2028, 0x202e],
    [0x2060, 0x2064],
    [0x2066, 0x206f],
    [0xfe00, 0xfe0f],
    [0xfeff, 0xfeff],
    [0xe0001, 0xe0001],
    [0xe0020, 0xe007f],
  ] as const;
  return ranges.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)),
  );
}

/** A call of each kind that has something to hide; lines and names are cut, so each has a few of them. */
function hidingEvents(text: string, name: number): readonly AgentStreamEvent[] {
  const call = (toolCallId: string, kind: ToolKind, input: Json, toolName = 'x'): readonly AgentStreamEvent[] => [
    { type: 'tool-call-start', seq: 1, toolCallId, toolName, kind },
    { type: 'tool-call-input-end', seq: 2, toolCallId, input, ...(kind === 'read' && { locations: [{ path: text }] }) },
  ];
  const end = (toolCallId: string): AgentStreamEvent => ({
    type: 'tool-call-end',
    seq: 9,
    toolCallId,
    toolName: 'x',
    outcome: 'success',
    content: [{ type: 'text', text: 'ok' }],
  });
  return [
    ...call(`call-command ${name}`, 'execute', { command: text }),
    end(`call-command ${name}`),
    ...call(`call-edit ${name}`, 'edit', { file_path: 'x' }),
    {
      type: 'file-change',
      seq: 3,
      toolCallId: `call-edit ${name}`,
      outcome: 'success',
      changes: [{ path: text, operation: 'modify', oldText: 'old', newText: text }],
    },
    end(`call-edit ${name}`),
    ...call(`call-read ${name}`, 'read', { file_path: text }),
    end(`call-read ${name}`),
    ...call(`call-name ${name}`, 'other', {}, text),
    end(`call-name ${name}`),
  ];
}

function requestsOf(payload: string): readonly RequestEvent[] {
  const fields = { command: payload, file_path: payload, content: payload, [payload]: { [payload]: [payload] } };
  return [
    {
      type: 'permission-request',
      seq: 1,
      requestId: `permission ${payload}`,
      toolName: payload,
      title: payload,
      reason: payload,
      input: fields,
      options: [
        { optionId: payload, name: payload, kind: 'allow_once' },
        { optionId: `${payload} always`, name: payload, kind: 'allow_always' },
      ],
    },
    {
      type: 'question-request',
      seq: 2,
      requestId: `question ${payload}`,
      message: payload,
      questions: [
        { question: payload, options: [{ label: payload, description: payload }, { label: `${payload} 2` }] },
        { question: `${payload} many`, options: [{ label: payload }], isMultiple: true },
      ],
    },
    {
      type: 'permission-request',
      seq: 3,
      requestId: `plan ${payload}`,
      toolName: 'ExitPlanMode',
      input: { plan: payload },
    },
  ];
}

/** A turn as Claude Code tells it, with hostile words where an agent's, a person's or a file's words are. */
function linesOf(payload: string, index: number): readonly object[] {
  const tail = { session_id: '0a000000-0000-4000-8000-00000000000a', parent_tool_use_id: null };
  const say = (block: object): object => ({
    type: 'assistant',
    message: { id: `msg_${index}`, role: 'assistant', model: payload, content: [block], usage: { input_tokens: 1 } },
    ...tail,
  });
  const result = (id: string, content: unknown, isError = false): object => ({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }] },
    tool_use_result: { stdout: payload, stderr: payload },
    ...tail,
  });
  const call = `call_${index}`;
  return [
    ...(index === 0
      ? [{ type: 'system', subtype: 'init', cwd: `/home/dev/${payload}`, model: payload, tools: [payload], ...tail }]
      : []),
    { type: 'user', message: { role: 'user', content: payload }, isReplay: true, uuid: `prompt-${index}`, ...tail },
    say({ type: 'text', text: payload }),
    say({ type: 'thinking', thinking: payload, signature: payload }),
    say({ type: 'tool_use', id: call, name: 'Bash', input: { command: payload, description: payload } }),
    result(call, payload, index % 2 === 0),
    say({ type: 'tool_use', id: `${call}b`, name: payload, input: { [payload]: payload } }),
    result(`${call}b`, [{ type: 'text', text: payload }]),
    { type: payload, subtype: payload, ...tail },
    { type: 'result', subtype: 'success', is_error: false, result: payload, num_turns: 1, usage: {}, ...tail },
  ];
}

// ── In the page ───────────────────────────────────────────────────────────────────────────────────

interface Opened {
  readonly rows: number;
  readonly forbidden: readonly string[];
}

/** Goes through the timeline from its start to its end, opens whatever opens, and looks at all of it. */
async function openEverything(page: Page): Promise<Opened> {
  return (await page.evaluate(`(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const feed = document.querySelector('[role=feed]');
    const seen = new Set();
    const found = new Set();
    // The page goes to the end by itself when it has been drawn: the way begins when it stays at the top.
    for (let top = 0; top < 10; top = feed.scrollTop === 0 ? top + 1 : 0) {
      feed.scrollTop = 0;
      await frame();
    }
    const clicked = new WeakSet();
    for (let still = 0; still < 10; ) {
      for (let opened = true; opened; ) {
        opened = false;
        for (const button of feed.querySelectorAll('button')) {
          const opens = button.ariaExpanded === 'false' || /more lines|^show/i.test(button.textContent);
          if (!opens || clicked.has(button)) continue;
          clicked.add(button);
          button.click();
          opened = true;
        }
        await frame();
      }
      for (const row of feed.querySelectorAll('article')) seen.add(row.dataset.key);
      for (const one of window.forbidden()) found.add(one);
      const before = feed.scrollTop;
      feed.scrollTop += feed.clientHeight * 0.7;
      await frame();
      still = feed.scrollTop === before ? still + 1 : 0;
    }
    return { rows: seen.size, forbidden: [...found].slice(0, 20) };
  })()`)) as Opened;
}

/** Chooses an event of every screenful. */
async function readRawEvents(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(`(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const list = document.querySelector('[role=listbox]');
    const found = new Set();
    for (let still = 0; still < 10; ) {
      list.querySelector('[role=option]:nth-child(3)')?.click();
      await frame();
      for (const one of window.forbidden()) found.add(one);
      const before = list.scrollTop;
      list.scrollTop += list.clientHeight;
      await frame();
      still = list.scrollTop === before ? still + 1 : 0;
    }
    return [...found].slice(0, 20);
  })()`)) as readonly string[];
}

/** Goes through a whole page that scrolls, opens whatever opens, and looks at all of it. */
async function scrollThrough(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(`(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const scrollers = [...document.querySelectorAll('*')].filter((one) => one.scrollHeight > one.clientHeight + 50 && /auto|scroll/.test(getComputedStyle(one).overflowY));
    const found = new Set();
    for (const scroller of [document.scrollingElement, ...scrollers]) {
      for (let still = 0; still < 10; ) {
        for (const button of document.querySelectorAll('main button:not([aria-haspopup])'))
          if (button.ariaExpanded === 'false' || /^(Answer…|Read the plan…|Show all.*)$/.test(button.textContent)) button.click();
        await frame();
        for (const one of window.forbidden()) found.add(one);
        const before = scroller.scrollTop;
        scroller.scrollTop += 500;
        await frame();
        still = scroller.scrollTop === before ? still + 1 : 0;
      }
    }
    return [...found].slice(0, 20);
  })()`)) as readonly string[];
}

browserTest('[T-17] the policy is the strict one, with Trusted Types', async () => {
  const served = await serveRecorded('basic-text');
  const page = await signInPage(await openBrowser(), served);
  const policy = (await page.request.get(served.url)).headers()['content-security-policy'] ?? '';
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining(["default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'"]),
  );
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  // The browser holds to it.
  const refused = page.evaluate(
    `(() => { try { document.body.innerHTML = '<b>x</b>'; return 'done'; } catch (error) { return error.name; } })()`,
  );
  expect(await refused).toBe('TypeError');
  expect(policy).not.toContain(ELSEWHERE);
});
