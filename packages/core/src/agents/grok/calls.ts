// Calls as ACP tells them: announced, updated, and at last completed or failed.

import type { FileChange, Location, Outcome } from '../../event/event.ts';
import { asCount, asList, asNumber, asObject, asText, type Json, type Loose } from '../../event/json.ts';
import { partsOf, textIn } from '../content.ts';
import type { Narrator, OpenCall } from '../narrator/narrator.ts';
import { locationsOf, type Output, pathIn, readOutput, titleOf, traitsOf } from './tools.ts';
import type { GrokContent, GrokLine, GrokOutput } from './wire.ts';

export function startCall(narrator: Narrator, line: Loose<GrokLine>): void {
  const name = asText(line.toolName) ?? asText(line.title) ?? 'unknown';
  const id = asText(line.toolCallId) ?? `call-${narrator.out.line}`;
  const input = line.rawInput ?? {};
  // The title is often nothing but the name.
  const title = titleOf(input) ?? (line.title === name ? undefined : asText(line.title));
  const traits = traitsOf(name, line.kind);
  const call = narrator.startCall({ id, name, traits, title });
  narrator.endInput(id, input, { locations: locationsOf(input) });
  if (isSpawn(call)) narrator.startTask({ id, kind: 'agent', toolCallId: call.id, ...briefOf(input) });
}

export function updateCall(narrator: Narrator, line: Loose<GrokLine>): void {
  const { toolCallId: id, status } = line;
  const call = narrator.openCall(id);
  if (!call) return narrator.keep(line);
  if (status === 'in_progress') {
    const output = readOutput(line.rawOutput);
    const outputSnapshot = textIn(output.content) || textOf(line.content);
    narrator.updateCall(id, { status, outputSnapshot: outputSnapshot || undefined });
    return;
  }
  if (typeof status === 'string' && status !== 'pending') return endCall(narrator, call, line, status);
  // What it is about; any text here describes the call and is no output.
  const locations = toldLocations(line.locations);
  const known = locationsOf(call.input)?.[0]?.path;
  if (locations.some(({ path }) => path !== known)) narrator.updateCall(id, { locations });
}

function endCall(narrator: Narrator, call: OpenCall, line: Loose<GrokLine>, status: string): void {
  const output = readOutput(line.rawOutput);
  const told = asObject<GrokOutput>(line.rawOutput);
  const isTimedOut = told?.timed_out === true;
  const outcome = isTimedOut ? 'error' : outcomeOf(status, output.exitCode);
  const contents = asList(line.content).map((value) => asObject<GrokContent>(value));
  const shown = contents.filter((content) => content && content.type !== 'diff' && content.type !== 'terminal');
  narrator.endCall(line.toolCallId, {
    outcome,
    content: shown.length > 0 ? partsOf(shown) : output.content,
    output: output.value,
    exitCode: output.exitCode,
    error: isTimedOut ? { code: 'timeout', message: 'the command took too long' } : undefined,
    nativeStatus: status,
  });
  endTask(narrator, call, line.toolCallId, outcome, output, told);
  if (outcome !== 'success') return;
  const changes = changesOf(call, contents, told);
  if (changes.length > 0) narrator.out.write({ type: 'file-change', toolCallId: call.id, changes, outcome });
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

/** A sub-agent's own work is not printed. One that was sent to the background is not over with the call. */
function endTask(
  narrator: Narrator,
  call: OpenCall,
  id: Json,
  outcome: Outcome,
  output: Output,
  told: Loose<GrokOutput> | undefined,
): void {
  if (!isSpawn(call) || typeof id !== 'string') return;
  if (told?.type === 'BackgroundTaskStarted') narrator.updateTask(id, { background: true });
  else
    narrator.endTask(id, {
      outcome,
      result: textIn(output.content) || undefined,
      toolUses: asCount(told?.tool_calls),
      durationMs: asNumber(told?.duration_ms),
    });
}

const isSpawn = ({ name }: OpenCall): boolean => name === 'spawn_subagent' || name === 'task';

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
    const { oldText, newText } = content;
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
