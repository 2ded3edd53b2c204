// What the lines of Claude Code's session files tell about the bill: answers with their final usage, told again with each block,
// and one total for each process, which goes on over resumes and forks.

import { asList, asNumber, asObject, asText, type Json, type Loose } from '../../event/json.ts';
import { asAmount, costStateOf, usageOf } from '../dialects/claude/usage.ts';
import type { TranscriptLine, WireBlock, WireMessage } from '../dialects/claude/wire.ts';
import { timeOf } from '../time.ts';
import type { TranscriptUsage, UsageSighting } from '../transcript-usage.ts';
import { readStatus } from './statusline.ts';

/** The model name on lines that the CLI made itself. */
const SYNTHETIC = '<synthetic>';

export const usageLines: TranscriptUsage = {
  // `"input_tokens":` and `"type":"cost-state"`; in a text within a line the quotation mark has a backslash before it.
  marks: { answer: '_tokens', total: '-state"' },
  bulk: { begin: ',"content":[', end: '],"stop_reason":' },
  read(value) {
    const line = asObject<TranscriptLine>(value);
    if (line?.type === 'assistant') return answerOf(line);
    return line?.type === 'cost-state' ? totalOf(line) : undefined;
  },
  timeOf(value) {
    const line = asObject<TranscriptLine>(value);
    const isTimed = line?.type === 'assistant' || (line?.type === 'user' && hasResult(line));
    return isTimed ? timeOf(line?.timestamp) : undefined;
  },
  readStatus,
};

function answerOf(line: Loose<TranscriptLine>): UsageSighting | undefined {
  const message = asObject<WireMessage>(line.message);
  if (!message || message.model === SYNTHETIC) return undefined;
  const usage = usageOf(message.usage);
  const id = asText(message.id) ?? asText(line.uuid);
  if (!usage || id === undefined) return undefined;
  return {
    kind: 'answer',
    id,
    sessionId: asText(line.sessionId),
    cwd: asText(line.cwd),
    time: timeOf(line.timestamp),
    model: asText(message.model),
    subagentId: line.isSidechain === true ? (asText(line.agentId) ?? 'sidechain') : undefined,
    usage,
    costUsd: asAmount(line.costUSD),
  };
}

function totalOf(line: Loose<TranscriptLine>): UsageSighting | undefined {
  const told = costStateOf(line);
  if (!told) return undefined;
  const { usage, models, cost } = told;
  const since = asNumber(line.startTime);
  return { kind: 'total', sessionId: asText(line.sessionId), since, usage, models, costUsd: cost?.amount };
}

function hasResult(line: Loose<TranscriptLine>): boolean {
  const content = asList(asObject<WireMessage>(line.message)?.content);
  return content.some((block: Json) => asObject<WireBlock>(block)?.type === 'tool_result');
}
