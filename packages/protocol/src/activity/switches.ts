// Which activity messages a subscription wants.

import type { ActivitySwitches } from '../socket/client-message.ts';
import type { ActivityMessage } from './messages.ts';

const SWITCHES = {
  agent_tool_call: 'includeToolCalls',
  agent_tool_result: 'includeToolResults',
  agent_output: 'includeOutput',
  file_changed: 'includeFileChanges',
  progress_update: 'includeProgress',
} as const satisfies Record<ActivityMessage['type'], keyof ActivitySwitches>;

/** Each kind is wanted unless it was switched off. */
export function isWanted({ type }: ActivityMessage, switches: ActivitySwitches): boolean {
  return switches[SWITCHES[type]] !== false;
}
