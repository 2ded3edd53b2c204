// What holds for every stream of events, whatever the agent did.
import { parsed, show } from './values.mjs';

const identifiers = {
  turn: 'turnId',
  step: 'stepId',
  message: 'messageId',
  text: 'blockId',
  reasoning: 'blockId',
  'tool-call': 'toolCallId',
  task: 'taskId',
  compaction: 'compactionId',
  hook: 'hookId',
};
const shape = new RegExp(`^(${Object.keys(identifiers).join('|')})-(start|delta|input-delta|input-end|update|end)$`);

function checkFrame(events, story, say) {
  const count = (type) => events.filter((event) => event.type === type).length;
  const first = events.find(({ type }) => !type.startsWith('run-'));
  if (first?.type !== 'session-start') say(`the first event is ${first?.type}`);
  if (events.at(-1).type !== 'session-end') say(`the last event is ${events.at(-1).type}`);
  for (const type of ['session-start', 'session-end']) if (count(type) !== 1) say(`${count(type)} times ${type}`);
  const hole = events.findIndex((event, index) => event.seq !== index);
  if (hole >= 0) say(`event ${hole} has the seq ${events[hole].seq}`);
  let line = 0;
  for (const event of events) {
    if (event.line === undefined) continue;
    if (event.line < line || event.line > story.rowCount) say(`${event.type} names line ${event.line} after ${line}`);
    line = event.line;
  }
  if (count('retry-start') !== count('retry-end'))
    say(`${count('retry-start')} retry-start and ${count('retry-end')} retry-end`);
  const tasks = new Set(events.filter((event) => event.type === 'task-start').map((event) => event.taskId));
  const stray = events.find((event) => event.subagentId !== undefined && !tasks.has(event.subagentId));
  if (stray) say(`${stray.type} belongs to the sub-agent ${stray.subagentId}, which never starts`);
}

function checkEnd(key, family, item, event, say) {
  const joined = item.deltas.join('');
  if (item.deltas.length && joined !== event.text)
    say(`the deltas of ${key} make ${show(joined)}, its end says ${show(event.text)}`);
  if (family === 'tool-call' && item.inputs !== 1) say(`${key} has ${item.inputs} input-end`);
}

// Calls keep an order within: pieces of the input, the input, news, the end.
function checkInput(key, phase, item, event, say) {
  if (phase === 'input-delta') {
    if (item.inputs) say(`${key} has an input-delta after its input-end`);
    item.pieces.push(event.delta);
  } else {
    item.inputs += 1;
    const joined = parsed(item.pieces.join(''));
    // The program fills in what the model left out, where the tool has a usual value for it.
    const asked = Object.entries(joined?.value ?? {});
    if (asked.some(([name, value]) => JSON.stringify(event.input?.[name]) !== JSON.stringify(value)))
      say(`the input of ${key} is ${show(event.input)}, its deltas make ${show(joined.value)}`);
  }
}

function checkPairs(events, say) {
  const items = new Map();
  for (const event of events) {
    const [, family, phase] = shape.exec(event.type) ?? [];
    if (!family) continue;
    const identifier = event[identifiers[family]];
    if (identifier === undefined) {
      say(`${event.type} has no ${identifiers[family]}`);
      continue;
    }
    const key = `${family} ${identifier}`;
    const item = items.get(key);
    if (phase === 'start') {
      if (item) say(`${key} starts twice`);
      items.set(key, { open: true, deltas: [], pieces: [], inputs: 0 });
    } else if (!item?.open) say(`${event.type} of ${key}, which is not open`);
    else if (phase === 'delta') item.deltas.push(event.delta);
    else if (phase.startsWith('input-')) checkInput(key, phase, item, event, say);
    else if (phase === 'end') {
      item.open = false;
      checkEnd(key, family, item, event, say);
    }
  }
  for (const [key, item] of items) if (item.open) say(`${key} never ends`);
}

export function checkPromises(story, events, say) {
  checkFrame(events, story, say);
  checkPairs(events, say);
}
