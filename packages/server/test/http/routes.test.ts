// What can be asked for, by whom, and what comes back.

import { randomUUID } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { agents, MAX_DEPTH } from '@tailrace/core';
import {
  callPage,
  checkpointPage,
  eventPage,
  filePage,
  found,
  health,
  MAX_CLIENT_MESSAGE_BYTES,
  MAX_STRING_BYTES,
  messagePage,
  problem,
  projectList,
  rewindPreviewReply,
  rewindReply,
  runList,
  sessionDetail,
  sessionPage,
  todoPage,
  usageAnswer,
  wholeEvents,
} from '@tailrace/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestOf } from '../../src/control/open-requests.ts';
import { routes } from '../../src/http/routes.ts';
import { keep, longLines, openPlace, type Place, recordedLines } from './place.ts';

let place: Place;
let plain: string;
let asking: string;
let files: string;
const long = randomUUID();
const longText = `begin ${'ä€😀'.repeat(120_000)} end`;

beforeAll(async () => {
  place = await openPlace({
    parts: {
      page: (path) =>
        path === '/' || path === '/assets/app.js'
          ? {
              body: Buffer.from(`the page ${path}`),
              type: 'text/html; charset=utf-8',
              ...(path !== '/' && { cacheControl: 'public, max-age=31536000, immutable' }),
            }
          : undefined,
      feedPosition: async () => 7,
    },
  });
  plain = await keep(place.store, recordedLines('basic-text'), 1_794_720_000_000);
  asking = await keep(place.store, recordedLines('permission-stdio'), 1_794_730_000_000);
  files = await keep(place.store, recordedLines('todo-write'), 1_794_740_000_000);
  await keep(place.store, longLines(long, longText), 1_794_750_000_000);
});
afterAll(() => place.close());

