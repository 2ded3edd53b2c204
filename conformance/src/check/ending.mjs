// Who ran, how it ended and what it said last.
import { sameText, show } from './values.mjs';

const aborted = (result) => /^aborted_/.test(result.terminal_reason ?? '');

// The error flag comes before the subtype: a failed call of the API is printed as `success` with the flag set.
function outcomes({ open, results }) {
  const last = results.at(-1);
  if (open || !last) return ['incomplete', 'cancelled'];
  if (!last.is_error) return ['success'];
  return [aborted(last) ? 'cancelled' : 'error'];
}

const limits = { error_max_turns: 'max_turn_requests', error_max_budget_usd: 'max_budget' };
const plainReasons = ['end_turn', 'tool_use', 'max_tokens', 'stop_sequence', 'refusal'];

function stopReason({ open, results }) {
  const last = results.at(-1);
  if (open || !last) return undefined;
  if (aborted(last)) return 'cancelled';
  if (limits[last.subtype]) return limits[last.subtype];
  if (last.stop_reason === 'refusal') return 'refusal';
  if (last.terminal_reason === 'prompt_too_long') return 'context_full';
  if (last.is_error) return 'error';
  return plainReasons.includes(last.stop_reason) ? last.stop_reason : undefined;
}

function checkText(story, summary, say) {
  const { expected, open, printed, streamed, results } = story;
  const last = results.at(-1);
  const { text } = summary;
  if (last && !last.is_error && !open && expected.final_text !== null) {
    if (!sameText(text, expected.final_text)) say(`text is ${show(text)}, not ${show(expected.final_text)}`);
    return;
  }
  if (text === null) return;
  const cut = streamed.at(-1);
  if (open && cut?.type === 'text' && !cut.whole) say(`text is ${show(text)} although the last one was cut off`);
  // A command of the program itself has no text of a model: what it printed stands in the result and in a made-up message.
  const command = last && !last.is_error && last.local_command !== undefined;
  const written = printed.filter((block) => block.type === 'text' && !block.thread && (command || !block.synthetic));
  const possible = [...written.map((block) => block.text), ...(last && !last.is_error ? [last.result] : [])];
  if (!possible.includes(text)) say(`text is ${show(text)}, which the main thread never said`);
}

export function checkEnding(story, summary, say) {
  const { expected, meta, inits, results, lines } = story;
  if (lines.length && summary.agent !== 'claude') say(`agent is ${summary.agent}, not claude`);
  if (summary.sessionId !== expected.session_id && lines.length)
    say(`session id is ${summary.sessionId}, not ${expected.session_id}`);
  if (inits.length) {
    if (summary.agentVersion !== meta.cli_version)
      say(`agent version is ${summary.agentVersion}, not ${meta.cli_version}`);
    if (!inits.some((init) => init.model === summary.model)) say(`model is ${summary.model}, not ${inits[0].model}`);
    if (summary.cwd !== inits[0].cwd) say(`folder is ${summary.cwd}, not ${inits[0].cwd}`);
  }
  const wanted = outcomes(story);
  if (!wanted.includes(summary.outcome)) say(`outcome is ${summary.outcome}, not ${wanted.join(' or ')}`);
  const reason = stopReason(story);
  if (reason && summary.stopReason !== reason) say(`stop reason is ${summary.stopReason}, not ${reason}`);
  if (summary.outcome === 'success' && summary.error) say(`a success has the error ${show(summary.error)}`);
  if (summary.outcome === 'error' && !(summary.error?.code && summary.error.message))
    say('an error has no error to show');
  if (summary.turns !== results.length) say(`turns are ${summary.turns}, not ${results.length}`);
  const calls = new Set([
    ...lines
      .filter((line) => line.type === 'assistant' && !line.parent_tool_use_id && line.message.model !== '<synthetic>')
      .map((line) => line.message.id),
    ...lines
      .filter((line) => line.event?.type === 'message_start' && !line.parent_tool_use_id)
      .map((line) => line.event.message.id),
  ]);
  if (summary.steps !== calls.size) say(`steps are ${summary.steps}, not ${calls.size}`);
  const duration = results.reduce((sum, result) => sum + result.duration_ms, 0);
  if (results.length && !story.open && summary.durationMs !== duration)
    say(`duration is ${summary.durationMs} ms, not ${duration}`);
  checkText(story, summary, say);
}
