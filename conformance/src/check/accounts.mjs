// Tokens and money: every figure from the program's own count of what was served in this process.
import { sameAmount, show } from './values.mjs';

export const fields = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'];
export const nothing = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, cost: 0 };

// The caches are part of the input here, and beside it on the wire.
const plus = (sum, input, output, read, write, cost) => ({
  inputTokens: sum.inputTokens + input + read + write,
  outputTokens: sum.outputTokens + output,
  cacheReadTokens: sum.cacheReadTokens + read,
  cacheWriteTokens: sum.cacheWriteTokens + write,
  cost: sum.cost + cost,
});
const plusModel = (sum, model) =>
  plus(
    sum,
    model.inputTokens,
    model.outputTokens,
    model.cacheReadInputTokens,
    model.cacheCreationInputTokens,
    model.costUSD,
  );
const plusMessage = (sum, usage) =>
  plus(
    sum,
    usage.input_tokens ?? 0,
    usage.output_tokens ?? 0,
    usage.cache_read_input_tokens ?? 0,
    usage.cache_creation_input_tokens ?? 0,
    0,
  );

export const ofResult = (result) =>
  Object.values(result.model_usage_since_last_result ?? {}).reduce(plusModel, nothing);
export const sameCounts = (usage, sum) => fields.every((field) => (usage?.[field] ?? 0) === sum[field]);
const add = (left, right) => Object.fromEntries(Object.keys(nothing).map((key) => [key, left[key] + right[key]]));

/** What the lines themselves show of calls, each once: their first usage line is a lower bound. */
function shown(lines) {
  const messages = new Map();
  for (const line of lines) {
    const message = line.type === 'assistant' ? line.message : line.event?.message;
    if (message?.usage && message.model !== '<synthetic>' && !messages.has(message.id))
      messages.set(message.id, message.usage);
  }
  return [...messages.values()].reduce(plusMessage, nothing);
}

/** Everything the stand-in served, with what began and was cut. */
const served = ({ tokens_served_total: total, incomplete_calls: cut = [] }) =>
  cut.reduce((sum, call) => plusMessage(sum, call.usage_in_message_start), plusMessage(nothing, total));

function checkModels(story, summary, say) {
  const sums = new Map();
  for (const result of story.results)
    for (const [model, usage] of Object.entries(result.model_usage_since_last_result ?? {}))
      sums.set(model, plusModel(sums.get(model) ?? nothing, usage));
  for (const [model, sum] of sums) {
    const have = summary.models[model];
    if (!sameCounts(have, sum) || !sameAmount(have?.costUsd, sum.cost))
      say(`model ${model} is ${show(have)}, not ${show(sum)}`);
  }
  for (const [model, have] of Object.entries(summary.models))
    if (!sums.has(model) && !sameCounts(have, nothing)) say(`model ${model} was never told of`);
}

function checkReconciled(story, summary, say) {
  const { expected, results } = story;
  const sum = results.map(ofResult).reduce(add, nothing);
  for (const field of fields)
    if ((summary.usage[field] ?? 0) !== sum[field]) say(`usage.${field} is ${summary.usage[field]}, not ${sum[field]}`);
  if (!sameAmount(summary.costUsd, sum.cost)) say(`cost is ${summary.costUsd}, not ${sum.cost}`);
  if (summary.usage.state !== 'reconciled' || summary.costState !== 'reconciled')
    say(`usage is ${summary.usage.state} and cost ${summary.costState}, not reconciled`);
  checkModels(story, summary, say);
  // The result's own usage lacks calls now and then (zero after a budget stop): then the record of the stand-in is right.
  const told = results.map((result) => plusMessage(nothing, result.usage)).reduce(add, nothing);
  const main = plusMessage(nothing, expected.tokens_served_by_lane.main ?? {});
  if (!sameCounts(summary.mainUsage, told) && !sameCounts(summary.mainUsage, main))
    say(`main usage is ${show(summary.mainUsage)}, not ${show(told)}`);
}

function checkBounds(story, summary, say) {
  const { expected, lines, results } = story;
  const ended = results.map(ofResult).reduce(add, nothing);
  const after = lines.slice(lines.findLastIndex((line) => line.type === 'result') + 1);
  const least = add(ended, shown(after));
  const most = served(expected);
  for (const field of fields) {
    const have = summary.usage[field] ?? 0;
    if (have < least[field] || have > most[field])
      say(`usage.${field} is ${have}, not from ${least[field]} to ${most[field]}`);
  }
  if ((summary.costUsd ?? 0) < ended.cost - 1e-9) say(`cost is ${summary.costUsd}, less than ${ended.cost}`);
  const told = results.map((result) => plusMessage(nothing, result.usage)).reduce(add, nothing);
  for (const field of fields) {
    const have = summary.mainUsage[field] ?? 0;
    if (have < told[field] || have > (summary.usage[field] ?? 0))
      say(`main usage.${field} is ${have}, not from ${told[field]} to ${summary.usage[field]}`);
  }
  if (lines.length && summary.usage.state === 'reconciled')
    say('usage is reconciled although the last turn never ended');
}

export function checkAccounts(story, summary, say) {
  if (story.results.length && !story.open) checkReconciled(story, summary, say);
  else checkBounds(story, summary, say);
}
