// Lines that are too long for a frame: no frame is, the whole can be had, and a cut in the middle loses nothing.

import type { EventMessage, Frame } from '@tailrace/protocol';
import { expect, test } from 'vitest';
import { openHouse } from './house.ts';
import { connect, type Peer } from './peer.ts';
import { answerLine, createWriter, runOf } from './writer.ts';

async function live(peer: Peer, wanted: object): Promise<void> {
  peer.say({ type: 'subscribe', subscriptionId: 's', ...wanted });
  await peer.until(() => peer.all('live').length > 0);
}

const isCut = ({ cut }: EventMessage): boolean => cut !== undefined;

// The peer looks at the length of each frame.
test('a line of 60 MiB reaches somebody who listens, and the whole of it can be had', async () => {
  const house = await openHouse();
  const peer = await connect(house.host, house.person);
  await live(peer, { view: 'events' });
  const text = 'x'.repeat(60 * 1024 * 1024);
  const run = runOf(answerLine('long', [{ type: 'text', text }]));
  const writer = createWriter(house.other, run);
  await writer.grow();
  const { event, cut, position, sessionId } = await peer.find('event', isCut);
  expect(event).toMatchObject({ type: 'text-end', text: expect.stringMatching(/^x{8000,8192}$/) });
  const [string] = cut ?? [];
  expect(string).toEqual({ path: ['text'], bytes: text.length, ref: `/api/sessions/${sessionId}/lines/${position}` });
  const line = Buffer.from(run.lines.at(-1)?.bytes ?? [])
    .toString()
    .replace(/"session_id":"[^"]*"/, `"session_id":"${sessionId}"`);
  const whole = await house.ask(string?.ref ?? '');
  expect(whole.status).toBe(200);
  expect((await whole.text()) === line).toBe(true);
  const start = line.length - 1_000;
  const part = await house.ask(string?.ref ?? '', { headers: { range: `bytes=${start}-` } });
  expect([part.status, await part.text()]).toEqual([206, line.slice(start)]);
  await writer.end();
});

test('in the view of activity no frame is too long either', async () => {
  const house = await openHouse();
  const writer = createWriter(
    house.other,
    runOf(
      answerLine('a', [{ type: 'text', text: 'word '.repeat(200_000) }]),
      answerLine('b', [
        { type: 'tool_use', id: 't', name: 'Write', input: { file_path: '/x', content: 'é'.repeat(300_000) } },
      ]),
      answerLine('c', [{ type: 'text', text: 'after' }]),
    ),
  );
  await writer.grow();
  await house.other.history.catchUp();
  const peer = await connect(house.host, house.person);
  await live(peer, { view: 'activity', sessions: [writer.sessionId] });
  const [first] = peer.all('agent_output');
  expect('word '.repeat(200_000).startsWith(first?.content ?? '?')).toBe(true);
  expect(first?.content.length).toBeGreaterThan(8_000);
  expect(peer.all('agent_tool_call')[0]?.input['content']).toMatch(/^é{4000,}$/);
  expect(peer.all('agent_output').at(-1)?.content).toBe('after');
  await writer.end();
});

test('what closes a session is in frames that are not too long', async () => {
  const house = await openHouse();
  // Calls that never end, and much that is said in them.
  const calls = Array.from({ length: 3_000 }, (_, index) => ({
    type: 'tool_use',
    id: `t${index}`,
    name: 'Bash',
    input: { command: `sleep ${index}`, description: 'x'.repeat(100) },
  }));
  const writer = createWriter(house.other, runOf(answerLine('a', calls)));
  const peer = await connect(house.host, house.person);
  await live(peer, { view: 'events' });
  await writer.grow();
  await writer.end();
  const { events, sessionId, left } = await peer.find('ended');
  expect(sessionId).toBe(writer.sessionId);
  expect(events.length).toBeGreaterThan(500);
  expect(events.at(-1)).toMatchObject({ type: 'session-end' });
  expect(events.length + (left ?? 0)).toBeGreaterThan(3_000);
  const again = await connect(house.host, house.person);
  await live(again, { view: 'events', sessions: [sessionId] });
  expect(again.all('ended')).toEqual(peer.all('ended'));
});

