import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';

/** Somebody asks and reads nothing: the agent waits. It goes on when they read, and ends when they leave. */
export async function checkSlowReader({ serve, agentGone, folder, example }, path, body) {
  const file = join(folder, `taken-${path.replaceAll('/', '-')}`);
  const taken = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const { url } = await serve('npm', ['start'], { cwd: example, env: { AGENT_FLOODS: file } });
  const leaving = new AbortController();
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${url}${path}`, { method: 'POST', headers, body, signal: leaving.signal });
  const reader = reply.body.getReader();

  const before = await standing(taken);
  assert(before < 640, `${before} of 1,280 lines were taken from the agent, and nobody has read them`);
  while (taken() === before) assert(!(await reader.read()).done);
  await standing(taken);
  leaving.abort();
  await agentGone();
}

/** The number when it grows no more: a slow machine can only make this pass too early. */
async function standing(count) {
  let last = { number: 0, at: Date.now() };
  while (last.number === 0 || Date.now() - last.at < 500) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const number = count();
    if (number !== last.number) last = { number, at: Date.now() };
  }
  return last.number;
}
