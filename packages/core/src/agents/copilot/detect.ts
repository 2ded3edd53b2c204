// How sure we are that a message is Copilot's: its events have an envelope of their own, its last line names its accounting.

import { asNumber, asObject, asText, type Json } from '../../event/json.ts';
import { isKnown } from './translate.ts';
import type { CopilotLine } from './wire.ts';

interface Tells extends CopilotLine {
  usage: { premiumRequests: number; codeChanges: Json };
}

export function detect(messages: readonly Json[]): number {
  return messages.reduce<number>((most, message) => Math.max(most, sureness(message)), 0);
}

function sureness(message: Json): number {
  const line = asObject<Tells>(message);
  const type = asText(line?.type);
  if (!line || type === undefined) return 0;
  if (type === 'result') {
    const usage = asObject<Tells['usage']>(line.usage);
    const isOwn = usage?.premiumRequests !== undefined || usage?.codeChanges !== undefined;
    return isOwn && asNumber(line.exitCode) !== undefined ? 0.9 : 0;
  }
  if (!asObject(line.data)) return 0;
  const isWhole = asText(line.id) !== undefined && asText(line.timestamp) !== undefined && line.parentId !== undefined;
  if (isKnown(type)) return isWhole ? 0.9 : 0.4;
  return isWhole ? 0.6 : 0;
}
