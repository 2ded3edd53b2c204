// Names of the core's part that knows what an agent's lines tell about the bill.

import type { Agent } from '@tailrace/core';

export type UsageReader = NonNullable<NonNullable<Agent['transcripts']>['usage']>;
type UsageSighting = NonNullable<ReturnType<UsageReader['read']>>;
export type AnswerSighting = Extract<UsageSighting, { kind: 'answer' }>;
export type TotalSighting = Extract<UsageSighting, { kind: 'total' }>;
