import { type AgentStreamEvent, createDecoder, createSession, createSummary, type Summary } from '@tailrace/core';
import { describe, expect, test } from 'vitest';
import { ARRIVAL, recordedSession, recordedSessions } from '../../../test/history/captures.ts';
import { append, inPlace, type Opened, promptLines, toLines } from '../../../test/history/place.ts';
import { decoderOf } from '../../project/fold-session.ts';
import type { SuiteSession } from '../../suite/history-suite.ts';
import { eventsOf, snapshotOf } from '../../suite/snapshot.ts';
import { readEpoch } from '../epoch.ts';
import { systemProcesses } from '../holder.ts';
import { writeNow } from '../transaction.ts';
import { forgetHistory } from './forget-history.ts';

async function appendSession(opened: Opened, session: SuiteSession): Promise<void> {
  for (const { name, facts, lines } of session.streams) await append(opened, name, facts, lines);
}

/** What the fold of core makes of all streams, one after the other. */
function foldedAtOnce({ streams }: SuiteSession): Summary {
  const session = createSession();
  const summary = createSummary({ ledger: session.ledger });
  let lines = 0;
  for (const { name, facts, lines: all } of streams) {
    const stream = { id: name, source: facts.kind === 'run' ? ('stdout' as const) : ('transcript' as const) };
    const decoder = createDecoder({ agent: 'claude', about: facts.about });
    for (const { bytes, at, source } of all)
      for (const event of decoder.feed(bytes, { at, source }))
        for (const fresh of session.add(stream, event)) summary.add(fresh);
    for (const event of decoder.end()) for (const fresh of session.add(stream, event)) summary.add(fresh);
    lines += decoder.stats.lines;
  }
  for (const event of session.end()) summary.add(event);
  return summary.summary(lines);
}

/** The events of all streams, each ended when all are read. */
function eventsAtOnce({ streams }: SuiteSession): readonly AgentStreamEvent[] {
  const session = createSession();
  const events: AgentStreamEvent[] = [];
  const ends = streams.map(({ name, facts, lines }) => {
    const stream = { id: name, source: facts.kind === 'run' ? ('stdout' as const) : ('transcript' as const) };
    const decoder = createDecoder({ agent: 'claude', about: facts.about });
    for (const { bytes, at, source } of lines)
      for (const event of decoder.feed(bytes, { at, source })) events.push(...session.add(stream, event));
    return () => {
      for (const event of decoder.end()) events.push(...session.add(stream, event));
    };
  });
  for (const end of ends) end();
  return [...events, ...session.end()];
}

/** Sums of the same figures in another order differ in the last digits. */
function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'number' ? Number(one.toFixed(9)) : one)));
}

