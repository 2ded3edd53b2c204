// The events tell what the stream told, nothing lost and nothing twice; and the summary tells what the events told.
import { fields, ofResult, sameCounts } from './accounts.mjs';
import { countEach, sameAmount, show } from './values.mjs';

const codeOfSubtype = {
  error_max_turns: ['max_turns'],
  error_max_budget_usd: ['max_budget'],
  error_max_structured_output_retries: ['structured_output'],
};
// The API calls a 403 a matter of permission, the program one of authentication.
const codeOfStatus = {
  400: ['invalid_request'],
  401: ['authentication'],
  403: ['authentication', 'permission'],
  404: ['model_not_found'],
  429: ['rate_limit'],
  500: ['server'],
  529: ['overloaded'],
};
// The program calls a refusal an invalid request.
const codeOfWord = { invalid_request: ['invalid_request', 'content_filter'], server_error: ['server'] };

/** The codes that fit a failed turn. Without a status, the word in the program's own message of that turn tells. */
function codesOf(result, { lines }) {
  const at = lines.indexOf(result);
  const before = lines.slice(0, at).findLastIndex((line) => line.type === 'result');
  const told = lines.slice(before + 1, at).findLast((line) => line.type === 'assistant' && line.error);
  return (
    codeOfSubtype[result.subtype] ??
    codeOfStatus[result.api_error_status] ??
    (result.api_error_status ? undefined : codeOfWord[told?.error])
  );
}

function checkTurns(story, of, say) {
  const ends = of('turn-end').filter((event) => !event.synthetic);
  if (ends.length !== story.results.length) {
    say(`${ends.length} turns end, not ${story.results.length}`);
    return;
  }
  for (const [index, result] of story.results.entries()) {
    const end = ends[index];
    const label = `the end of turn ${index + 1}`;
    if ((end.outcome === 'success') !== !result.is_error) say(`${label} says ${end.outcome}`);
    const codes = codesOf(result, story);
    if (result.is_error && codes && !codes.includes(end.error?.code))
      say(`${label} has the code ${end.error?.code}, not ${codes.join(' or ')}`);
    const spent = ofResult(result);
    if (!sameCounts(end.usage, spent)) say(`${label} has the usage ${show(end.usage)}, not ${show(spent)}`);
    if (!sameAmount(end.cost?.amount, spent.cost)) say(`${label} costs ${end.cost?.amount}, not ${spent.cost}`);
  }
}

const textOf = (block) => block.text ?? block.thinking ?? '';

// Each text of the model comes once, in its thread. What was streamed and then dropped may be there too, and so may
// what the program said itself in the model's place.
function checkTexts(story, events, of, say) {
  const calls = new Map(of('task-start').map((event) => [event.taskId, event.toolCallId]));
  for (const [ending, type] of [
    ['text-end', 'text'],
    ['reasoning-end', 'thinking'],
  ]) {
    const key = (text, thread) => JSON.stringify([thread ?? null, text]);
    const blocks = story.printed.filter((block) => block.type === type && textOf(block));
    const wanted = countEach(
      blocks.filter((block) => !block.synthetic).map((block) => key(textOf(block), block.thread)),
    );
    const dropped = story.streamed.filter(
      (block) =>
        block.type === type &&
        !blocks.some((whole) => whole.messageId === block.messageId && textOf(whole) === textOf(block)),
    );
    const allowed = countEach(
      [...dropped, ...blocks.filter((block) => block.synthetic)].map((block) => key(textOf(block), block.thread)),
    );
    const have = countEach(
      events
        .filter((event) => event.type === ending && event.text)
        .map((event) => key(event.text, calls.get(event.subagentId))),
    );
    for (const text of new Set([...wanted.keys(), ...have.keys()])) {
      const least = wanted.get(text) ?? 0;
      const number = have.get(text) ?? 0;
      if (number < least || number > least + (allowed.get(text) ?? 0))
        say(`${number} times ${ending} of ${show(text)}, not ${least}`);
    }
  }
}

