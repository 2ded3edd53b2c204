import assert from 'node:assert/strict';
import { request } from 'node:http';
import { checkSlowReader } from './slow-reader.mjs';

/** Somebody asks for a run and reads its events, somebody hangs up, somebody is slow; strangers are refused. */
export async function checkExpressSse(stage) {
  const { serve, agentGone, example } = stage;
  const { url } = await serve('npm', ['start'], { cwd: example });
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ prompt: 'Fix the flaky checkout test' });

  const reply = await fetch(`${url}/runs`, { method: 'POST', headers, body });
  assert.match(reply.headers.get('content-type'), /^text\/event-stream\b/);
  const frames = (await reply.text()).trimEnd().split('\n\n');
  const events = frames.map((frame) => JSON.parse(/^data: (.*)$/m.exec(frame)[1]));
  const types = events.map(({ type }) => type);
  for (const type of ['run-start', 'session-start', 'text-delta', 'tool-call-end', 'turn-end'])
    assert(types.includes(type), type);
  assert.equal(events.at(-1).type, 'session-end');
  assert.deepEqual(
    frames.map((frame) => /^event: (.*)$/m.exec(frame)[1]),
    types,
  );

  const slow = await serve('npm', ['start'], { cwd: example, env: { AGENT_SPEED: '0.1' } });
  const leaving = new AbortController();
  const begun = await fetch(`${slow.url}/runs`, { method: 'POST', headers, body, signal: leaving.signal });
  await begun.body.getReader().read();
  leaving.abort();
  await agentGone();
  await checkSlowReader(stage, '/runs', body);

  assert.equal((await fetch(`${url}/runs`, { method: 'POST', headers, body: '{}' })).status, 400);
  assert.equal((await fetch(`${url}/runs`, { method: 'POST', headers, body: '{"prompt":" "}' })).status, 400);
  assert.equal((await fetch(`${url}/runs`, { method: 'POST', headers, body: '{"prompt' })).status, 400);
  assert.equal(await status(`${url}/runs`, { ...headers, host: 'rebound.example' }, body), 403);
  assert.equal(await status(`${url}/runs`, { ...headers, origin: 'https://elsewhere.example' }, body), 403);
  assert.equal(await status(`${url}/runs`, { 'content-type': 'text/plain' }, body), 403);
}

function status(url, headers, body) {
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers }, (reply) => resolve(reply.resume().statusCode))
      .on('error', reject)
      .end(body);
  });
}
