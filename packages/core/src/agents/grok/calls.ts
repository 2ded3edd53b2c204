// Calls as ACP tells them: announced, updated, and at last completed or failed.

import type { AgentError, FileChange, Location, Outcome } from '../../event/event.ts';
import { asCount, asList, asNumber, asObject, asText, entryOf, type Json, type Loose } from '../../event/json.ts';
import { partsOf, textIn } from '../content.ts';
import type { OpenCall } from '../narrator/calls.ts';
import type { Narrator } from '../narrator/narrator.ts';
import {
  isCreation,
  isSpawn,
  locationsOf,
  mcpTool,
  nameOfSentOff,
  type Output,
  pathIn,
  readOutput,
  refusalIn,
  titleOf,
  traitsOf,
} from './tools.ts';
import {
  addVoice,
  callerOf,
  removeVoice,
  type Voice,
  type Voices,
  endCall as voiceEndCall,
  startCall as voiceStartCall,
} from './voices.ts';
import type { GrokContent, GrokLine, GrokOutput } from './wire.ts';

/** What follows is this one's. */
export function enter(narrator: Narrator, { taskId }: Voice): void {
  if (taskId !== undefined && narrator.isTaskOpen(taskId)) narrator.enterTask(taskId);
}

export function startCall(narrator: Narrator, voices: Voices, line: Loose<GrokLine>): void {
  const name = asText(line.toolName) ?? asText(line.title) ?? 'unknown';
  const id = asText(line.toolCallId) ?? `call-${narrator.out.line}`;
  const input = line.rawInput ?? {};
  enter(narrator, voiceStartCall(voices, id));
  // The title is often nothing but the name.
  const title = titleOf(input) ?? (line.title === name ? undefined : asText(line.title));
  const traits = traitsOf(name, line.kind);
  const call = narrator.startCall({ id, name, traits, title, mcp: mcpTool(name, input) });
  narrator.endInput(id, input, { locations: locationsOf(input) });
  if (!isSpawn(call.name)) return;
  narrator.startTask({ id, kind: 'agent', toolCallId: call.id, ...briefOf(input) });
  addVoice(voices, id);
}

/** The error, when it was refused. */
export function updateCall(narrator: Narrator, voices: Voices, line: Loose<GrokLine>): AgentError | undefined {
  const { toolCallId: id, status } = line;
  const call = narrator.openCall(id);
  if (!call) {
    narrator.keep(line);
    return undefined;
  }
  const caller = callerOf(voices, id);
  if (caller) enter(narrator, caller);
  if (status === 'in_progress') {
    const output = readOutput(line.rawOutput);
    const outputSnapshot = textIn(output.content) || textOf(line.content);
    narrator.updateCall(id, { status, outputSnapshot: outputSnapshot || undefined });
    return undefined;
  }
  if (typeof status === 'string' && status !== 'pending') return endCall(narrator, voices, call, line, status);
  // What it is about; any text here describes the call and is no output.
  const locations = toldLocations(line.locations);
  const known = locationsOf(call.input)?.[0]?.path;
  if (locations.some(({ path }) => path !== known)) narrator.updateCall(id, { locations });
  return undefined;
}

function endCall(
  narrator: Narrator,
  voices: Voices,
  call: OpenCall,
  line: Loose<GrokLine>,
  status: string,
): AgentError | undefined {
  const output = readOutput(line.rawOutput);
  const told = asObject<GrokOutput>(line.rawOutput);
  const isTimedOut = told?.timed_out === true;
  const outcome = isTimedOut ? 'error' : outcomeOf(status, output.exitCode);
  const contents = asList(line.content).map((value) => asObject<GrokContent>(value));
  const shown = contents.filter((content) => content && content.type !== 'diff' && content.type !== 'terminal');
  const content = shown.length > 0 ? partsOf(shown) : output.content;
  const refusal = outcome === 'error' ? refusalIn(textIn(content)) : undefined;
  narrator.endCall(line.toolCallId, {
    outcome,
    content,
    output: output.value,
    exitCode: output.exitCode,
    error: isTimedOut ? { code: 'timeout', message: 'the command took too long' } : refusal?.error,
    nativeStatus: status,
  });
  if (refusal) {
    narrator.resolvePermission(undefined, { toolCallId: call.id, decision: 'denied', by: refusal.by });
  }
  if (typeof line.toolCallId === 'string') {
    voiceEndCall(voices, line.toolCallId);
    endTasks(narrator, voices, call, line.toolCallId, outcome, output, told);
  }
  if (outcome === 'success') tellEffects(narrator, call, contents, told);
  return refusal?.error;
}