describe('a session', () => {
  /** Runs that share a session, or begin a second one, are more than one capture can tell. */
  const plain = recordedSessions.filter((one) => {
    const ids = new Set(one.streams.flatMap(({ facts }) => facts.sessionId ?? []));
    const isShared = recordedSessions.some(
      (other) => other !== one && other.streams.some(({ facts }) => ids.has(facts.sessionId ?? '')),
    );
    return ids.size === 1 && !isShared;
  });

  test('has the summary that the fold of its streams has', async () => {
    expect(plain.length).toBeGreaterThan(80);
    await inPlace(async (place) => {
      const opened = await place.open();
      for (const session of plain) await appendSession(opened, session);
      await opened.history.catchUp();
      for (const session of plain) {
        const id = session.streams.find(({ facts }) => facts.sessionId)?.facts.sessionId ?? '';
        const stored = await opened.history.session(id);
        const folded = foldedAtOnce(session);
        // What the agent did not tell of the cost is estimated by the table.
        const isEstimated = folded.costState !== stored?.costState && stored?.costState === 'estimated';
        const { costUsd: cost, costState } = isEstimated ? stored : folded;
        if (isEstimated) expect(stored.costUsd).toBeGreaterThan(folded.costUsd ?? 0);
        expect(rounded(stored?.summary), session.name).toEqual(rounded({ ...folded, costUsd: cost, costState }));
        const { usage, costUsd } = stored?.summary ?? {};
        expect(rounded({ usage, costUsd })).toEqual(rounded({ usage: stored?.usage, costUsd: stored?.costUsd }));
      }
    });
  });

  test('has the events that the fold of its streams has, whole', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      for (const session of plain) await appendSession(opened, session);
      await opened.history.catchUp();
      for (const session of plain) {
        const id = session.streams.find(({ facts }) => facts.sessionId)?.facts.sessionId ?? '';
        const stored = (await eventsOf(opened.history, id, 0)).flatMap(({ events }) => events);
        expect(stored, session.name).toEqual(JSON.parse(JSON.stringify(eventsAtOnce(session))));
      }
    });
  });

  test('has usage that adds up to its bill, and an answer of two sessions counts once', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      for (const session of plain) await appendSession(opened, session);
      await opened.history.catchUp();
      const sessions = await opened.history.sessions();
      const sum = (list: readonly { readonly inputTokens?: number; readonly outputTokens?: number }[]): number =>
        list.reduce((total, one) => total + (one.inputTokens ?? 0) + (one.outputTokens ?? 0), 0);
      const before = await opened.history.usage();
      expect(sum(before)).toBe(sum(sessions.map(({ usage }) => usage)));
      const told = new Set(before.filter(({ costUsd }) => costUsd === null).map(({ sessionId }) => sessionId));
      for (const { id, costUsd, costState } of sessions) {
        const own = before.filter(({ sessionId }) => sessionId === id);
        const total = own.reduce((cost, entry) => cost + (entry.costUsd ?? 0), 0);
        if (!told.has(id)) expect(total).toBeCloseTo(costUsd ?? 0, 9);
        // What the agent did not price is estimated, and says so.
        else if (costState === 'estimated') expect(costUsd).toBeGreaterThan(total);
      }
      expect(told.size).toBeGreaterThan(0);
      expect(told.size).toBeLessThan(sessions.length / 4);
      // The same file under the name of another session, as a fork begins.
      const file = recordedSession('todo-write').streams.find(({ facts }) => facts.kind === 'transcript');
      if (!file) throw new Error('the capture has no file');
      await append(opened, 'fork', { ...file.facts, sessionId: 'fork' }, file.lines);
      await opened.history.catchUp();
      expect((await opened.history.sessions()).length).toBe(sessions.length + 1);
      expect(sum(await opened.history.usage())).toBe(sum(before));
    });
  });
});

