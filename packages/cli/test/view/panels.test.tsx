import { ClientError, type FeedMessage } from '@tailrace/client';
import { expect, test } from 'vitest';
import { event, messagesOf, recorded } from '../../../client/test/session-events.ts';
import { createTestClient, testRun, testSession } from '../../../web/test/test-client.ts';
import { createCodes } from '../../src/view/connect/codes.ts';
import { clientOf, KEYS, type Stage, showView } from './stage.tsx';

const demo = messagesOf(recorded('demo'));
const nested = messagesOf(recorded('subagent-nested-three'));
const long: readonly FeedMessage[] = messagesOf(
  Array.from({ length: 400 }, (_, index) =>
    event({ type: 'text-end', messageId: `m${index}`, blockId: `b${index}`, text: `word number ${index}` }),
  ),
);

/** A session that is opened; what happened in it comes a moment later. */
async function open(past: readonly FeedMessage[] = demo, options: Parameters<typeof showView>[0] = {}): Promise<Stage> {
  const stage = showView({ past, ...options });
  await stage.see('A quiet afternoon');
  await stage.press(KEYS.enter);
  await stage.see('3 Output');
  return stage;
}

test('[R-12] the list has what waits first, then what works, then what was', async () => {
  const live = { runId: 'r', since: Date.now(), isOurs: true, waiting: 0, progress: null, subagents: 0 };
  const client = createTestClient({
    sessions: [
      testSession('old', { title: 'was', costUsd: 1.02, costState: 'reconciled' }),
      testSession('new', {
        title: 'works',
        live: { ...live, state: 'working' },
        costUsd: 0.42,
        costState: 'estimated',
      }),
      testSession('session-r', { title: 'waits', live: { ...live, state: 'waiting', waiting: 1 } }),
    ],
    runs: [
      testRun('r', [
        { type: 'permission-request', seq: 1, requestId: 'q', toolName: 'Bash', input: { command: 'rm -rf build/' } },
      ]),
    ],
  });
  const stage = showView({ client });
  await stage.see('Bash: rm -rf build/');
  const at = (text: string): number => stage.rows().findIndex((row) => row.includes(text));
  expect([
    at('WAITING FOR YOU (1)'),
    at('waits'),
    at('WORKING (1)'),
    at('works'),
    at('EARLIER (1)'),
    at('was'),
  ]).toEqual([2, 3, 6, 7, 9, 10]);
  expect(stage.frame()).toContain('~$0.420');
  expect(stage.frame()).toMatch(/well +\$1\.02/);
  await stage.press('/', ...'wor');
  await stage.miss('EARLIER');
  await stage.press(KEYS.escape);
  await stage.see('EARLIER');
});

test('[R-12] each panel is a key away', async () => {
  const stage = await open();
  await stage.press('1');
  const calls = await stage.see(/✓ Read|✓ Bash|✖ Bash/);
  expect(calls).not.toContain('You  ');
  await stage.press('2');
  await stage.see(/┊|It did not tell/);
  await stage.press('3', 'g');
  await stage.see('run the test first');
  await stage.press('4');
  const figures = await stage.see('Tokens');
  expect(figures).toContain('Turns');
  expect(figures).toContain('Cost');
  await stage.press('5');
  expect(await stage.see('permission mode')).toContain('/mill');
});

