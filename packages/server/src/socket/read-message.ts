// A text from a client → a message. What is not understood is told to whoever asked: with its key, and what is wrong with it.

import {
  answerRequest,
  type ClientMessage,
  clientMessage,
  interruptRun,
  sendPrompt,
  startRun,
  stopRun,
  subscribe,
} from '@tailrace/protocol';
import type { z } from 'zod';

/** What it is about is told where it can be read. */
export interface NotUnderstood {
  readonly detail: string;
  readonly commandId?: string | undefined;
  readonly subscriptionId?: string | undefined;
}

export function readMessage(data: string | undefined): { readonly message: ClientMessage } | NotUnderstood {
  if (data === undefined) return { detail: 'a message is a text' };
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return { detail: 'the message is not JSON' };
  }
  const parsed = clientMessage.safeParse(value);
  if (parsed.success) return { message: parsed.data };
  const type = textIn(value, 'type');
  return {
    detail: faultOf(type, value),
    ...(type === 'command' && { commandId: textIn(value, 'commandId') }),
    ...(type !== 'command' && { subscriptionId: textIn(value, 'subscriptionId') }),
  };
}

const COMMANDS: ReadonlyMap<string | undefined, z.ZodType> = new Map<string, z.ZodType>([
  ['start', startRun],
  ['send', sendPrompt],
  ['answer', answerRequest],
  ['interrupt', interruptRun],
  ['stop', stopRun],
]);

function faultOf(type: string | undefined, value: unknown): string {
  if (type === 'subscribe') return firstFault(subscribe, value) ?? 'the message is not understood';
  if (type !== 'command') return 'the message is not understood';
  const command = (value as { readonly command?: unknown }).command;
  const schema = COMMANDS.get(textIn(command, 'action'));
  if (!schema) return 'there is no such action';
  return firstFault(schema, command) ?? 'the message is not understood';
}

function firstFault(schema: z.ZodType, value: unknown): string | undefined {
  const issue = schema.safeParse(value).error?.issues[0];
  if (!issue) return undefined;
  const place = issue.path.join('.');
  return place === '' ? issue.message : `${place}: ${issue.message}`;
}

function textIn(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  const text = (value as Readonly<Record<string, unknown>>)[name];
  return typeof text === 'string' && text.length <= MAX_ECHO ? text : undefined;
}

/** Nothing longer is said back. */
const MAX_ECHO = 200;