function tellEffects(
  narrator: Narrator,
  call: OpenCall,
  contents: readonly (Loose<GrokContent> | undefined)[],
  told: Loose<GrokOutput> | undefined,
): void {
  const changes = changesOf(call, contents, told);
  if (changes.length > 0) {
    narrator.out.write({ type: 'file-change', toolCallId: call.id, changes, outcome: 'success' });
  }
  const plan = asObject<GrokOutput['PlanReady']>(told?.PlanReady);
  if (plan) {
    const [text, path] = [asText(plan.plan_content), asText(plan.plan_file_path)];
    narrator.out.write({ type: 'plan-update', text, path, toolCallId: call.id });
  }
}

/** A command that ends with 3 is completed all the same. */
function outcomeOf(status: string, exitCode: number | undefined): Outcome {
  if (status === 'failed' || (exitCode !== undefined && exitCode !== 0)) return 'error';
  if (status === 'cancelled') return 'cancelled';
  return status === 'completed' ? 'success' : 'unknown';
}

/** A sub-agent is over with the call that waits for it. One that was sent off is over when somebody is told how it did. */
function endTasks(
  narrator: Narrator,
  voices: Voices,
  call: OpenCall,
  id: string,
  outcome: Outcome,
  output: Output,
  told: Loose<GrokOutput> | undefined,
): void {
  if (isSpawn(call.name)) {
    const sentAs = nameOfSentOff(told);
    if (sentAs !== undefined) {
      voices.sentOff.set(sentAs, id);
      narrator.updateTask(id, { background: true });
      return;
    }
    removeVoice(voices, id);
    narrator.endTask(id, {
      outcome,
      result: textIn(output.content) || undefined,
      toolUses: asCount(told?.tool_calls),
      durationMs: asNumber(told?.duration_ms),
    });
    return;
  }
  const result = asObject<GrokOutput['Result']>(told?.Result);
  const taskId = voices.sentOff.get(asText(result?.task_id) ?? '');
  const ended = entryOf(TASK_OUTCOMES, result?.status);
  if (taskId === undefined || ended === undefined) return;
  removeVoice(voices, taskId);
  narrator.endTask(taskId, { outcome: ended, result: asText(result?.output)?.split(NOTES)[0] });
}

/** What follows the words of a sub-agent is for the model. */
const NOTES = '\n\n<subagent_meta>';

const TASK_OUTCOMES: Readonly<Record<string, Outcome>> = {
  completed: 'success',
  failed: 'error',
  cancelled: 'cancelled',
  killed: 'cancelled',
};

interface Brief {
  description: string;
  prompt: string;
  subagent_type: string;
}

function briefOf(input: Json): { name?: string; description?: string; prompt?: string } {
  const told = asObject<Brief>(input);
  const [name, description, prompt] = [told?.subagent_type, told?.description, told?.prompt].map(asText);
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(prompt !== undefined && { prompt }),
  };
}

/** Its diffs; or, when an edit shows none, the file it was about. */
function changesOf(
  call: OpenCall,
  contents: readonly (Loose<GrokContent> | undefined)[],
  told: Loose<GrokOutput> | undefined,
): readonly FileChange[] {
  const diffs = contents.flatMap((content): FileChange[] => {
    const path = asText(content?.path);
    if (content?.type !== 'diff' || path === undefined) return [];
    const { newText } = content;
    // Nothing is told of a file that was not there as of one that was empty.
    const oldText = isCreation(told) ? null : content.oldText;
    return [
      {
        path,
        operation: oldText === null || oldText === undefined ? 'add' : 'modify',
        ...((typeof oldText === 'string' || oldText === null) && { oldText }),
        ...(typeof newText === 'string' && { newText }),
      },
    ];
  });
  if (diffs.length > 0 || traitsOf(call.name).kind !== 'edit') return diffs;
  const path = asText(asObject<GrokOutput['EditsApplied']>(told?.EditsApplied)?.absolute_path) ?? pathIn(call.input);
  return path === undefined ? [] : [{ path, operation: 'modify' }];
}

function toldLocations(value: Json): Location[] {
  return asList(value).flatMap((item) => {
    const { path, line } = asObject<{ path: string; line: number }>(item) ?? {};
    const at = asCount(line);
    return typeof path === 'string' ? [{ path, ...(at !== undefined && { line: at }) }] : [];
  });
}

function textOf(content: Json): string {
  return partsOf(asList(content))
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('');
}