test('[R-12] what is said, thought and planned is laid out, and what is beside it is told by what it is', async () => {
  const table = '| a | b |\n|---|---|\n| 漢字 | two |';
  const stage = await open(
    messagesOf([
      event({ type: 'reasoning-end', messageId: 'm', blockId: 'r', text: 'First **look**, then:\n\n- read\n- write' }),
      event({ type: 'text-end', messageId: 'm', blockId: 't', text: `## Why\n\nIt is \`late\`.\n\n${table}` }),
      event({ type: 'plan-update', text: '1. one\n2. two' }),
    ]),
  );
  const said = await stage.see('It is late.');
  expect(said).not.toMatch(/## |`|\*\*|\|---/);
  expect(said).toMatch(/a {4}│ b\n.*─────┼────\n.*漢字 │ two/);
  expect(said).toMatch(/Plan\n.*1\. one\n.*2\. two/);
  await stage.press('2');
  const thought = await stage.see('┊ First look, then:');
  expect(thought).toContain('┊ • read');
  await stage.press('1');
  await stage.see('No tool was used.');
});

test('what is opened at the lower edge is seen', async () => {
  const stage = await open(
    messagesOf(
      Array.from({ length: 60 }, (_, index) =>
        event({ type: 'reasoning-end', messageId: 'm', blockId: `r${index}`, text: `one\n\ntwo\n\nend of ${index}.` }),
      ),
    ),
  );
  await stage.see('┊ thought');
  await stage.press('g', ...'j'.repeat(30), KEYS.enter);
  const frame = await stage.see('end of 30.');
  expect(frame).toContain('▌ ┊ thought');
});

test('[R-14] the id is told when somebody asks for it, and not before', async () => {
  const id = '0c010b30-be8b-4855-87ac-fe5125c49bc7';
  const client = createTestClient({ sessions: [testSession(id, { title: 'A quiet afternoon' })], past: demo });
  const stage = showView({ client });
  await stage.see('A quiet afternoon');
  await stage.press(KEYS.enter);
  for (const key of ['1', '2', '3', '4', 's', 't', 'f', '5']) await stage.press(key);
  await stage.see('permission mode');
  expect(stage.frames.some((frame) => frame.includes(id) || frame.includes(id.slice(0, 8)))).toBe(false);
  await stage.press('i');
  await stage.see(id);
});

test('[R-14] a key copies the command that goes on with a session', async () => {
  const id = '0c010b30-be8b-4855-87ac-fe5125c49bc7';
  const stage = showView({ client: createTestClient({ sessions: [testSession(id, { title: 'A quiet afternoon' })] }) });
  await stage.see('A quiet afternoon');
  await stage.press(KEYS.enter, 'y');
  await stage.see('was copied');
  expect(stage.copied).toEqual([expect.stringMatching(/^cd .*mill.* && claude --resume 0c010b30/)]);
});

test('sub-agents stand in a tree, below whoever started them, and lead to their place', async () => {
  const stage = await open(nested);
  await stage.press('s');
  await stage.see(/SUB-AGENTS \d/);
  await stage.see('└ ');
  await stage.press(KEYS.enter);
  await stage.miss('SUB-AGENTS');
  await stage.see('▌ ✓ Agent');
});

test('the todo list and the files are a key away', async () => {
  const todos = ['completed', 'in_progress', 'pending'].map((status) => ({ content: `be ${status}`, status }));
  const stage = await open(
    messagesOf([
      event({ type: 'todo-update', entries: todos }),
      event({
        type: 'file-change',
        changes: [{ path: '/mill/wheel.ts', operation: 'modify', linesAdded: 3, linesRemoved: 1 }],
        outcome: 'success',
      }),
    ]),
  );
  await stage.press('t');
  const marks = (await stage.see('TODO 1/3')).split('\n').flatMap((row) => /(\S) be \w+/.exec(row)?.[1] ?? []);
  expect(marks).toEqual(['✓', '●', '○']);
  await stage.press('t', 'f');
  expect(await stage.see('FILES 1')).toMatch(/wheel\.ts +\+3 −1/);
});

test('words are found, one after the other and back, and rows can be left out that do not have them', async () => {
  const stage = await open(long, { rows: 40 });
  await stage.see('word number 399');
  await stage.press('/', ...'number 17', KEYS.enter);
  await stage.see('1 of 11');
  await stage.see('▌ word number 17');
  await stage.press('n');
  await stage.see('▌ word number 170');
  await stage.press('N', 'N');
  await stage.see('11 of 11');
  await stage.press('&', ...'number 39', KEYS.enter);
  await stage.see('only "number 39"');
  expect(stage.rows().filter((row) => row.includes('word number')).length).toBe(11);
  await stage.press(KEYS.escape);
  await stage.miss('only "');
});

test('what comes is followed from the end, and moves nothing while somebody reads or has paused it', async () => {
  const stage = await open(long);
  const tell = (index: number): void =>
    stage.client.tell(
      messagesOf([event({ type: 'text-end', messageId: `x${index}`, blockId: `x${index}`, text: `fresh ${index}` })]),
    );
  await stage.see('word number 399');
  tell(1);
  await stage.see('fresh 1');
  await stage.press('g');
  await stage.see('word number 0');
  tell(2);
  await stage.see('1 new ↓');
  expect(stage.frame()).toContain('word number 0');
  await stage.press('G');
  await stage.see('fresh 2');
  await stage.press(' ');
  await stage.see('paused');
  tell(3);
  await stage.see('1 new ↓');
  expect(stage.frame()).not.toContain('fresh 3');
  await stage.press(' ');
  await stage.see('fresh 3');
});

test('raw events are shown with the line that they came in', async () => {
  const stage = await open();
  await stage.press('r');
  await stage.see('session-start');
  await stage.press(KEYS.enter);
  await stage.see('{"the":"line as it came"}');
  await stage.press(KEYS.escape);
  await stage.miss('the line as it came');
});

test('the keys are told, with the address and the code of the own server', async () => {
  const codes = createCodes();
  const stage = await open(demo, { rows: 60, codes });
  await stage.press('?');
  const help = await stage.see('Answering');
  expect(help).toContain('http://127.0.0.1:7317');
  expect(help).toContain('c makes a new one');
  await stage.press('c');
  expect(stage.client.askedForCode).toBe(1);
  codes.show('ABCD2345', false);
  await stage.see(/code +ABCD2345/);
  await stage.press(KEYS.escape);
  await stage.see('3 Output');
});

test.each([
  [80, 24],
  [200, 60],
  [40, 10],
  [20, 6],
  [10, 3],
])('at %i × %i every screen fits', async (columns, rows) => {
  const stage = await open(demo, { columns: 80, rows: 24 });
  stage.resize(columns, rows);
  for (const key of ['1', '2', '3', '4', '5', '3', 's', 't', 'f', 'r', KEYS.escape, '?', KEYS.escape, 'j', 'k', 'G']) {
    await stage.press(key);
    const [least, most] = [stage.rows().length, Math.max(...stage.rows().map((row) => row.length))];
    expect(least).toBeLessThanOrEqual(Math.max(rows, 6));
    expect(most).toBeLessThanOrEqual(Math.max(columns, 20));
  }
  await stage.press(KEYS.escape);
});

test('whoever leaves while runs go on is asked once more', async () => {
  const stage = showView({ past: demo, warning: () => 'A run would end.' });
  await stage.see('A quiet afternoon');
  await stage.press('q');
  await stage.see('Once more');
  expect(stage.left).toEqual([]);
  await stage.press('q');
  expect(stage.left).toEqual([0]);
});

test('of changes that nobody counted only the operation is told', async () => {
  const changed = (path: string, operation: 'modify' | 'add') =>
    event({ type: 'file-change', outcome: 'success', changes: [{ path, operation }] });
  const stage = await open(messagesOf([changed('/mill/wheel.ts', 'modify'), changed('/mill/race.ts', 'add')]));
  await stage.see('wheel.ts');
  await stage.press('f');
  const frame = await stage.see('FILES 2 files changed');
  expect(frame).toMatch(/wheel\.ts +changed$/m);
  expect(frame).toMatch(/race\.ts +new$/m);
  expect(frame).not.toContain('+0');
});

test('the row of a question that was answered tells the answer', async () => {
  const asks = (requestId: string, message: string) => event({ type: 'question-request', requestId, message });
  const stage = await open(
    messagesOf([
      asks('q1', 'Which one?'),
      event({ type: 'question-resolve', requestId: 'q1', outcome: 'success', answer: { 'Which one?': 'blue' } }),
      asks('q2', 'And now?'),
      event({ type: 'question-resolve', requestId: 'q2', outcome: 'denied' }),
    ]),
  );
  await stage.see('Which one? → blue');
  await stage.see('And now? → not answered');
});

test('the help says that there is more below, and no cost moves the columns of the list', async () => {
  const client = createTestClient({
    sessions: [
      testSession('a', { title: 'one', costUsd: 0.00123, costState: 'estimated' }),
      testSession('b', { title: 'two', costUsd: 1.02, costState: 'reconciled' }),
      testSession('c', { title: 'three', costUsd: 0.00123, costState: 'known' }),
    ],
  });
  const stage = showView({ client });
  await stage.see('three');
  const places = stage.rows().flatMap((row) => (row.includes('well') ? [row.indexOf('well')] : []));
  expect(places).toHaveLength(3);
  expect(new Set(places).size).toBe(1);
  await stage.press('?');
  await stage.see(/\d+ more below/);
  await stage.press('G');
  await stage.miss('more below');
  await stage.press(KEYS.escape);
  await stage.see('3 sessions');
  await stage.press('/', ...'two', KEYS.enter);
  await stage.see('1 of 3 sessions');
});

test('a lost server is told, and what was seen stays', async () => {
  const stage = showView({ client: clientOf(demo) });
  await stage.see('A quiet afternoon');
  stage.client.setStatus({ state: 'waiting', retryAt: Date.now() + 1000, attempt: 1 });
  await stage.see('the server cannot be reached');
  expect(stage.frame()).toContain('A quiet afternoon');
  await stage.press(KEYS.enter);
  await stage.see('3 Output');
  await stage.see('the server cannot be reached');
});

test('a server that runs already asks for the code from its terminal', async () => {
  const stage = showView({ client: clientOf(demo) });
  stage.client.setStatus({
    state: 'signed-out',
    problem: { type: '', title: '', status: 401, code: 'unauthenticated' },
  });
  await stage.see('Type the code');
  await stage.see('None stands there? Ctrl-N');
  const { onSignIn } = stage.client;
  stage.client.onSignIn = () => {
    throw new ClientError('refused', 'Nobody is signed in: the code is wrong', {
      problem: { type: '', title: 'Nobody is signed in', status: 401, code: 'unauthenticated' },
    });
  };
  await stage.press(...'wrong', KEYS.enter);
  expect(await stage.see('This code is not taken: it is wrong')).not.toContain('Nobody is signed in');
  await stage.see('shows a new one.');
  stage.client.onSignIn = onSignIn;
  await stage.press(...'abcd2345', KEYS.enter);
  await stage.see('A quiet afternoon');
  expect(stage.client.codes).toEqual(['WRONG', 'ABCD2345']);
});
