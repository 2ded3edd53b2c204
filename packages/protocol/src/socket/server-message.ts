// What a server says on the socket. A frame has some of these messages; it ends where the events of a line end.

import type { AgentStreamEvent } from '@tailrace/core';
import { z } from 'zod';
import {
  type ActivityMessage,
  agentOutput,
  agentToolCall,
  agentToolResult,
  fileChanged,
  progressUpdate,
} from '../activity/messages.ts';
import { type CutString, cutStrings } from '../cut-string.ts';
import { type SessionInfo, sessionInfo } from '../http/session-info.ts';
import { type Problem, problem } from '../problem.ts';

/** The first thing on a socket. */
export interface Hello {
  readonly type: 'hello';
  readonly protocol: number;
  /** The server's own version. */
  readonly version: string;
  readonly epoch: string;
  readonly heartbeatMs: number;
}

/** An event of a session. */
export interface EventMessage {
  readonly type: 'event';
  readonly sessionId: string;
  /** The line that it came from, counted over all streams. */
  readonly position: number;
  readonly event: AgentStreamEvent;
  /** Strings that are too long to travel: the event has their beginnings. */
  readonly cut?: readonly CutString[] | undefined;
  /** Of a request: what an answer has to carry. */
  readonly digest?: string | undefined;
}

/** A session that is new, or has changed, as it stands in a list. */
export interface SessionMessage {
  readonly type: 'session';
  readonly session: SessionInfo;
}

/** Nobody writes to the session for now. These events close what is open in it; they hold until another event of it comes. */
export interface Ended {
  readonly type: 'ended';
  readonly sessionId: string;
  readonly events: readonly AgentStreamEvent[];
  /** So many more were before these, and did not fit in a frame; the session's page of events has them. */
  readonly left?: number | undefined;
}

/** There is no such session any more; `movedTo`: it turned out to be a part of that one. */
export interface Gone {
  readonly type: 'gone';
  readonly sessionId: string;
  readonly movedTo?: string | undefined;
}

/** Everything that was there is sent; what follows is new. */
export interface Live {
  readonly type: 'live';
}

/**
 * What was sent before is no longer so. The server begins from the start by itself where sessions or runs were named, else from now on.
 * With `sessionId` it is about that session alone, and nothing of it is sent again: whoever wants it asks for it.
 */
export interface Reset {
  readonly type: 'reset';
  readonly epoch: string;
  readonly sessionId?: string | undefined;
}

/** The client reads too slowly; the socket is closed after this. It can go on from the cursor of its last frame. */
export interface Behind {
  readonly type: 'behind';
  readonly queuedBytes: number;
}

/** What became of a command. */
export interface Reply {
  readonly type: 'reply';
  readonly commandId: string;
  readonly result?: { readonly runId: string; readonly sessionId?: string | undefined } | undefined;
  readonly problem?: Problem | undefined;
}

/** A message was not understood, or a subscription cannot be. */
export interface Failed {
  readonly type: 'failed';
  readonly problem: Problem;
}

/** The server is there; a client that does not answer with `pong` is taken for gone. */
export interface Ping {
  readonly type: 'ping';
}

export type ServerMessage =
  | Hello
  | EventMessage
  | ActivityMessage
  | SessionMessage
  | Ended
  | Gone
  | Live
  | Reset
  | Behind
  | Reply
  | Failed
  | Ping;
export type ServerMessageType = ServerMessage['type'];

/** What one message of the socket holds. */
export interface Frame {
  /** Absent where it is about no subscription. */
  readonly subscriptionId?: string | undefined;
  /** Whoever has this frame can go on from here. */
  readonly cursor?: string | undefined;
  readonly messages: readonly ServerMessage[];
}

/** An event is known by its type; a client may be older than the server and keeps what it does not know. */
const event = z.looseObject({ type: z.string(), seq: z.number() }) as unknown as z.ZodType<AgentStreamEvent>;

const schemas = {
  hello: z.object({
    type: z.literal('hello'),
    protocol: z.number().int(),
    version: z.string(),
    epoch: z.string(),
    heartbeatMs: z.number().positive(),
  }),
  event: z.object({
    type: z.literal('event'),
    sessionId: z.string(),
    position: z.number().nonnegative(),
    event,
    cut: cutStrings.optional(),
    digest: z.string().optional(),
  }),
  session: z.object({ type: z.literal('session'), session: sessionInfo }),
  ended: z.object({
    type: z.literal('ended'),
    sessionId: z.string(),
    events: z.array(event),
    left: z.number().int().positive().optional(),
  }),
  gone: z.object({ type: z.literal('gone'), sessionId: z.string(), movedTo: z.string().optional() }),
  agent_tool_call: agentToolCall,
  agent_tool_result: agentToolResult,
  agent_output: agentOutput,
  file_changed: fileChanged,
  progress_update: progressUpdate,
  live: z.object({ type: z.literal('live') }),
  reset: z.object({ type: z.literal('reset'), epoch: z.string(), sessionId: z.string().optional() }),
  behind: z.object({ type: z.literal('behind'), queuedBytes: z.number().nonnegative() }),
  reply: z.object({
    type: z.literal('reply'),
    commandId: z.string(),
    result: z.object({ runId: z.string(), sessionId: z.string().optional() }).optional(),
    problem: problem.optional(),
  }),
  failed: z.object({ type: z.literal('failed'), problem }),
  ping: z.object({ type: z.literal('ping') }),
} satisfies { readonly [T in ServerMessageType]: z.ZodType<Extract<ServerMessage, { type: T }>> };

/** One schema for each message. */
export const serverMessages: { readonly [T in ServerMessageType]: z.ZodType<Extract<ServerMessage, { type: T }>> } =
  schemas;

export const serverMessage: z.ZodType<ServerMessage> = z.union(
  Object.values(schemas) as unknown as [z.ZodType<ServerMessage>, z.ZodType<ServerMessage>],
);

export const frame: z.ZodType<Frame> = z.object({
  subscriptionId: z.string().optional(),
  cursor: z.string().optional(),
  messages: z.array(serverMessage),
});
