// The agents whose session files tell what was used. Apart from the agents themselves: whoever only counts needs nothing else of them.

import type { TranscriptLayout } from './agent.ts';
import { transcripts as claude } from './claude/layout.ts';
import type { TranscriptUsage } from './transcript-usage.ts';

/** Where an agent keeps its sessions, and how to read the bill from them. */
export interface CountedTranscripts extends TranscriptLayout {
  readonly usage: TranscriptUsage;
}

/** One for each agent whose sessions can be counted. */
export const countedTranscripts: readonly CountedTranscripts[] = [claude];

/** Whose they are, as long as there is only one such agent. */
export const countedAgent = 'claude';