describe('sessions', () => {
  let order: readonly string[] = [];

  test('are listed, those that were last active first', async () => {
    const { status, json, headers } = await place.askAsPerson('/api/sessions');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    const page = sessionPage.parse(json);
    // What was recorded was active when its agent says.
    order = page.items.map(({ id }) => id);
    expect(order).toHaveLength(4);
    expect(new Set(order)).toEqual(new Set([long, files, asking, plain]));
    const ends = page.items.map(({ endedAt }) => endedAt ?? 0);
    expect(ends).toEqual([...ends].sort((a, b) => b - a));
    expect(page.next).toBeNull();
    const one = json.items.find(({ id }: { id: string }) => id === plain);
    expect(one).toMatchObject({ agent: 'claude', live: null, starred: false });
    expect(one.projectId).toMatch(/^[\w-]{8,}$/);
    const { lastText: last } = json.items.find(({ id }: { id: string }) => id === long);
    expect(last).toBe(`begin ${'ä€😀'.repeat(64)}ä…`);
    expect([...last]).toHaveLength(200);
    for (const { id, lastText, files: changed, subagents } of json.items) {
      const { summary } = (await place.askAsPerson(`/api/sessions/${id}`)).json;
      expect([changed, subagents]).toEqual([summary.filesChanged.length, summary.subagents.length]);
      if (id !== long) expect(lastText).toBe(summary.text.slice(0, 200));
    }
  });

  test('come in pages, each once, also when one moves to the front meanwhile', async () => {
    const seen: string[] = [];
    let next = '/api/sessions?limit=1';
    for (let page = 0; page < 10; page++) {
      const { json } = await place.askAsPerson(next);
      seen.push(...json.items.map(({ id }: { id: string }) => id));
      if (page === 1) {
        // The oldest one goes on: it has been told of by nobody yet, and stands before those that were.
        await place.store.history.label(plain, { addTags: ['moved'] });
        await keep(place.store, longLines(randomUUID(), 'new'), 1_794_760_000_000);
      }
      if (json.next === null) break;
      next = `/api/sessions?limit=1&cursor=${encodeURIComponent(json.next)}`;
    }
    expect(seen).toEqual(order);
    const { json } = await place.askAsPerson('/api/sessions?limit=2');
    expect(json.items).toHaveLength(2);
  });

  test('come in pages, none left out, also when one that was told is forgotten meanwhile', async () => {
    const own = await openPlace();
    const ids = Array.from({ length: 5 }, () => randomUUID());
    for (const [index, id] of ids.entries())
      await keep(own.store, longLines(id, 'x'), 1_794_720_000_000 - index * 60_000);
    const seen: string[] = [];
    for (let next = '/api/sessions?limit=2'; ; ) {
      const { json } = await own.askAsPerson(next);
      seen.push(...json.items.map(({ id }: { id: string }) => id));
      if (json.next === null) break;
      next = `/api/sessions?limit=2&cursor=${json.next}`;
      if (seen.length === 2) await own.store.forget(ids[0] ?? '');
    }
    expect(seen).toEqual(ids);
    await own.close();
  });

  test('are found by project, agent, tag, star and time', async () => {
    const { json: all } = await place.askAsPerson('/api/sessions');
    const { projectId } = all.items.find(({ id }: { id: string }) => id === long);
    const ids = async (query: string): Promise<readonly string[]> => {
      const { json } = await place.askAsPerson(`/api/sessions?${query}`);
      return json.items.map(({ id }: { id: string }) => id);
    };
    expect(await ids(`project=${projectId}`)).toContain(long);
    expect(await ids(`project=${projectId}`)).not.toContain(asking);
    expect(await ids('project=none')).toEqual([]);
    expect(await ids('agent=codex')).toEqual([]);
    expect(await ids(`until=${1_794_725_000_000}`)).toEqual([plain]);
    await place.askAsPerson(`/api/sessions/${asking}`, { method: 'PATCH', body: { starred: true, addTags: ['good'] } });
    expect(await ids('starred=true')).toEqual([asking]);
    expect(await ids('tag=good')).toEqual([asking]);
    expect(await ids('starred=false')).not.toContain(asking);
  });

  test('are told whole with their summary, and not again to those who have it', async () => {
    const first = await place.askAsPerson(`/api/sessions/${plain}`);
    expect(sessionDetail.parse(first.json).summary.agent).toBe('claude');
    const etag = String(first.headers.etag);
    expect(first.headers['cache-control']).toBe('private, no-cache');
    const again = await place.askAsPerson(`/api/sessions/${plain}`, { headers: { 'if-none-match': etag } });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
    await place.askAsPerson(`/api/sessions/${plain}`, { method: 'PATCH', body: { name: 'another name' } });
    const changed = await place.askAsPerson(`/api/sessions/${plain}`, { headers: { 'if-none-match': etag } });
    expect([changed.status, changed.json.title]).toEqual([200, 'another name']);
  });

  test('have the run that goes on', async () => {
    const runId = randomUUID();
    const common = {
      runId,
      agent: 'claude',
      projectId: 'p',
      workOrderId: null,
      state: 'waiting',
      startedAt: 1,
      progress: { phase: 'editing files', percentage: 50, basis: 'measured', done: 2, total: 4 },
      subagents: 3,
    } as const;
    place.live.push({ ...common, sessionId: asking, since: 5, requests: [] });
    const { json } = await place.askAsPerson(`/api/sessions/${asking}`);
    const { progress, subagents } = common;
    expect(json.live).toEqual({ runId, state: 'waiting', since: 5, isOurs: true, waiting: 0, progress, subagents });
    expect(sessionDetail.parse(json).live).toEqual(json.live);
    expect(runList.parse((await place.askAsPerson('/api/runs')).json).items).toHaveLength(1);
    place.live.pop();
  });

  test.each([
    ['messages', messagePage],
    ['calls', callPage],
    ['files', filePage],
    ['todos', todoPage],
    ['checkpoints', checkpointPage],
  ] as const)('have their %s, in pages', async (part, schema) => {
    const { status, json } = await place.askAsPerson(`/api/sessions/${files}/${part}`);
    expect(status).toBe(200);
    const all = schema.parse(json).items;
    if (part === 'messages' || part === 'todos') expect(all.length).toBeGreaterThan(1);
    const seen: unknown[] = [];
    for (let next = `/api/sessions/${files}/${part}?limit=1`; ; ) {
      const page = (await place.askAsPerson(next)).json;
      expect(page.items.length).toBeLessThanOrEqual(1);
      seen.push(...page.items);
      if (page.next === null) break;
      next = `/api/sessions/${files}/${part}?limit=1&cursor=${page.next}`;
    }
    expect(seen).toEqual(json.items);
    expect((await place.askAsPerson(`/api/sessions/${randomUUID()}/${part}`)).status).toBe(404);
    expect((await place.askAsPerson(`/api/sessions/${files}/${part}?cursor=what`)).status).toBe(400);
    expect((await place.askAsPerson(`/api/sessions/${files}/${part}?cursor=other.1ekg`)).status).toBe(409);
  });
});

