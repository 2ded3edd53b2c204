import type { Agent } from './agent.ts';
import { claude } from './claude/index.ts';
import { codex } from './codex/index.ts';
import { gemini } from './gemini/index.ts';
import { kimi } from './kimi/index.ts';
import { qwen } from './qwen/index.ts';

/** The agents that come with Tailrace. */
export const agents: readonly Agent[] = [claude, codex, gemini, kimi, qwen];
