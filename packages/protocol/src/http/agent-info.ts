// An agent that runs can be started with.

import { z } from 'zod';

export interface AgentInfo {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** What can be asked of it beyond a prompt, a model and a session to go on with: `permissionMode`, `maxBudgetUsd`, `fork`, … */
  readonly takes: readonly string[];
}

export const agentList: z.ZodType<{ readonly items: readonly AgentInfo[] }> = z.object({
  items: z.array(z.object({ name: z.string(), title: z.string(), takes: z.array(z.string()) })),
});