describe('events', () => {
  test('come in pages that end where a line ends, all of them and each once', async () => {
    const all = (await place.askAsPerson(`/api/sessions/${asking}/events?limit=1000`)).json;
    eventPage.parse(all);
    expect(all.hasMore).toBe(false);
    const seen: { readonly position: number }[] = [];
    for (let after = '', more = true; more; ) {
      const page = (await place.askAsPerson(`/api/sessions/${asking}/events?limit=3${after}`)).json;
      expect(page.items[0]?.position).not.toBe(seen.at(-1)?.position);
      seen.push(...page.items);
      after = `&after=${page.next}`;
      more = page.hasMore;
      if (more) expect(page.ending).toEqual([]);
      else expect(page.ending).toEqual(all.ending);
    }
    expect(seen).toEqual(all.items);
    const stored: unknown[] = [];
    for await (const piece of place.store.history.events(asking))
      for (const line of piece) if (Number.isInteger(line.position)) stored.push(...line.events);
    expect(all.items.map(({ event }: { event: unknown }) => event)).toEqual(JSON.parse(JSON.stringify(stored)));
  });

  test('the last ones are the end of all of them, from where a line begins', async () => {
    const all = (await place.askAsPerson(`/api/sessions/${asking}/events?limit=1000`)).json;
    for (const limit of [1, 2, 5, 1000]) {
      const { json } = await place.askAsPerson(`/api/sessions/${asking}/events?last=true&limit=${limit}`);
      eventPage.parse(json);
      expect(json.items).toEqual(all.items.slice(-json.items.length));
      expect(json.items.length).toBeGreaterThanOrEqual(Math.min(limit, all.items.length));
      expect(all.items.at(-json.items.length - 1)?.position).not.toBe(json.items[0].position);
      expect([json.next, json.hasMore, json.ending]).toEqual([all.next, false, all.ending]);
    }
    const { status } = await place.askAsPerson(`/api/sessions/${asking}/events?last=true&after=${all.next}`);
    expect(status).toBe(400);
    expect((await place.askAsPerson('/api/sessions/nobody/events?last=true')).status).toBe(404);
  });

  test('that ask for an answer carry the digest of what is shown', async () => {
    const { json } = await place.askAsPerson(`/api/sessions/${asking}/events?limit=1000`);
    const requests = json.items.filter(({ event }: { event: { type: string } }) => event.type === 'permission-request');
    expect(requests.length).toBeGreaterThan(0);
    for (const { event, digest } of requests) expect(digest).toBe(digestOf(event));
    expect(json.items.filter(({ digest }: { digest?: string }) => digest !== undefined)).toHaveLength(requests.length);
  });

  test('that are too long say where the whole is, and there it is, whole and in ranges', async () => {
    const { json } = await place.askAsPerson(`/api/sessions/${long}/events?limit=1000`);
    const { cut } = json.items.find(({ cut }: { cut?: unknown }) => cut !== undefined);
    expect(cut[0].bytes).toBeGreaterThan(MAX_STRING_BYTES);
    const whole = await place.askAsPerson(cut[0].ref);
    expect(whole.status).toBe(200);
    expect(whole.bytes.equals(longLines(long, longText)[1] ?? Buffer.of())).toBe(true);
    expect(whole.headers).toMatchObject({ 'content-type': 'application/octet-stream', 'accept-ranges': 'bytes' });
    const size = whole.bytes.length;
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 1],
      ['bytes=100-199', 100, 200],
      [`bytes=${size - 5}-`, size - 5, size],
      ['bytes=-7', size - 7, size],
      [`bytes=10-${size * 2}`, 10, size],
    ] as const) {
      const part = await place.askAsPerson(cut[0].ref, { headers: { range } });
      expect([part.status, part.headers['content-range']]).toEqual([206, `bytes ${start}-${end - 1}/${size}`]);
      expect(part.bytes.equals(whole.bytes.subarray(start, end))).toBe(true);
    }
    const beyond = await place.askAsPerson(cut[0].ref, { headers: { range: `bytes=${size}-` } });
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${size}`]);
    expect(problem.parse(beyond.json).status).toBe(416);
    for (const range of ['bytes=5-2', 'bytes=1-2,4-5', 'lines=1-2', 'bytes=-', 'bytes=a-b'])
      expect((await place.askAsPerson(cut[0].ref, { headers: { range } })).status).toBe(200);
    const etag = String(whole.headers.etag);
    expect((await place.askAsPerson(cut[0].ref, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await place.askAsPerson(cut[0].ref, { headers: { range: 'bytes=0-1', 'if-range': '"x"' } })).status).toBe(
      200,
    );
    expect((await place.askAsPerson(cut[0].ref, { headers: { range: 'bytes=0-1', 'if-range': etag } })).status).toBe(
      206,
    );
    const head = await place.askAsPerson(cut[0].ref, { method: 'HEAD' });
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([200, String(size), 0]);
  });

  test('that are too long can be had whole, by the line that told them', async () => {
    const { json } = await place.askAsPerson(`/api/sessions/${long}/events?limit=1000`);
    const { position } = json.items.find(({ cut }: { cut?: unknown }) => cut !== undefined);
    const told = json.items.filter((one: { position: number }) => one.position === position);
    const { status, json: whole } = await place.askAsPerson(`/api/sessions/${long}/lines/${position}/events`);
    expect(status).toBe(200);
    expect(wholeEvents.parse(whole)).toEqual(whole);
    expect(whole.items).toHaveLength(told.length);
    for (const [index, { cut, event, ...rest }] of whole.items.entries()) {
      expect([cut, rest.position, event.type]).toEqual([undefined, position, told[index].event.type]);
      if (event.type === 'text-end') expect(event.text).toBe(longText);
      if (told[index].cut === undefined) expect(event).toEqual(told[index].event);
    }
    expect(whole.items.some(({ event }: { event: { type: string } }) => event.type === 'text-end')).toBe(true);
  });

  test('that ask for an answer carry their digest when they are had whole, and those that close the session are there', async () => {
    const { json } = await place.askAsPerson(`/api/sessions/${asking}/events?limit=1000`);
    const request = json.items.find(({ event }: { event: { type: string } }) => event.type === 'permission-request');
    const whole = await place.askAsPerson(`/api/sessions/${asking}/lines/${request.position}/events`);
    expect(whole.json.items).toContainEqual(request);
    const last = json.items.at(-1).position;
    const ending = (await place.askAsPerson(`/api/sessions/${asking}/lines/${last}/events`)).json.items.filter(
      (one: { position: number }) => one.position === last + 0.5,
    );
    expect(ending.map(({ event }: { event: unknown }) => event)).toEqual(json.ending);
    expect(ending.length).toBeGreaterThan(0);
  });

  test('[T-23] no line can be read by the name of another session', async () => {
    const { json } = await place.askAsPerson(`/api/sessions/${long}/events`);
    const { position } = json.items[0];
    expect((await place.askAsPerson(`/api/sessions/${long}/lines/${position}`)).status).toBe(200);
    expect((await place.askAsPerson(`/api/sessions/${plain}/lines/${position}`)).status).toBe(404);
    expect((await place.askAsPerson(`/api/sessions/${long}/lines/999999`)).status).toBe(404);
    expect((await place.askAsPerson(`/api/sessions/${long}/lines/${position}/events`)).status).toBe(200);
    expect((await place.askAsPerson(`/api/sessions/${plain}/lines/${position}/events`)).status).toBe(404);
    expect((await place.askAsPerson(`/api/sessions/${long}/lines/999999/events`)).status).toBe(404);
  });

  test('behind a cursor of another epoch are a conflict, behind none of ours not understood', async () => {
    expect((await place.askAsPerson(`/api/sessions/${plain}/events?after=other.1ekg`)).json).toMatchObject({
      status: 409,
      code: 'conflict',
    });
    expect((await place.askAsPerson(`/api/sessions/${plain}/events?after=nonsense`)).status).toBe(400);
    expect((await place.askAsPerson(`/api/sessions/${randomUUID()}/events`)).status).toBe(404);
  });
});

describe('questions', () => {
  test('words are found, with their place', async () => {
    const { messages } = { messages: await place.store.history.messages(plain) };
    const word = messages.flatMap(({ text }) => text.match(/[a-z]{4,}/g) ?? [])[0] ?? '';
    const { status, json } = await place.askAsPerson(`/api/search?q=${word}&session=${plain}`);
    expect(status).toBe(200);
    expect(found.parse(json).items[0]).toMatchObject({ sessionId: plain });
    expect(Object.keys(json.items[0])).not.toContain('stream');
    expect((await place.askAsPerson('/api/search')).status).toBe(400);
    expect((await place.askAsPerson('/api/search?q=x&kind=secret')).status).toBe(400);
  });

  test('what was used is the sum of what the store tells', async () => {
    const { json } = await place.askAsPerson('/api/usage?by=session&timezone=UTC');
    const entries = await place.store.history.usage();
    const sum = entries.reduce((all, { outputTokens }) => all + outputTokens, 0);
    expect(sum).toBeGreaterThan(0);
    expect(usageAnswer.parse(json).totals.outputTokens).toBe(sum);
    expect(json.rows.map(({ key }: { key: string }) => key)).toContain(plain);
    for (const bad of ['by=hour', 'since=2026-02-30', 'timezone=Middle/Earth', 'since=2026-02-02&until=2026-02-01'])
      expect((await place.askAsPerson(`/api/usage?${bad}`)).status).toBe(400);
  });

  test('health has the version, the epoch and the size', async () => {
    const { json } = await place.askAsPerson('/api/health');
    expect(health.parse(json)).toMatchObject({
      version: '1.2.3',
      protocol: 1,
      feedPosition: 7,
      store: { status: 'ok' },
    });
    expect(json.epoch).toBe(await place.store.epoch());
  });

  test('a store that is closed is told as such, and health still answers', async () => {
    const closed = await openPlace();
    await closed.store.close();
    expect((await closed.askAsPerson('/api/sessions')).json).toMatchObject({ code: 'unavailable', status: 503 });
    expect((await closed.askAsPerson('/api/health')).json).toMatchObject({
      epoch: null,
      store: { status: 'unavailable' },
    });
    expect(closed.errors).toEqual([]);
    await closed.close();
  });

  test('projects are folders that were used', async () => {
    const folder = join(place.folder, 'project');
    mkdirSync(folder);
    const lines = longLines(randomUUID(), 'x').map((line) =>
      Buffer.from(line.toString().replace('/somewhere', folder)),
    );
    const fresh = await openPlace();
    await keep(fresh.store, lines);
    const { json } = await fresh.askAsPerson('/api/projects');
    expect(projectList.parse(json).items.map((one) => one.folder)).toEqual([realpathSync(folder)]);
    await fresh.close();
  });
});

describe('runs', () => {
  const runId = randomUUID();
  const commands: readonly (readonly [string, string, object])[] = [
    ['start', '/api/runs', { project: 'p', prompt: 'do it' }],
    ['send', `/api/runs/${runId}/send`, { text: 'more' }],
    ['answer', `/api/runs/${runId}/answer`, { requestId: 'r', digest: 'd', answer: { decision: 'allow' } }],
    ['interrupt', `/api/runs/${runId}/interrupt`, {}],
    ['stop', `/api/runs/${runId}/stop`, {}],
  ];

  test.each(commands)('%s reaches them with who asks', async (action, path, body) => {
    place.commands.length = 0;
    const { status, json } = await place.askAsPerson(path, { method: 'POST', body });
    expect([status, Object.keys(json)]).toEqual([200, ['runId']]);
    expect(place.commands).toMatchObject([{ action, caller: { kind: 'person' }, wanted: body }]);
    if (action !== 'start') expect(place.commands[0]?.wanted).toMatchObject({ runId });
  });

  test.each(commands)('%s with a key is done once, and another under that key not at all', async (_, path, body) => {
    place.commands.length = 0;
    const headers = { 'idempotency-key': `key of ${path}` };
    const ask = (content: object) => place.askAsPerson(path, { method: 'POST', headers, body: content });
    const both = await Promise.all([ask(body), ask(body)]);
    expect(both[0].json).toEqual(both[1].json);
    expect((await ask(body)).json).toEqual(both[0].json);
    expect(place.commands).toHaveLength(1);
    const other = 'prompt' in body ? { ...body, prompt: 'something else' } : { ...body, text: 'something else' };
    expect((await ask(other)).status).toBeGreaterThanOrEqual(400);
    expect(place.commands).toHaveLength(1);
  });

  test.each([
    ['a run that is not there', '/api/runs/00000000-0000-4000-8000-000000000000/stop', {}, 404],
    ['no prompt', '/api/runs', { project: 'p' }, 400],
    ['a model that looks like a flag', '/api/runs', { project: 'p', prompt: 'x', model: '--evil' }, 400],
    ['the path of a program', '/api/runs', { project: 'p', prompt: 'x', program: '/bin/sh' }, 400],
    ['no JSON', '/api/runs', '{', 400],
    ['not an object', '/api/runs', '[]', 400],
    ['a body that is too deep', '/api/runs', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400],
    ['a body that is too large', '/api/runs', { project: 'p', prompt: 'x'.repeat(MAX_CLIENT_MESSAGE_BYTES) }, 413],
  ] as const)('%s is a problem', async (_, path, body, status) => {
    const answer = await place.askAsPerson(path, { method: 'POST', body });
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(problem.parse(answer.json).status).toBe(status);
  });

  test('a body of exactly the limit is taken, one more byte is not', async () => {
    const empty = JSON.stringify({ project: 'p', prompt: '' }).length;
    const prompt = 'x'.repeat(MAX_CLIENT_MESSAGE_BYTES - empty);
    const ask = (text: string) =>
      place.askAsPerson('/api/runs', { method: 'POST', body: { project: 'p', prompt: text } });
    expect((await ask(prompt.slice(1))).status).toBe(200);
    expect((await ask(prompt)).status).toBe(200);
    expect((await ask(`${prompt}x`)).status).toBe(413);
  });

  test('[T-27] what is answered with may nest so deep, and no deeper', async () => {
    const ask = (levels: number) => {
      const input = `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
      const body = `{"requestId":"r","digest":"d","answer":{"decision":"allow","input":${input}}}`;
      return place.askAsPerson(`/api/runs/${runId}/answer`, { method: 'POST', body });
    };
    place.commands.length = 0;
    // The body and the answer are two levels themselves.
    const statuses = [MAX_DEPTH - 3, MAX_DEPTH - 2, MAX_DEPTH - 1, 100_000].map(
      async (levels) => (await ask(levels)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 400, 400]);
    expect(place.commands).toHaveLength(2);
  });

  test('what goes wrong here is told as such, and nothing of it', async () => {
    const path = '/api/runs/00000000-0000-4000-8000-00000000dead/stop';
    const { status, json, text } = await place.askAsPerson(path, { method: 'POST', body: {} });
    expect([status, json.code]).toEqual([500, 'internal']);
    expect(text).not.toContain('secret');
    expect(place.errors.map(String)).toEqual(['Error: a secret of the house']);
  });
});

