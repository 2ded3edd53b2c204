import { type Agent, agents as allAgents } from '@tailrace/core';
import {
  type AgentInfo,
  agentList,
  answerBody,
  type CommandReply,
  commandReply,
  interruptBody,
  projectList,
  runList,
  sendBody,
  startBody,
  stopBody,
} from '@tailrace/protocol';
import type { HttpContext } from '../context.ts';
import { type Asked, defineRoute, type Reply, type Route } from '../route.ts';

/** The runs of this server. Who may do what is looked at again behind these, for the socket too. */
export const runRoutes: readonly Route[] = [
  defineRoute({
    name: 'listRuns',
    method: 'GET',
    path: '/api/runs',
    says: 'The runs of this server that go on, with what waits for an answer in them.',
    entry: 'read',
    reply: runList,
    handle: async (_, { runs }) => ({ body: { items: runs.list() } }),
  }),
  defineRoute({
    name: 'startRun',
    method: 'POST',
    path: '/api/runs',
    says: 'Starts a run in a project.',
    entry: 'run',
    body: startBody,
    reply: commandReply,
    isOnce: true,
    handle: (asked, context) => once(asked, context, 'start', () => context.runs.start(asked.caller, asked.body)),
  }),
  defineRoute({
    name: 'sendPrompt',
    method: 'POST',
    path: '/api/runs/:runId/send',
    says: 'Sends a further prompt.',
    entry: 'run',
    body: sendBody,
    reply: commandReply,
    isOnce: true,
    handle: (asked, context) =>
      once(asked, context, 'send', () => context.runs.send(asked.caller, { ...asked.body, ...asked.parameters })),
  }),
  defineRoute({
    name: 'answerRequest',
    method: 'POST',
    path: '/api/runs/:runId/answer',
    says: 'Answers one request, as it was shown: the first answer counts.',
    entry: 'answer',
    body: answerBody,
    reply: commandReply,
    isOnce: true,
    handle: (asked, context) =>
      once(asked, context, 'answer', () => context.runs.answer(asked.caller, { ...asked.body, ...asked.parameters })),
  }),
  defineRoute({
    name: 'interruptRun',
    method: 'POST',
    path: '/api/runs/:runId/interrupt',
    says: 'Ends the turn; the run goes on.',
    entry: 'run',
    body: interruptBody,
    reply: commandReply,
    isOnce: true,
    handle: (asked, context) =>
      once(asked, context, 'interrupt', () => context.runs.interrupt(asked.caller, asked.parameters)),
  }),
  defineRoute({
    name: 'stopRun',
    method: 'POST',
    path: '/api/runs/:runId/stop',
    says: 'Ends the run.',
    entry: 'run',
    body: stopBody,
    reply: commandReply,
    isOnce: true,
    handle: (asked, context) => once(asked, context, 'stop', () => context.runs.stop(asked.caller, asked.parameters)),
  }),
  defineRoute({
    name: 'listAgents',
    method: 'GET',
    path: '/api/agents',
    says: 'The agents that runs can be started with, whether or not they are installed.',
    entry: 'read',
    reply: agentList,
    handle: async (_, { agents = allAgents }) => ({ body: { items: agents.flatMap(agentInfo) } }),
  }),
  defineRoute({
    name: 'listProjects',
    method: 'GET',
    path: '/api/projects',
    says: 'The folders that runs can be started in.',
    entry: 'read',
    reply: projectList,
    async handle(_, { projects }) {
      const all = await projects.list();
      return { body: { items: all.map(({ id, name, folder }) => ({ id, name, folder })) } };
    },
  }),
];

/** With a key the command is done once, whatever becomes of the connection. */
async function once(
  { key, caller, text, parameters }: Asked<string, unknown, unknown>,
  context: HttpContext,
  action: string,
  work: () => Promise<CommandReply>,
): Promise<Reply<CommandReply>> {
  if (key === undefined) return { body: await work() };
  const content = JSON.stringify([action, parameters, text]);
  return { body: await context.once.run(caller.id, key, content, work) };
}

function agentInfo({ name, title, command, takes = [] }: Agent): readonly AgentInfo[] {
  return command ? [{ name, title: title ?? name, takes }] : [];
}
