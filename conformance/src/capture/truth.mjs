// What is true about a run: from the stand-in's own record first, and from the stream only where the stream is the one to say.
import { blocksOf } from '../script/replies.mjs';

const counts = ['input_tokens', 'output_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'];

const sentBlocks = (call) => (call.answer?.kind === 'message' ? blocksOf(call.answer).slice(0, call.blocksSent) : []);

function sum(calls) {
  const total = { api_calls: calls.length };
  for (const field of counts) total[field] = calls.reduce((all, call) => all + call.answer.usage[field], 0);
  return total;
}

function describe(call) {
  const common = {
    seq: call.seq,
    lane: call.lane,
    message_id: call.identifier,
    model: call.model,
    stream: call.stream,
    http_status: call.status,
    completed: call.completed,
  };
  if (call.answer?.kind !== 'message') return { ...common, stop_reason: null, usage: null, tool_use_ids: [] };
  const blocks = blocksOf(call.answer).map((item) => item.block);
  const thoughts = blocks.filter((block) => block.type === 'thinking').map((block) => block.thinking);
  return {
    ...common,
    stop_reason: call.answer.stop,
    usage: call.answer.usage,
    output_tokens_in_message_start: call.stream ? call.answer.startOutput : call.answer.usage.output_tokens,
    block_types: blocks.map((block) => block.type),
    text: blocks.filter((block) => block.type === 'text').map((block) => block.text),
    ...(thoughts.length && { thinking: thoughts }),
    tool_use_ids: blocks.filter((block) => block.type === 'tool_use').map((block) => block.id),
  };
}

const promptLane = (input) => /^(AGENT-[A-Z0-9]+):/.exec(input?.prompt ?? '')?.[1];

function toolCalls(calls, lines) {
  const spawnedBy = new Map();
  const seen = new Map();
  for (const line of lines) {
    if (line.type !== 'user' || !Array.isArray(line.message?.content)) continue;
    for (const block of line.message.content)
      if (block.type === 'tool_result')
        seen.set(block.tool_use_id, [...(seen.get(block.tool_use_id) ?? []), block.is_error === true]);
  }
  const made = [];
  for (const call of calls) {
    for (const { block, success } of sentBlocks(call)) {
      if (block.type !== 'tool_use') continue;
      if (block.name === 'Agent') spawnedBy.set(promptLane(block.input), block.id);
      made.push({ id: block.id, name: block.name, lane: call.lane, api_call: call.seq, input: block.input, success });
    }
  }
  return made.map(({ id, name, lane, api_call, input, success }) => {
    const results = seen.get(id) ?? [];
    const failed = results.shift();
    return {
      id,
      name,
      lane,
      parent_tool_use_id: spawnedBy.get(lane) ?? null,
      api_call,
      input,
      success,
      result_seen_in_stream: failed !== undefined,
      ...(failed !== undefined && { failed }),
    };
  });
}

function subagents(calls, tools) {
  const list = [];
  const depthOf = (lane) => list.find((entry) => entry.lane === lane)?.depth ?? 0;
  for (const tool of tools) {
    if (tool.name !== 'Agent') continue;
    const lane = promptLane(tool.input);
    const own = calls.filter((call) => call.lane === lane).length;
    if (lane && own)
      list.push({
        lane,
        spawned_by_tool_use_id: tool.id,
        parent_lane: tool.lane,
        depth: depthOf(tool.lane) + 1,
        api_calls: own,
      });
  }
  return list;
}

function finalText(calls, lines) {
  const last = calls
    .filter(
      (call) =>
        call.lane === 'main' && call.completed && !sentBlocks(call).some(({ block }) => block.type === 'tool_use'),
    )
    .flatMap((call) =>
      sentBlocks(call)
        .filter(({ block }) => block.type === 'text' && block.text.trim())
        .map(({ block }) => block.text),
    )
    .at(-1);
  if (last === undefined) return { final_text: null };
  const printed = lines.some(
    (line) =>
      line.type === 'assistant' &&
      !line.parent_tool_use_id &&
      line.message.content.some((block) => block.type === 'text' && block.text === last),
  );
  return printed ? { final_text: last } : { final_text: null, final_text_served_but_not_printed: last };
}

function terminal(run, results) {
  const last = results.at(-1);
  const state = last ? (last.is_error ? 'error' : 'success') : run.signal ? 'killed' : 'no_result';
  return {
    state,
    result_lines: results.length,
    subtype: last?.subtype ?? null,
    is_error: last?.is_error ?? null,
    terminal_reason: last?.terminal_reason ?? null,
    stop_reason: last?.stop_reason ?? null,
    api_error_status: last?.api_error_status ?? null,
    last_line_complete: run.stdout.length === 0 || run.stdout.at(-1) === 10,
  };
}

function tally(items) {
  const found = {};
  for (const item of items) found[item] = (found[item] ?? 0) + 1;
  return found;
}

export function truthOf(run, calls) {
  const { lines } = run;
  const results = lines.filter((line) => line.type === 'result');
  const whole = calls.filter((call) => call.completed);
  const broken = calls.filter((call) => call.answer?.kind === 'message' && !call.completed);
  const tools = toolCalls(calls, lines);
  const lanes = [...new Set(whole.map((call) => call.lane))];
  return {
    session_id:
      lines.findLast((line) => line.session_id && (line.type === 'result' || line.subtype === 'init'))?.session_id ??
      null,
    ...finalText(calls, lines),
    terminal: terminal(run, results),
    tool_calls: tools.map(({ failed, ...rest }) => rest),
    subagents: subagents(calls, tools),
    api_calls: calls.map(describe),
    tokens_served_total: sum(whole),
    tokens_served_by_lane: Object.fromEntries(
      lanes.map((lane) => [lane, sum(whole.filter((call) => call.lane === lane))]),
    ),
    ...(broken.length && {
      incomplete_calls: broken.map((call) => ({
        seq: call.seq,
        lane: call.lane,
        message_id: call.identifier,
        usage_in_message_start: { ...call.answer.usage, output_tokens: call.answer.startOutput },
      })),
    }),
    num_turns_per_result: results.map((result) => result.num_turns),
    total_cost_usd: results.at(-1)?.total_cost_usd ?? null,
    permission_denials: results.at(-1)?.permission_denials ?? null,
    line_count: lines.length,
    line_types: tally(lines.map((line) => (line.subtype ? `${line.type}/${line.subtype}` : line.type))),
    // Not part of the ground truth: where the script and the stream disagree about a tool.
    contradictions: tools
      .filter((tool) => tool.failed !== undefined && tool.success !== null && tool.success === tool.failed)
      .map((tool) => `${tool.name} was to ${tool.success ? 'succeed' : 'fail'}`),
  };
}