test('an event with many strings is cut so that it fits, with the list of what was cut', async () => {
  const house = await openHouse();
  const input = Object.fromEntries(Array.from({ length: 230 }, (_, index) => [`key-${index}`, 'x'.repeat(2_000)]));
  const writer = createWriter(
    house.other,
    runOf(answerLine('a', [{ type: 'tool_use', id: 't', name: 'Bash', input }])),
  );
  const peer = await connect(house.host, house.person);
  await live(peer, { view: 'events' });
  await writer.grow();
  const { event, cut } = await peer.find('event', isCut);
  expect(event).toMatchObject({ type: 'tool-call-input-end', toolCallId: 't' });
  expect(cut?.length).toBeGreaterThan(0);
  await writer.end();
});

test.each(['events', 'activity'])(
  '%s: a line in many frames is sent again to whoever was cut off in it',
  async (view) => {
    const house = await openHouse();
    const parts = Array.from({ length: 200 }, (_, index) => ({
      type: 'text',
      text: `${index} ${'wheel '.repeat(830)}`,
    }));
    // The first of its lines that says something is a long one.
    const writer = createWriter(
      house.other,
      runOf(answerLine('many', parts), answerLine('after', [{ type: 'text', text: 'x' }])),
    );
    await writer.grow();
    await house.other.history.catchUp();
    const filter = { kinds: ['text-end'] };
    const listen = async (cursor?: string): Promise<readonly Frame[]> => {
      const peer = await connect(house.host, house.person);
      await live(peer, { view, sessions: [writer.sessionId], cursor, filter, includeProgress: false });
      return peer.frames.filter(({ subscriptionId }) => subscriptionId === 's');
    };
    const messagesOf = (frames: readonly Frame[]) =>
      frames.flatMap(({ messages }) => messages).filter(({ type }) => type !== 'live');
    const whole = await listen();
    expect(whole.length).toBeGreaterThan(4);
    for (let count = 1; count < whole.length; count++) {
      const had = whole.slice(0, count);
      const cursor = had.at(-1)?.cursor;
      // Of what comes again, so much is known: all that came since the cursor moved.
      const moved = had.findIndex((one) => one.cursor === cursor);
      const known = messagesOf(had.slice(moved + 1)).length;
      const rest = messagesOf(await listen(cursor)).slice(known);
      expect([...messagesOf(had), ...rest]).toEqual(messagesOf(whole));
    }
    await writer.end();
  },
);

test('the place before a line in many frames is said before it, also where nothing was wanted for a while', async () => {
  const house = await openHouse();
  const peer = await connect(house.host, house.person);
  await live(peer, { view: 'activity', includeProgress: false });
  peer.say({ type: 'subscribe', subscriptionId: 'all', view: 'events' });
  await peer.until(() => peer.all('live', 'all').length > 0);
  const parts = Array.from({ length: 200 }, (_, index) => ({ type: 'text', text: `${index} ${'wheel '.repeat(830)}` }));
  const writer = createWriter(house.other, runOf(answerLine('many', parts)));
  await writer.grow(1);
  // Told to one who wants everything, and so to the other, who wants nothing of it.
  await peer.until(() => peer.all('event', 'all').length > 0);
  await writer.grow();
  await peer.until(() => peer.all('agent_output', 's').length === parts.length);
  const frames = peer.frames.filter(({ subscriptionId }) => subscriptionId === 's');
  const first = frames.findIndex(({ messages }) => messages.some(({ type }) => type === 'agent_output'));
  expect(frames.length).toBeGreaterThan(first + 2);
  expect(frames[first]?.cursor).toBe(frames[first - 1]?.cursor);
  expect(frames[first + 1]?.cursor).toBe(frames[first]?.cursor);
  await writer.end();
});
