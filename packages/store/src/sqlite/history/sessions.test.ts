import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { recordedSession, recordedSessions } from '../../../test/history/captures.ts';
import { append, inPlace, type Opened, promptLines, toLines } from '../../../test/history/place.ts';
import { MAX_CHECKPOINTS } from '../../project/prompts.ts';
import { write } from '../transaction.ts';
import { forgetHistory } from './forget-history.ts';
import { scrubSearch } from './scrub-search.ts';

const transcript = (sessionId: string) => ({ kind: 'transcript', agent: 'claude', sessionId }) as const;

async function idsOf(opened: Opened, filter: Parameters<Opened['history']['sessions']>[0]): Promise<readonly string[]> {
  return (await opened.history.sessions(filter)).map(({ id }) => id);
}

describe('checkpoints', () => {
  test('[G-04] prompts of the main thread, in order, once, whoever told them', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      const stdout = (uuid: string, content: unknown, more = {}) => ({
        type: 'user',
        uuid,
        session_id: 's',
        parent_tool_use_id: null,
        message: { role: 'user', content },
        ...more,
      });
      const lines = promptLines('s', ['one', 'two', 'three']);
      await append(
        opened,
        'run',
        { kind: 'run', agent: 'claude', sessionId: 's' },
        toLines(
          'stdout',
          stdout('s-1', 'two', { isReplay: true }),
          stdout('result', [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }]),
          stdout('synthetic', 'not from a person', { isSynthetic: true }),
          stdout('sub', 'to a sub-agent', { parent_tool_use_id: 'call' }),
        ),
      );
      await append(opened, 'file', transcript('s'), lines);
      await append(opened, 'other', transcript('other'), promptLines('other', ['else']));
      await opened.history.catchUp();
      expect(await opened.history.checkpoints('s')).toMatchObject([
        { id: 's-0', sessionId: 's', text: 'one', at: 1_794_700_000_000 },
        { id: 's-1', sessionId: 's', text: 'two' },
        { id: 's-2', sessionId: 's', text: 'three' },
      ]);
      expect((await opened.history.checkpoints('other')).map(({ id }) => id)).toEqual(['other-0']);
      expect(await opened.history.checkpoints('nobody')).toEqual([]);
    });
  });

  test.each([MAX_CHECKPOINTS - 1, MAX_CHECKPOINTS, MAX_CHECKPOINTS + 1, 250])(
    '[G-04] of %i prompts at most 100 are kept, the newest',
    async (count) => {
      await inPlace(async (place) => {
        const opened = await place.open();
        await append(
          opened,
          'file',
          transcript('s'),
          promptLines(
            's',
            Array.from({ length: count }, (_, n) => `prompt ${n}`),
          ),
        );
        await opened.history.catchUp();
        const ids = (await opened.history.checkpoints('s')).map(({ id }) => id);
        const kept = Math.min(count, 100);
        expect(ids).toEqual(Array.from({ length: kept }, (_, n) => `s-${count - kept + n}`));
      });
    },
  );

  test('[G-15] are listed for every recorded session as its summary tells them', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      for (const { name, facts, lines } of recordedSessions.flatMap(({ streams }) => streams))
        await append(opened, name, facts, lines);
      await opened.history.catchUp();
      let count = 0;
      for (const { id } of await opened.history.sessions()) {
        const ids = (await opened.history.checkpoints(id)).map((one) => one.id);
        const { summary } = (await opened.history.session(id)) ?? {};
        expect([...ids].sort(), id).toEqual([...(summary?.checkpoints ?? [])].sort());
        count += ids.length;
      }
      expect(count).toBeGreaterThan(100);
    });
  });
});

