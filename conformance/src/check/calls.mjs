// Each tool call and each sub-agent, against the record of the stand-in and against what the stream tells.
import { show } from './values.mjs';

const kinds = {
  Read: 'read',
  Write: 'edit',
  Edit: 'edit',
  NotebookEdit: 'edit',
  Glob: 'search',
  Grep: 'search',
  ToolSearch: 'search',
  Bash: 'execute',
  TaskStop: 'execute',
  WebFetch: 'fetch',
  web_search: 'fetch',
  web_fetch: 'fetch',
  Agent: 'think',
  TodoWrite: 'think',
  TaskCreate: 'think',
  TaskUpdate: 'think',
  TaskList: 'think',
  TaskGet: 'think',
  EnterPlanMode: 'switch_mode',
  ExitPlanMode: 'switch_mode',
  AskUserQuestion: 'other',
  Skill: 'other',
};

/** Whether the host was asked about the call, and the question was not called off: then it refused, and stopped the run at once. */
function isRefused(call, { lines }) {
  const asked = lines.find((line) => line.type === 'control_request' && line.request?.tool_use_id === call.id);
  const isOff = lines.some((line) => line.type === 'control_cancel_request' && line.request_id === asked?.request_id);
  return asked !== undefined && !isOff;
}

function outcomes(call, result, story) {
  if (!result) return ['unknown', 'cancelled'];
  if (result.about?.non_execution_kind === 'user-rejected' && isRefused(call, story)) return ['denied'];
  // Interrupted before it ran: nobody decided about it, although the result lists it among the denials.
  if (result.about?.non_execution_kind && !result.about.permission_decision) return ['cancelled'];
  if (story.deniedIds.has(call.id)) return ['denied'];
  return [result.failed ? 'error' : 'success'];
}

/** Takes the first item that fits out of a list. */
function take(list, fits) {
  const at = list.findIndex(fits);
  return at < 0 ? undefined : list.splice(at, 1)[0];
}

// A model may use an id again; the command then makes the later one unique and keeps the beginning.
const takeCall = (left, id, thread) =>
  take(left, (call) => call.id === id && (call.parentId ?? null) === thread) ??
  take(left, (call) => call.id === id) ??
  take(left, (call) => call.id.startsWith(id));

function checkCall(call, summary, left, results, story, say) {
  const label = `call ${call.name} ${call.id}`;
  const have = takeCall(left, call.id, call.parent_tool_use_id);
  if (!have) {
    say(`${label} is missing`);
    return;
  }
  const result = take(results, (item) => item.id === call.id && item.thread === call.parent_tool_use_id);
  const wanted = outcomes(call, result, story);
  if (!wanted.includes(have.outcome)) say(`${label} is ${have.outcome}, not ${wanted.join(' or ')}`);
  if (result && call.success !== null && call.success !== !result.failed)
    say(`${label}: the ground truth contradicts the stream`);
  if (have.name !== call.name) say(`${label} has the name ${have.name}`);
  const kind = call.name.startsWith('mcp__') ? 'other' : kinds[call.name];
  if (kind && have.kind !== kind) say(`${label} has the kind ${have.kind}, not ${kind}`);
  if ((have.parentId ?? null) !== call.parent_tool_use_id)
    say(`${label} has the parent ${have.parentId}, not ${call.parent_tool_use_id}`);
  const agent = summary.subagents.find((item) => item.toolCallId === call.parent_tool_use_id);
  if ((have.subagentId ?? null) !== (agent?.id ?? null))
    say(`${label} belongs to the sub-agent ${have.subagentId}, not ${agent?.id}`);
}

const isServerCall = (block) => ['server_tool_use', 'mcp_tool_use'].includes(block.type);

// The API runs these itself, and the result is a block of the same answer. An error there has no flag but its own type.
function checkServerCall(block, left, story, say) {
  const have = takeCall(left, block.id, block.thread);
  const result = story.printed.find((item) => item.tool_use_id === block.id);
  const failed = result && (result.is_error === true || /_error$/.test(result.content?.type ?? ''));
  const wanted = !result ? ['unknown', 'cancelled'] : [failed ? 'error' : 'success'];
  if (!have?.name.includes(block.name)) say(`server call ${block.name} ${block.id} is ${show(have)}`);
  else if (!wanted.includes(have.outcome))
    say(`server call ${block.name} ${block.id} is ${have.outcome}, not ${wanted.join(' or ')}`);
}

function checkToolCalls(story, summary, say) {
  const left = [...summary.toolCalls];
  const results = [...story.toolResults];
  const uses = story.blocks.filter((block) => block.type === 'tool_use');
  const seen = new Set(uses.map((block) => block.id));
  for (const call of story.expected.tool_calls)
    if (seen.has(call.id)) checkCall(call, summary, left, results, story, say);
  for (const block of story.printed.filter(isServerCall)) checkServerCall(block, left, story, say);
  for (const call of left) {
    // The stand-in does not count a call that it broke off; a reader of partial messages has seen it begin all the same.
    const begun = story.streamed.some((block) => block.id === call.id && !block.whole);
    if (!begun) say(`call ${call.name} ${call.id} was never made`);
    else if (call.outcome === 'success') say(`call ${call.name} ${call.id} was broken off and is ${call.outcome}`);
  }
}

const taskOutcomes = { completed: 'success', failed: 'error', stopped: 'cancelled', killed: 'cancelled' };

// The call of an agent in the background succeeds with the launch: only its task tells how it ended.
function agentOutcomes(identifier, story) {
  const ended = story.system('task_notification').findLast((line) => line.tool_use_id === identifier);
  if (ended) return [taskOutcomes[ended.status]];
  const result = story.toolResults.find((item) => item.id === identifier);
  if (!result || result.output?.status === 'async_launched') return ['unknown', 'cancelled'];
  return [result.failed ? 'error' : 'success'];
}

function checkSubagents(story, summary, say) {
  const { expected, blocks, system } = story;
  const left = [...summary.subagents];
  for (const { spawned_by_tool_use_id: identifier, lane } of expected.subagents) {
    if (!blocks.some((block) => block.id === identifier)) continue;
    const have = take(left, (agent) => agent.toolCallId === identifier);
    if (!have) {
      say(`sub-agent ${lane} is missing`);
      continue;
    }
    const call = expected.tool_calls.find((item) => item.id === identifier);
    if ((have.parentId ?? null) !== call.parent_tool_use_id)
      say(`sub-agent ${lane} has the parent ${have.parentId}, not ${call.parent_tool_use_id}`);
    const wanted = agentOutcomes(identifier, story);
    if (!wanted.includes(have.outcome)) say(`sub-agent ${lane} is ${have.outcome}, not ${wanted.join(' or ')}`);
    if (call.success !== null && call.success !== (have.outcome === 'success'))
      say(`sub-agent ${lane} is ${have.outcome}, but its call was to ${call.success ? 'succeed' : 'fail'}`);
    const started = system('task_started').find((line) => line.tool_use_id === identifier);
    if (started && have.id !== started.task_id) say(`sub-agent ${lane} has the id ${have.id}, not ${started.task_id}`);
  }
  for (const agent of left) say(`sub-agent ${agent.id} was never started`);
}

export function checkCalls(story, summary, say) {
  checkToolCalls(story, summary, say);
  checkSubagents(story, summary, say);
}
