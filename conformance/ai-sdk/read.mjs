// The real AI SDK reads every capture through the bridge: over its own transport, which holds each chunk against its schema, as a
// stream and as `useChat` does. What its message holds is what our conversation holds. Then each once more with its events out of order, some missing and some twice: the
// reader still takes them all. Prints a line per fault and `N passed, N failed` at the end.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { DefaultChatTransport, readUIMessageStream, validateUIMessages } from 'ai';
import { createConversation, createDecoder, reduce } from '../../packages/core/dist/index.js';
import { toUIMessageStreamResponse } from '../../packages/core/dist/targets/ai-sdk/index.js';
import { PlainChat } from './chat.mjs';
import { shownBy, shownIn } from './shown.mjs';

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const captures = readdirSync(fixtures, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ndjson') && !path.endsWith('.stdin.ndjson'))
  .sort();

function eventsOf(path) {
  const decoder = createDecoder();
  const about = path.replace('.ndjson', '.meta.json');
  const { exitCode: code, exitSignal: signal } = existsSync(about) ? JSON.parse(readFileSync(about, 'utf8')) : {};
  return [...decoder.feed(readFileSync(path)), ...decoder.end(code === undefined ? {} : { code, signal })];
}

async function* given(events) {
  yield* events;
}

/** The way of every chat to its server, which answers with these events. */
const transportOf = (events) =>
  new DefaultChatTransport({
    api: 'http://127.0.0.1/',
    fetch: async () => toUIMessageStreamResponse(given(events), { messageId: 'message-1' }),
  });

/** The message, and what the reader complained of. It reads on after an error. */
async function read(events) {
  const stream = await transportOf(events).sendMessages({ trigger: 'submit-message', chatId: 'chat', messages: [] });
  const complaints = [];
  let message;
  for await (const next of readUIMessageStream({ stream, onError: (error) => complaints.push(error) })) message = next;
  return { message, complaints };
}

/** The same as `useChat` has it, which stops at an error. */
async function chat(events) {
  const chat = new PlainChat(transportOf(events));
  await chat.sendMessage({ text: 'Go.' });
  return { message: chat.messages.at(-1), complaints: chat.error ? [chat.error] : [], status: chat.status };
}

async function faultsOf(events) {
  const conversation = events.reduce(reduce, createConversation());
  const isFailed = conversation.outcome === 'error';
  const expected = isFailed ? [conversation.error?.message ?? 'The run failed.'] : [];
  const faults = [];
  for (const { message, complaints, status = 'ready' } of [await read(events), await chat(events)]) {
    const said = complaints.map((error) => error.message);
    if (!isDeepStrictEqual(said, expected)) faults.push(`it complained: ${said.join('; ')}`);
    if (status !== 'ready' && !isFailed) faults.push(`the chat is ${status}`);
    await validateUIMessages({ messages: [message] }).catch((error) => faults.push(`not valid: ${error.message}`));
    const shown = shownBy(message);
    for (const [name, value] of Object.entries(shownIn(conversation, events)))
      if (!isDeepStrictEqual(shown[name], value))
        faults.push(`${name}: ${JSON.stringify(shown[name])} instead of ${JSON.stringify(value)}`);
  }
  return faults;
}

/** The events in disorder, the same each time: a tenth is missing, some come twice, some too early. */
function disordered(events, seed) {
  let state = seed;
  const below = (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
  const left = events.filter(() => below(10) > 0).flatMap((event) => (below(20) === 0 ? [event, event] : [event]));
  for (let at = 3; at < left.length; at++) if (below(6) === 0) left.splice(at - below(4), 0, ...left.splice(at, 1));
  return left;
}

async function faultsOfDisorder(events) {
  const { message, complaints } = await read(events);
  // A run that failed is told as a plain error; the reader's own complaints have names.
  const faults = complaints
    .filter(({ name }) => name !== 'Error')
    .map((error) => `in disorder it complained: ${error}`);
  if (message?.parts.length)
    await validateUIMessages({ messages: [message] }).catch((error) => faults.push(`in disorder, not valid: ${error}`));
  const { open } = shownBy(message ?? { parts: [], metadata: {} });
  return open ? [...faults, `in disorder, ${open} parts are left open`] : faults;
}

const only = process.argv[2] ?? '';
const count = { passed: 0, failed: 0 };
for (const path of captures.filter((path) => path.includes(only))) {
  const events = eventsOf(join(fixtures, path));
  const faults = await faultsOf(events);
  for (let seed = 1; seed <= 5; seed++) faults.push(...(await faultsOfDisorder(disordered(events, seed))));
  count[faults.length ? 'failed' : 'passed'] += 1;
  for (const fault of faults) console.log(`${basename(path)}: ${fault}`.slice(0, 2_000));
}
console.log(`${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed || count.passed === 0 ? 1 : 0;