/** What went into each call, as the whole message has it. An id that comes again is made unique at its end. */
function checkInputs(story, of, say) {
  const inputs = of('tool-call-input-end').map((event) => [event.toolCallId, JSON.stringify(event.input)]);
  for (const block of story.printed) {
    if (block.type !== 'tool_use') continue;
    const input = JSON.stringify(block.input);
    if (!inputs.some(([identifier, have]) => identifier.startsWith(block.id) && have === input))
      say(`the input of call ${block.name} ${block.id} is not ${show(block.input)}`);
  }
}

function checkNothingLost(story, events, of, say) {
  const told = events.filter((event) => !/^(turn|session)-end$/.test(event.type)).map((event) => JSON.stringify(event));
  for (const block of story.printed)
    if (block.synthetic && block.type === 'text' && !told.some((event) => event.includes(JSON.stringify(block.text))))
      say(`what the program said itself is lost: ${show(block.text)}`);
  const cut = of('raw').filter((event) => event.reason === 'cut_off').length;
  if (cut !== Number(story.cutOff)) say(`${cut} raw events of a cut line, not ${Number(story.cutOff)}`);
  if (story.meta.covers.includes('unknown block') && !of('raw').some((event) => event.reason === 'unknown_block'))
    say('the unknown block is lost');
  const dropped = story.lines.filter((line) => line.abandoned_blocks).length;
  if (of('message-retract').length < dropped) say(`${of('message-retract').length} retracts, not ${dropped}`);
  const compacted = of('compaction-end').filter((event) => event.outcome === 'success').length;
  const boundaries = story.system('compact_boundary').length;
  if (compacted !== boundaries) say(`${compacted} compactions end well, not ${boundaries}`);
  const retries = story.system('api_retry').length;
  if (of('retry-start').length !== retries) say(`${of('retry-start').length} retries start, not ${retries}`);
}

function checkSummary(summary, events, of, say) {
  const end = events.at(-1);
  const wanted = summary.outcome === 'incomplete' ? 'unknown' : summary.outcome;
  if (end.outcome !== wanted) say(`session-end says ${end.outcome}, the summary ${summary.outcome}`);
  for (const field of fields)
    if ((end.usage?.[field] ?? 0) !== (summary.usage[field] ?? 0))
      say(`session-end has ${field} ${end.usage?.[field]}, the summary ${summary.usage[field]}`);
  if (!sameAmount(end.cost?.amount, summary.costUsd))
    say(`session-end costs ${end.cost?.amount}, the summary ${summary.costUsd}`);
  const calls = new Map(of('tool-call-start').map((event) => [event.toolCallId, event]));
  const ended = of('tool-call-end').map(
    (event) => `${event.toolCallId} ${event.toolName} ${calls.get(event.toolCallId)?.kind} ${event.outcome}`,
  );
  const listed = summary.toolCalls.map((call) => `${call.id} ${call.name} ${call.kind} ${call.outcome}`);
  for (const call of ended) if (!listed.includes(call)) say(`the events have the call ${call}, the summary has not`);
  for (const call of listed) if (!ended.includes(call)) say(`the summary has the call ${call}, the events have not`);
  const entries = (list) => JSON.stringify((list ?? []).map((entry) => [entry.content, entry.status]));
  const last = of('todo-update').at(-1);
  if (entries(last?.entries) !== entries(summary.todos))
    say(`the events have the todos ${entries(last?.entries)}, the summary ${entries(summary.todos)}`);
}

export function checkAgreement(story, summary, events, say) {
  const of = (type) => events.filter((event) => event.type === type);
  checkTurns(story, of, say);
  checkTexts(story, events, of, say);
  checkInputs(story, of, say);
  checkNothingLost(story, events, of, say);
  checkSummary(summary, events, of, say);
}
