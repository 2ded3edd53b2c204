// What is true of every run, whatever it was about. Each fault is a sentence.
import { isDeepStrictEqual } from 'node:util';
import { createDecoder } from '../../../packages/core/dist/index.js';
import { claude } from './claude.mjs';
import { processesOf } from './processes.mjs';

/** `alone`: all that was served was served to this run. */
export function faultsOf(played, expect, api, alone) {
  return [
    ...stateFaults(played),
    ...recordFaults(played),
    ...(expect.left ? [] : processFaults(played)),
    ...endFaults(played),
    ...requestFaults(played),
    ...(alone ? billFaults(played, expect, api) : []),
    ...(expect.outcome && played.result.outcome !== expect.outcome
      ? [`the outcome is ${played.result.outcome}, not ${expect.outcome}`]
      : []),
    ...(expect.end && played.result.end !== expect.end ? [`the end is ${played.result.end}, not ${expect.end}`] : []),
  ];
}

function* stateFaults({ states }) {
  if (states[0] !== 'starting') yield `the first state is ${states[0]}`;
  if (states.at(-1) !== 'ended') yield `the last state is ${states.at(-1)}`;
  if (states.filter((state) => state === 'ended').length !== 1) yield 'it ended more than once';
  if (states.some((state, index) => state === states[index - 1])) yield `a state twice in a row: ${states.join(' ')}`;
  if (states.includes('stalled')) yield 'it was called stalled';
}

function* recordFaults(played) {
  const { rows, events, states } = played;
  const holes = rows.filter((row, index) => row.seq !== index + 1);
  if (holes.length > 0) yield `row ${holes[0].seq} is out of order`;
  for (const source of ['stdout', 'stdin', 'host']) {
    const times = rows.filter((row) => row.source === source).map((row) => row.at);
    if (times.some((at, index) => at < times[index - 1])) yield `time goes back in the rows of ${source}`;
  }
  const decoder = createDecoder({ agent: claude, maxLineBytes: 64 * 1024 * 1024 });
  const again = [...rows.flatMap(({ bytes, at, source }) => decoder.feed(bytes, { at, source })), ...decoder.end()];
  if (!isDeepStrictEqual(again, events)) yield `the record tells something else: ${differenceOf(again, events)}`;
  const wrong = events.find((event, index) => event.seq !== index);
  if (wrong) yield `event ${wrong.seq} (${wrong.type}) is out of order`;
  // A state is told again when what is worked on has changed.
  const changes = played.of('run-state');
  const same = changes.find(
    (event, index) =>
      event.state === changes[index - 1]?.state && isDeepStrictEqual(event.toolCallIds, changes[index - 1].toolCallIds),
  );
  if (same) yield `the state ${same.state} is told twice`;
  const told = changes.map((event) => event.state).filter((state, index, all) => state !== all[index - 1]);
  if (!isDeepStrictEqual(told, states)) yield `the states in the record are ${told.join(' ')}`;
  const hosts = played.lines('host');
  if (hosts[0]?.type !== 'run-started') yield `the record begins with ${hosts[0]?.type}`;
  if (hosts.filter((line) => line.type === 'exited').length !== 1) yield 'the record has not one exit';
  for (const line of hosts) if (line.type === 'warned') yield `it warned: ${line.message}`;
}

function differenceOf(one, other) {
  const at = one.findIndex((event, index) => !isDeepStrictEqual(event, other[index]));
  const short = (event) => JSON.stringify(event)?.slice(0, 300);
  return `${one.length} and ${other.length} events; at ${at}: ${short(one[at])} ≠ ${short(other[at])}`;
}

function* processFaults({ run }) {
  for (const { command } of processesOf(run.id)) yield `still alive: ${command.slice(0, 200)}`;
}

function* endFaults(played) {
  const ends = played.of('session-end');
  if (ends.length !== 1) yield `${ends.length} ends of the session`;
  if (played.events.at(-1)?.type !== 'session-end') yield `the last event is ${played.events.at(-1)?.type}`;
  if (played.run.requests.length > 0) yield 'a request still waits';
  const open = new Set(played.of('tool-call-start').map((event) => event.toolCallId));
  for (const event of played.of('tool-call-end')) open.delete(event.toolCallId);
  if (open.size > 0) yield `calls without an end: ${[...open].join(', ')}`;
  const results = played.lines('stdout').filter((line) => line.type === 'result').length;
  const ended = played.of('turn-end').filter((event) => !event.synthetic).length;
  if (results !== ended) yield `${results} results on stdout, ${ended} turns that ended`;
}

/** A request is answered or taken back, and that once. What a result says of a call afterwards names no request. */
function* requestFaults(played) {
  for (const kind of ['permission', 'question'])
    for (const { requestId, toolName = '' } of played.of(`${kind}-request`)) {
      const about = played.of(`${kind}-resolve`).filter((event) => event.requestId === requestId);
      const how = about.map(({ decision, outcome }) => decision ?? outcome).join(', ');
      if (about.length !== 1) yield `a ${kind} request (${toolName}) was resolved so: ${how}`;
    }
}

const sum = (list) => list.reduce((total, value) => total + value, 0);

/** What was served is what is billed, unless something was broken off. */
function* billFaults({ result }, expect, api) {
  if (expect.bill === false) return;
  const served = api.calls.filter((call) => call.status === 200);
  if (served.length === 0 || served.some((call) => !call.completed)) return;
  const counts = served.map((call) => call.answer.usage);
  const input = sum(
    counts.map((usage) => usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens),
  );
  const output = sum(counts.map((usage) => usage.output_tokens));
  if (result.usage?.inputTokens !== input || result.usage?.outputTokens !== output)
    yield `${input} in and ${output} out were served, ${result.usage?.inputTokens} and ${result.usage?.outputTokens} are told`;
  if (!(result.cost?.amount > 0)) yield 'no cost is told';
}
