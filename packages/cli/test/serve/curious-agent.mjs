#!/usr/bin/env node
// An agent that wants to answer its own question. It asks for a permission, and then looks for a way to give it to itself: in its
// environment, its arguments, its folder, the processes of the server and the data folder, and at every port that the server
// listens to. It tries whatever it finds, and writes down what came of it. Processes that are not the server's are left alone.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const { CURIOUS_SECONDS, CURIOUS_DATA, CURIOUS_REPORT, CURIOUS_DIGEST, TAILRACE_RUN_ID: runId } = process.env;
const end = Date.now() + Number(CURIOUS_SECONDS) * 1000;
const session = '33333333-4444-4555-8666-777777777777';
const print = (message) => process.stdout.write(`${JSON.stringify({ session_id: session, ...message })}\n`);
const report = { answers: [], statuses: {}, rounds: 0, ports: [], candidates: 0, read: 0, done: false };

createInterface({ input: process.stdin }).on('line', (text) => {
  const line = JSON.parse(text);
  if (line.type === 'user') ask();
  if (line.type === 'control_response') {
    report.answers.push(line.response);
    save();
    print({ type: 'result', subtype: 'success', is_error: false, result: 'Done.', num_turns: 1, usage: {} });
    process.exit(0);
  }
});
const base = { cwd: process.cwd(), model: 'fake-1', tools: ['Bash'], mcp_servers: [], permissionMode: 'default' };
print({ type: 'system', subtype: 'init', claude_code_version: '2.1.325', ...base });

function ask() {
  const input = { command: 'rm -rf everything' };
  const message = { id: 'msg_1', role: 'assistant', model: 'fake-1', content: [], usage: {} };
  print({ type: 'assistant', message: { ...message, content: [{ type: 'tool_use', id: 'c1', name: 'Bash', input }] } });
  const wanted = { subtype: 'can_use_tool', tool_name: 'Bash', input, tool_use_id: 'c1', permission_suggestions: [] };
  print({ type: 'control_request', request_id: 'ask-c1', request: wanted });
  search();
}

async function search() {
  while (!existsSync(CURIOUS_DIGEST)) await new Promise((resolve) => setTimeout(resolve, 10));
  const digest = readFileSync(CURIOUS_DIGEST, 'utf8');
  while (Date.now() < end || report.rounds === 0) {
    const hay = haystack();
    report.read = hay.length;
    writeFileSync(`${CURIOUS_REPORT}.hay`, hay);
    const found = candidatesIn(hay);
    report.candidates = found.secrets.length;
    report.ports = portsOf(family());
    for (const port of report.ports) await tryPort(port, digest, found);
    report.rounds++;
  }
  report.done = true;
  save();
}

const save = () => writeFileSync(CURIOUS_REPORT, JSON.stringify(report));

// ── Looking ───────────────────────────────────────────────────────────────────────────────────────

const text = (file) => {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
};
const parentOf = (pid) => Number(/\) \S (\d+)/.exec(text(`/proc/${pid}/stat`))?.[1] ?? 0);

/** `tailrace serve`, or the view, which has a server of its own. */
const SERVER = /tailrace\.js\0(?:serve\0|$)/;

/** The server that started us, and all that it has started. */
function family() {
  let server = parentOf(process.pid);
  while (server > 1 && !SERVER.test(text(`/proc/${server}/cmdline`))) server = parentOf(server);
  const pids = readdirSync('/proc').map(Number).filter(Boolean);
  const isOf = (pid) => pid === server || (pid > 1 && isOf(parentOf(pid)));
  return server > 1 ? pids.filter(isOf) : [];
}

function haystack() {
  const parts = [JSON.stringify(process.env), process.argv.join('\n')];
  for (const pid of family()) for (const name of ['cmdline', 'environ']) parts.push(text(`/proc/${pid}/${name}`));
  for (const folder of [process.cwd(), CURIOUS_DATA, process.env.HOME]) parts.push(...filesIn(folder));
  return parts.join('\n');
}

const MAX_FILE_BYTES = 8 * 1024 * 1024;

function filesIn(folder) {
  return readdirSync(folder, { recursive: true }).flatMap((name) => {
    const path = join(folder, String(name));
    // Not what we have written ourselves.
    if (path.startsWith(CURIOUS_REPORT)) return [];
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() && stats.size < MAX_FILE_BYTES ? [`${path}\n${text(path)}`] : [];
  });
}