describe('streams', () => {
  const started = {
    type: 'run-started',
    runId: 'run-7',
    agent: 'claude',
    prompt: 'Say hello',
    cwd: '/home/dev/project',
  };

  test('a run has its own name until the session is told, and what was said about it stays', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      const capture = recordedSession('basic-text');
      const [run, file] = capture.streams;
      const id = file?.facts.sessionId ?? '';
      await append(opened, 'run', { kind: 'run', agent: 'claude' }, toLines('host', started));
      await opened.history.catchUp();
      expect((await opened.history.sessions()).map((one) => [one.id, one.title])).toEqual([['run-7', 'Say hello']]);
      await opened.history.label('run-7', { starred: true, addTags: ['mine'] });
      if (file) await append(opened, file.name, file.facts, file.lines);
      await opened.history.catchUp();
      expect((await opened.history.sessions()).map((one) => one.id).sort()).toEqual([id, 'run-7'].sort());
      await append(opened, 'run', { kind: 'run', agent: 'claude' }, run?.lines ?? []);
      await opened.history.catchUp();
      const sessions = await opened.history.sessions();
      expect(sessions.map((one) => [one.id, one.starred, one.tags])).toEqual([[id, true, ['mine']]]);
      // The prompt was told by the host and by the file, and is one.
      expect((await opened.history.messages(id)).map(({ role, text }) => `${role}: ${text}`)).toEqual([
        'user: Say hello',
        'agent: Hello! How can I help with your project today?',
      ]);
      expect(await opened.history.session('run-7')).toBeUndefined();
      const before = await snapshotOf(opened.history);
      await opened.history.rebuild();
      expect(await snapshotOf(opened.history)).toEqual(before);
    });
  });

  test('a stream that joins late is folded where its lines stand in the record', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      const [run, file] = recordedSession('basic-text').streams;
      if (!run || !file) throw new Error('the capture has no file');
      const runLease = await opened.record.claim('run', run.facts);
      await opened.record.append('run', 1, toLines('host', started));
      const fileLease = await opened.record.claim(file.name, file.facts);
      await opened.record.append(file.name, 1, file.lines);
      await opened.history.catchUp();
      // Its first line stands before all that is in memory.
      await opened.record.append('run', 2, run.lines);
      await opened.history.catchUp();
      const positions = (await eventsOf(opened.history, file.facts.sessionId ?? '', 0)).map(({ position }) => position);
      expect(positions[0]).toBe(1);
      expect(positions).toEqual([...positions].sort((a, b) => a - b));
      const before = await snapshotOf(opened.history);
      await opened.history.rebuild();
      expect(await snapshotOf(opened.history)).toEqual(before);
      await runLease.release();
      await fileLease.release();
    });
  });

  test('a session that the facts name later is moved', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      const lines = promptLines('one', ['first', 'second']);
      await append(opened, 'a', { kind: 'transcript', agent: 'claude' }, lines.slice(0, 1));
      await opened.history.catchUp();
      expect((await opened.history.sessions()).map(({ id }) => id)).toEqual(['one']);
      await append(opened, 'a', { kind: 'transcript', sessionId: 'two' }, lines.slice(1));
      await opened.history.catchUp();
      expect((await opened.history.sessions()).map(({ id }) => id)).toEqual(['two']);
      expect((await opened.history.messages('two')).map(({ text }) => text)).toEqual(['first', 'second']);
      expect((await opened.history.search('first')).length).toBe(1);
    });
  });

  test('what hooks tell counts only where nobody else tells anything', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      const file = recordedSession('basic-text').streams[1];
      const id = file?.facts.sessionId ?? '';
      const hook = { session_id: id, cwd: '/home/dev/elsewhere', hook_event_name: 'UserPromptSubmit', prompt: 'Heard' };
      await append(opened, 'hook', { kind: 'hook', agent: 'claude', sessionId: id }, toLines('hook', hook));
      await opened.history.catchUp();
      expect((await opened.history.messages(id)).map(({ text }) => text)).toEqual(['Heard']);
      if (file) await append(opened, file.name, file.facts, file.lines);
      await opened.history.catchUp();
      const alone = await snapshotOf(opened.history);
      expect((await opened.history.messages(id)).map(({ text }) => text)).not.toContain('Heard');
      await append(opened, 'hook', { kind: 'hook' }, toLines('hook', { ...hook, prompt: 'Again' }));
      expect(await opened.history.catchUp()).toMatchObject({ behind: 0 });
      expect(await snapshotOf(opened.history)).toEqual(alone);
      expect(await opened.history.search('heard')).toEqual([]);
      expect(await opened.history.catchUp()).toEqual({ lines: 0, sessions: 0, behind: 0 });
    });
  });

  test("a sub-agent's file without a word about it is known by what the session tells", async () => {
    const capture = recordedSession('subagent');
    const told: (readonly (string | null)[])[] = [];
    for (const isTold of [true, false]) {
      await inPlace(async (place) => {
        const opened = await place.open();
        // The sub-agent's file first: what is told about it comes later.
        for (const { name, facts, lines } of [...capture.streams].reverse())
          await append(opened, name, isTold ? facts : { ...facts, about: undefined }, lines);
        await opened.history.catchUp();
        const [session] = await opened.history.sessions();
        const { summary } = (await opened.history.session(session?.id ?? '')) ?? {};
        told.push((summary?.subagents ?? []).map(({ toolCallId }) => toolCallId));
      });
    }
    expect(told[0]?.length).toBeGreaterThan(0);
    expect(told[1]).toEqual(told[0]);
  });
});

