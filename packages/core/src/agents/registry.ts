import type { Agent } from './agent.ts';
import { claude } from './claude/index.ts';

/** The agents that come with Tailrace. */
export const agents: readonly Agent[] = [claude];