describe('the list', () => {
  test('is narrowed by what is asked for, the last active first', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      const names = ['basic-text', 'todo-write', 'subagent'];
      const ids: Record<string, string> = {};
      for (const name of names) {
        const session = recordedSession(name);
        for (const stream of session.streams) await append(opened, stream.name, stream.facts, stream.lines);
        ids[name] = session.streams[1]?.facts.sessionId ?? '';
      }
      const plain = promptLines('plain', ['Only said']).map((line) => ({ ...line }));
      await append(opened, 'plain', transcript('plain'), plain);
      await opened.history.catchUp();
      const all = await opened.history.sessions();
      expect(all.map(({ endedAt }) => endedAt)).toEqual(
        [...all.map(({ endedAt }) => endedAt)].sort((a, b) => (b ?? 0) - (a ?? 0)),
      );
      expect(all.length).toBe(4);
      const [first, second] = all;
      expect(await idsOf(opened, { limit: 1 })).toEqual([first?.id]);
      expect(await idsOf(opened, { limit: 1, offset: 1 })).toEqual([second?.id]);
      expect((await idsOf(opened, { project: 'DEV/proj' })).length).toBe(3);
      expect(await idsOf(opened, { project: 'nowhere' })).toEqual([]);
      expect((await idsOf(opened, { model: 'opus' })).length).toBe(3);
      expect((await idsOf(opened, { agent: 'claude' })).length).toBe(4);
      expect(await idsOf(opened, { agent: 'codex' })).toEqual([]);
      expect((await idsOf(opened, { status: 'success' })).length).toBe(3);
      expect(await idsOf(opened, { status: 'incomplete' })).toEqual(['plain']);
      expect(await idsOf(opened, { status: 'running' })).toEqual([]);
      expect(await idsOf(opened, { until: 1_794_700_000_001 })).toEqual(['plain']);
      expect((await idsOf(opened, { since: 1_794_700_000_001 })).length).toBe(3);
      const cost = all.find(({ id }) => id === ids['todo-write'])?.costUsd ?? 0;
      expect(cost).toBeGreaterThan(0);
      expect(await idsOf(opened, { minCostUsd: cost, maxCostUsd: cost })).toEqual([ids['todo-write']]);
    });
  });

  test('has for a title the name that was given, else the agent’s, else the first prompt', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      const lines = promptLines('s', [`A long\n  prompt ${'word '.repeat(100)}`]);
      await append(opened, 'file', transcript('s'), lines);
      await opened.history.catchUp();
      const titleOf = async () => (await opened.history.session('s'))?.title ?? '';
      expect([...(await titleOf())].length).toBe(120);
      expect(await titleOf()).toMatch(/^A long prompt word.*…$/u);
      await append(
        opened,
        'file',
        transcript('s'),
        toLines('transcript', { type: 'custom-title', customTitle: 'Agents say', sessionId: 's' }),
      );
      await opened.history.catchUp();
      expect(await titleOf()).toBe('Agents say');
      await opened.history.label('s', { name: '  People say ' });
      expect(await titleOf()).toBe('People say');
      await expect(opened.history.label('nobody', { starred: true })).rejects.toMatchObject({ code: 'not-found' });
    });
  });

  test('finds ids by their beginning', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      for (const id of ['ab%1', 'ab_2', 'abc', 'b']) await append(opened, id, transcript(id), promptLines(id, ['x']));
      await opened.history.catchUp();
      expect(await opened.history.resolve('ab')).toEqual(['ab%1', 'ab_2', 'abc']);
      expect(await opened.history.resolve('ab_')).toEqual(['ab_2']);
      expect(await opened.history.resolve('%')).toEqual([]);
      expect(await opened.history.resolve('')).toEqual([]);
    });
  });
});

describe('forgetting', () => {
  test('leaves no word of the session in the file, and nothing of the others is missing', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      await append(opened, 'a', transcript('a'), promptLines('a', ['the hippogriffsecret and common']));
      await append(opened, 'b', transcript('b'), promptLines('b', ['another common text']));
      await opened.history.catchUp();
      await opened.history.label('a', { name: 'mandragorasecret', addTags: ['basilisksecret'] });
      await opened.metadata.create('a', 'modelsecret');
      // An older build of the same session, as a rebuild leaves it behind until it is swept.
      await opened.history.rebuild();
      const { raw } = opened.connection;
      await write(opened.connection, () => {
        raw.exec("DELETE FROM lines WHERE stream IN (SELECT id FROM streams WHERE session = 'a')");
        raw.exec("DELETE FROM streams WHERE session = 'a'");
        forgetHistory(opened.connection, 'a');
      });
      await scrubSearch(opened.connection);
      raw.pragma('wal_checkpoint(TRUNCATE)');
      expect(await opened.history.search('hippogriff')).toEqual([]);
      expect((await opened.history.search('common')).map(({ sessionId }) => sessionId)).toEqual(['b']);
      expect((await opened.history.search('ommo')).map(({ sessionId }) => sessionId)).toEqual(['b']);
      await opened.close();
      const bytes = readFileSync(place.file);
      for (const word of ['hippogriff', 'mandragora', 'basilisk', 'modelsecret'])
        expect(bytes.includes(word), word).toBe(false);
      expect(bytes.includes('another common text')).toBe(true);
    });
  });
});

describe('totals', () => {
  test('[G-09] a failure of the database is told and not thrown', async () => {
    await inPlace(async (place) => {
      const opened = await place.open();
      await opened.metadata.create('s');
      opened.connection.raw.exec('DROP TABLE session_runs');
      const run = { runId: 'r', sessionId: 's', inputTokens: 1, outputTokens: 1, costUsd: 1 };
      expect(await opened.metadata.add(run)).toEqual({ warning: expect.stringContaining('session_runs') });
      expect((await opened.metadata.get('s'))?.totalCostUsd).toBe(0);
      await opened.close();
      expect(await opened.metadata.add(run)).toEqual({ warning: expect.any(String) });
    });
  });
});
