import type { Agent } from './agent.ts';
import { claude } from './claude/index.ts';
import { codex } from './codex/index.ts';
import { copilot } from './copilot/index.ts';
import { gemini } from './gemini/index.ts';
import { goose } from './goose/index.ts';
import { grok } from './grok/index.ts';
import { kimi } from './kimi/index.ts';
import { opencode } from './opencode/index.ts';
import { pi } from './pi/index.ts';
import { qwen } from './qwen/index.ts';

/** The agents that come with Tailrace. */
export const agents: readonly Agent[] = [claude, codex, copilot, gemini, goose, grok, kimi, opencode, pi, qwen];