function portsOf(pids) {
  const sockets = new Set(pids.flatMap((pid) => linksOf(`/proc/${pid}/fd`)));
  return text('/proc/net/tcp')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && sockets.has(`socket:[${inode}]`))
    .map(([, local]) => Number.parseInt(local.split(':')[1], 16));
}

function linksOf(folder) {
  try {
    return readdirSync(folder).map((name) => readlinkSync(join(folder, name)));
  } catch {
    return [];
  }
}

/** What could be a secret, and what could be a code; the newest words last. */
function candidatesIn(hay) {
  const secrets = new Set(hay.match(/\b(tailrace_)?[\w-]{43}\b/g) ?? []);
  const hashes = [...secrets].map((one) => createHash('sha256').update(one).digest('base64url'));
  const codes = new Set(hay.match(/\b[2-9A-HJ-NP-Z]{8}\b/g) ?? []);
  return { secrets: [...secrets, ...hashes].slice(0, 60), codes: [...codes].slice(0, 20) };
}

// ── Trying ────────────────────────────────────────────────────────────────────────────────────────

const MAX_GUESSES = 50;
const guess = () => Array.from(randomBytes(8), (byte) => '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'[byte % 32]).join('');

async function tryPort(port, digest, { secrets, codes }) {
  const own = `http://127.0.0.1:${port}`;
  const body = JSON.stringify({ requestId: 'ask-c1', digest, answer: { decision: 'allow' } });
  const json = { 'content-type': 'application/json' };
  const cookies = secrets.map((one) => ({ cookie: `tailrace-${port}=${one}`, 'x-tailrace-key': one }));
  const tokens = secrets.map((one) => ({ authorization: `Bearer ${one}` }));
  const forged = [
    {},
    { origin: own },
    { origin: 'null' },
    { origin: `http://localhost:${port}` },
    { origin: own, host: `localhost:${port}` },
    { origin: own, host: 'localhost' },
    { origin: own, 'sec-fetch-site': 'same-origin' },
    { origin: own, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': `127.0.0.1:${port}` },
    { origin: own, cookie: `tailrace-${port}=` },
    { origin: own, authorization: 'Bearer undefined' },
    { origin: own, authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` },
    ...[...cookies, ...tokens].map((one) => ({ origin: own, ...one })),
    ...tokens,
  ];
  for (const headers of forged) {
    await knock(port, 'POST', `/api/runs/${runId}/answer`, { ...json, ...headers }, body);
    await knock(port, 'POST', `/api/runs/${runId}/answer`, { 'content-type': 'text/plain', ...headers }, body);
    await knock(port, 'GET', `/api/runs/${runId}/answer?decision=allow`, headers);
    await upgrade(port, headers);
  }
  const rights = JSON.stringify({ name: 'mine', rights: ['read', 'run', 'answer'] });
  await knock(port, 'POST', '/api/programs', { ...json, origin: own }, rights);
  await knock(port, 'POST', '/api/code', { ...json, origin: own }, '{}');
  const words = [...codes, ...Array.from({ length: MAX_GUESSES }, guess)];
  for (const code of words)
    await knock(port, 'POST', '/api/sign-in', { ...json, origin: own }, JSON.stringify({ code }));
}

function count(what, status) {
  const key = `${what} ${status}`;
  report.statuses[key] = (report.statuses[key] ?? 0) + 1;
}

function knock(port, method, path, headers, body) {
  return new Promise((resolve) => {
    const question = request({ host: '127.0.0.1', port, method, path, headers, agent: false, timeout: 5_000 });
    question.on('response', (response) => {
      count(`${method} ${path.split('?')[0].split('/').at(-1)}`, response.statusCode);
      response.resume().on('end', resolve);
    });
    question.on('error', () => resolve(count(method, 'broken')));
    question.end(body);
  });
}

function upgrade(port, headers) {
  return new Promise((resolve) => {
    const key = randomBytes(16).toString('base64');
    const socket = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': key,
    };
    const question = request({
      host: '127.0.0.1',
      port,
      path: '/ws',
      headers: { ...socket, ...headers },
      agent: false,
    });
    question.on('upgrade', (_response, open) => {
      count('upgrade', 101);
      open.destroy();
      resolve();
    });
    question.on('response', (response) => {
      count('upgrade', response.statusCode);
      response.resume().on('end', resolve);
    });
    question.on('error', () => resolve(count('upgrade', 'broken')));
    question.end();
  });
}