describe('the projector', () => {
  test('that is broken off when it has said that a session is over tells it with the next one', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      await appendSession(opened, recordedSession('basic-text'));
      const control = new AbortController();
      await opened.history.catchUp({
        signal: control.signal,
        onProgress: (done, all) => done === all && control.abort(),
      });
      await opened.history.catchUp();
      const { told, until, end } = await opened.history.tidings(0);
      expect(until).toBe(end);
      expect(told.at(-1)?.kind).toBe('ended');
    });
  });

  test('makes everything anew for another version, goes on where it was stopped, and begins an epoch', async () => {
    await inPlace(async (place) => {
      const first = await place.open();
      const sessions = recordedSessions.slice(0, 30);
      for (const session of sessions) await appendSession(first, session);
      await first.history.catchUp();
      const before = await snapshotOf(first.history);
      const epoch = readEpoch(first.connection);
      await first.close();
      const second = await place.open({ pricesVersion: 'other' });
      const control = new AbortController();
      const part = await second.history.catchUp({
        signal: control.signal,
        onProgress: (done, all) => done > all / 2 && control.abort(),
      });
      expect(part.behind).toBe(0);
      expect(await snapshotOf(second.history)).toEqual(before);
      const rest = await second.history.catchUp();
      // What was made before it was stopped is not made again.
      const all = (await second.history.sessions()).length;
      expect(part.sessions).toBeGreaterThan(0);
      expect(part.sessions).toBeLessThan(all);
      expect(rest.sessions).toBe(all - part.sessions);
      expect(await second.history.catchUp()).toEqual({ lines: 0, sessions: 0, behind: 0 });
      expect(await snapshotOf(second.history)).toEqual(before);
      expect(readEpoch(second.connection)).not.toBe(epoch);
      expect(second.connection.raw.prepare('SELECT DISTINCT version FROM events').all()).toHaveLength(1);
    });
  });

  test('shows a session that is too large for one transaction when all of it is there', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      const facts = { kind: 'transcript', agent: 'claude', sessionId: 'large' } as const;
      await append(opened, 'large', facts, promptLines('large', ['the first']));
      await opened.history.catchUp();
      const texts = Array.from({ length: 400 }, (_, index) => `prompt ${index} ${'word '.repeat(8_000)}`);
      await append(opened, 'large', facts, promptLines('large', texts));
      const control = new AbortController();
      await opened.history.catchUp({ signal: control.signal, onProgress: (done) => done > 200 && control.abort() });
      expect((await opened.history.messages('large')).map(({ text }) => text)).toEqual(['the first']);
      expect((await opened.history.search('word', { limit: 5 })).length).toBe(0);
      const { raw } = opened.connection;
      const builds = raw.prepare<[], number>('SELECT count(DISTINCT build) FROM texts').pluck();
      await opened.history.catchUp();
      expect((await opened.history.messages('large')).length).toBe(400);
      expect(builds.get()).toBe(1);
      expect(raw.prepare('SELECT count(*) AS count FROM old_builds').get()).toEqual({ count: 0 });
      const events = await eventsOf(opened.history, 'large', 0);
      expect(events.flatMap((one) => one.events).filter(({ type }) => type === 'user-message').length).toBe(400);
    });
  });

  test('tells what goes wrong with a line in the session, and goes on', async () => {
    await inPlace(async (place) => {
      const opened = await place.open({
        makeDecoder(stream) {
          const decoder = decoderOf(stream);
          return {
            ...decoder,
            get stats() {
              return decoder.stats;
            },
            get agent() {
              return decoder.agent;
            },
            feed(bytes, origin) {
              if (Buffer.from(bytes).includes('trap')) throw new Error('caught');
              return decoder.feed(bytes, origin);
            },
          };
        },
      });
      const facts = { kind: 'transcript', agent: 'claude', sessionId: 'one' } as const;
      await append(opened, 'one', facts, promptLines('one', ['before', 'a trap', 'behind']));
      expect(await opened.history.catchUp()).toMatchObject({ behind: 0 });
      expect((await opened.history.messages('one')).map(({ text }) => text)).toEqual(['before', 'behind']);
      const events = (await eventsOf(opened.history, 'one', 0)).flatMap((one) => one.events);
      expect(events.filter(({ type }) => type === 'notice')).toMatchObject([
        { title: expect.stringContaining('caught'), severity: 'error' },
      ]);
    });
  });

  test('waits for a living process, gives up in time, and takes over from a dead one', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      await append(opened, 'one', { kind: 'transcript', agent: 'claude' }, promptLines('one', ['first']));
      const { raw } = opened.connection;
      const start = await systemProcesses.startTimeOf(process.ppid);
      raw
        .prepare(
          `UPDATE projection SET turn_token = 'other', turn_pid = ?, turn_start = ?, turn_place = ?, turn_at = ? WHERE id = 1`,
        )
        .run(process.ppid, start ?? '', systemProcesses.place, Date.now());
      expect(await opened.history.catchUp({ waitMs: 60 })).toEqual({ lines: 0, sessions: 0, behind: 1 });
      raw.prepare("UPDATE projection SET turn_start = 'long ago'").run();
      expect(await opened.history.catchUp({ waitMs: 60 })).toEqual({ lines: 1, sessions: 1, behind: 0 });
    });
  });

  test('writes nothing when somebody else has taken its turn', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      const facts = { kind: 'transcript', agent: 'claude', sessionId: 'large' } as const;
      const texts = Array.from({ length: 200 }, (_, index) => `prompt ${index} ${'word '.repeat(8_000)}`);
      await append(opened, 'large', facts, promptLines('large', texts));
      const { raw } = opened.connection;
      const steal = raw.prepare("UPDATE projection SET turn_token = 'thief'");
      await expect(opened.history.catchUp({ onProgress: () => steal.run() })).rejects.toMatchObject({ code: 'busy' });
      expect(await opened.history.sessions()).toEqual([]);
    });
  });

  test('brings nothing back that was forgotten while it was read', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      const facts = { kind: 'transcript', agent: 'claude', sessionId: 'large' } as const;
      const texts = Array.from({ length: 300 }, (_, index) => `basilisk ${index} ${'word '.repeat(8_000)}`);
      await append(opened, 'large', facts, promptLines('large', texts));
      await append(opened, 'other', { ...facts, sessionId: 'other' }, promptLines('other', ['a word']));
      const { raw } = opened.connection;
      const onProgress = (done: number): void => {
        if (done < 150 || !raw.prepare('SELECT 1 FROM streams WHERE name = ?').get('large')) return;
        expect(raw.prepare('SELECT count(*) FROM old_builds').pluck().get()).toBe(1);
        writeNow(opened.connection, () => {
          raw.exec("DELETE FROM lines WHERE stream = 1; DELETE FROM streams WHERE name = 'large'");
          forgetHistory(opened.connection, 'large');
        });
      };
      await opened.history.catchUp({ onProgress });
      expect((await opened.history.sessions()).map(({ id }) => id)).toEqual(['other']);
      for (const table of ['texts', 'events', 'messages'])
        expect(raw.prepare(`SELECT count(DISTINCT build) FROM ${table}`).pluck().get(), table).toBe(1);
      expect((await opened.history.search('word')).map(({ sessionId }) => sessionId)).toEqual(['other']);
      expect(await opened.history.search('basilisk')).toEqual([]);
    });
  });

  test('is not disturbed when another session is forgotten meanwhile', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      const facts = { kind: 'transcript', agent: 'claude' } as const;
      const texts = Array.from({ length: 300 }, (_, index) => `prompt ${index} ${'word '.repeat(8_000)}`);
      await append(opened, 'other', { ...facts, sessionId: 'other' }, promptLines('other', ['a word']));
      await opened.history.catchUp();
      await append(opened, 'large', { ...facts, sessionId: 'large' }, promptLines('large', texts));
      const { raw } = opened.connection;
      const onProgress = (done: number): void => {
        if (done < 150 || !raw.prepare('SELECT 1 FROM streams WHERE name = ?').get('other')) return;
        expect(raw.prepare('SELECT count(*) FROM old_builds').pluck().get()).toBe(1);
        writeNow(opened.connection, () => {
          raw.exec("DELETE FROM lines WHERE stream = 1; DELETE FROM streams WHERE name = 'other'");
          forgetHistory(opened.connection, 'other');
        });
      };
      await opened.history.catchUp({ onProgress });
      expect((await opened.history.sessions()).map(({ id }) => id)).toEqual(['large']);
      expect((await opened.history.messages('large')).filter(({ text }) => text !== '').length).toBe(300);
      const before = await snapshotOf(opened.history);
      await opened.history.rebuild();
      expect(await snapshotOf(opened.history)).toEqual(before);
    });
  });

  test('does not keep what another process has overtaken', async () => {
    await inPlace(async (place) => {
      const [one, other] = [await place.open(), await place.open()];
      const facts = { kind: 'transcript', agent: 'claude', sessionId: 'one' } as const;
      const lease = await one.record.claim('one', facts);
      const lines = promptLines('one', ['first', 'second', 'third']);
      for (const [index, opened] of [one, other, one].entries()) {
        await one.record.append('one', index + 1, lines.slice(index, index + 1));
        await opened.history.catchUp();
      }
      expect((await one.history.messages('one')).map(({ text }) => text)).toEqual(['first', 'second', 'third']);
      const before = await snapshotOf(one.history);
      await one.history.rebuild();
      expect(await snapshotOf(one.history)).toEqual(before);
      await lease.release();
    });
  });

  test('counts a session as over after its silence where it goes on watching', async () => {
    await inPlace(async (place) => {
      let now = ARRIVAL + 1_000;
      const opened = await place.open({ clock: () => now, restMs: 10_000 });
      const file = recordedSession('basic-text').streams[1];
      if (!file) throw new Error('the capture has no file');
      await append(opened, file.name, file.facts, file.lines);
      await opened.history.catchUp();
      expect((await opened.history.sessions()).map(({ status }) => status)).toEqual(['incomplete']);
      expect(await opened.history.catchUp()).toEqual({ lines: 0, sessions: 0, behind: 0 });
      now += 20_000;
      await opened.history.catchUp();
      expect((await opened.history.sessions()).map(({ status }) => status)).toEqual(['success']);
    });
  });

  test('keeps little in memory, and makes anew what it had to let go', async () => {
    await inPlace(async (place) => {
      const opened = await place.open({ memoryBytes: 1 });
      const streams = recordedSessions.slice(0, 4).flatMap((one) => one.streams);
      const leases = [];
      for (const stream of streams) leases.push(await opened.record.claim(stream.name, stream.facts));
      for (let step = 0; step < 12; step++) {
        for (const { name, lines } of streams) {
          const piece = lines.slice(step * 3, step * 3 + 3);
          if (piece.length > 0) await opened.record.append(name, step * 3 + 1, piece);
        }
        await opened.history.catchUp();
      }
      for (const lease of leases) await lease.release();
      await opened.history.catchUp();
      const before = await snapshotOf(opened.history);
      await opened.history.rebuild();
      expect(await snapshotOf(opened.history)).toEqual(before);
    });
  });
});
