export type { AgentFixture } from './fixture.ts';
export {
  type AgentCase,
  type AgentRule,
  type AgentTestCounts,
  type AgentTestOptions,
  agentCases,
  testAgent,
} from './test-agent.ts';