describe('who may', () => {
  test('agents say what can be asked of them', async () => {
    const { json } = await place.askAsPerson('/api/agents');
    expect(json.items.map(({ name }: { name: string }) => name)).toEqual(agents.map(({ name }) => name));
    expect(json.items[0]).toMatchObject({ name: 'claude', title: 'Claude Code' });
    expect(json.items[0].takes).toEqual(expect.arrayContaining(['permissionMode', 'maxBudgetUsd', 'resumeAt']));
  });

  test('every route takes its right, and no program does what only a person may', async () => {
    const rights = ['read', 'run', 'answer'] as const;
    for (const route of routes) {
      const path = route.path
        .replace(':sessionId', plain)
        .replace(/:(runId|programId)/, randomUUID())
        .replace(':position', '1');
      for (const right of rights) {
        const { status } = await place.ask(path, { method: route.method, headers: place.program(right), body: {} });
        const isAllowed = route.entry === right || route.entry === 'anybody';
        expect([route.name, right, status === 403]).toEqual([route.name, right, !isAllowed]);
      }
      const stranger = await place.ask(path, {
        method: route.method,
        headers: { origin: place.origin, 'content-type': 'application/json' },
        body: {},
      });
      if (route.entry !== 'anybody') expect([route.name, stranger.status]).toEqual([route.name, 401]);
      for (const program of place.programs.list()) place.programs.remove(program.id);
    }
    expect(place.auditLines().filter(({ result }) => result === 'refused').length).toBeGreaterThan(20);
  });

  test('strangers see the page, and cannot tell what else there is', async () => {
    for (const path of ['/', '/assets/app.js']) {
      const { status, text, headers } = await place.ask(path);
      expect([status, text]).toEqual([200, `the page ${path}`]);
      expect(headers['cache-control']).toBe(path === '/' ? 'private, no-cache' : 'public, max-age=31536000, immutable');
      expect((await place.ask(path, { headers: { 'if-none-match': String(headers.etag) } })).status).toBe(304);
    }
    for (const path of [
      '/api',
      '/api/',
      '/api/nothing',
      '/nothing',
      `/api/sessions/${plain}`,
      '/ws',
      '/api/sessions/..',
    ])
      expect((await place.ask(path)).json).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect((await place.askAsPerson('/api/nothing')).status).toBe(404);
  });
});

