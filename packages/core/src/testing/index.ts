export type { AgentFixture } from './fixture.ts';
export { brokenPromises } from './promises.ts';
export {
  type AgentCase,
  type AgentRule,
  type AgentTestCounts,
  type AgentTestOptions,
  agentCases,
  testAgent,
} from './test-agent.ts';