test('going back in a session is asked for by its address, and the rest by the body', async () => {
  place.commands.length = 0;
  const path = `/api/sessions/${plain}/rewind`;
  const body = { checkpoint: 'prompt' };
  const preview = await place.askAsPerson(`${path}/preview`, { method: 'POST', body });
  expect(rewindPreviewReply.parse(preview.json)).toMatchObject({ sessionId: plain, digest: 'seen' });
  const done = await place.askAsPerson(path, { method: 'POST', body: { ...body, digest: 'seen', trust: 'yes' } });
  expect(rewindReply.parse(done.json)).toMatchObject({ checkpoint: 'prompt', failed: [] });
  expect(place.commands.splice(0).map(({ action, wanted }) => ({ action, wanted }))).toEqual([
    { action: 'preview', wanted: { sessionId: plain, checkpoint: 'prompt' } },
    { action: 'rewind', wanted: { sessionId: plain, checkpoint: 'prompt', digest: 'seen', trust: 'yes' } },
  ]);
  for (const bad of [{}, body, { ...body, digest: 'seen', cwd: '/' }])
    expect((await place.askAsPerson(path, { method: 'POST', body: bad })).status).toBe(400);
  expect(place.commands).toEqual([]);
});

test('[T-09] nothing can be asked for by a process number or a path', () => {
  for (const { path, query, body } of routes) {
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    expect(['sessionId', 'runId', 'programId', 'position']).toEqual(expect.arrayContaining(names));
    const shapes = [query, body].flatMap((schema) =>
      Object.keys((schema as { shape?: object } | undefined)?.shape ?? {}),
    );
    const risky = shapes.filter((name) => /pid|path|file|folder|dir|cwd|command|program|binary|executable/i.test(name));
    // The one path is below a project, and its own tests look at it.
    expect(risky).toEqual(path === '/api/runs' && body ? ['path'] : []);
  }
  expect(routes.filter(({ body }) => body).length).toBeGreaterThan(8);
});

test.each([
  'limit=1&limit=2',
  'limit=0',
  'limit=1001',
  'limit=1e2',
  'limit=',
  'starred=yes',
  'since=-1',
  'cursor=what',
  'cursor=W10',
])('a list that is asked for with %s is not understood', async (query) => {
  const { status, json } = await place.askAsPerson(`/api/sessions?${query}`);
  expect([status, json.code]).toEqual([400, 'bad-request']);
});

test('no two routes are the same, and reading changes nothing', () => {
  const names = routes.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(routes.map(({ name }) => name)).size).toBe(routes.length);
  for (const { method, body, isOnce } of routes)
    if (method === 'GET') expect([body, isOnce]).toEqual([undefined, undefined]);
});
