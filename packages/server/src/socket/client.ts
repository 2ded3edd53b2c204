// One client on a socket: what it says is understood or refused, one message after the other.

import {
  type ClientMessage,
  type Command,
  MAX_QUEUED_BYTES,
  MAX_SUBSCRIPTIONS,
  type Problem,
  type Reply,
  type ServerMessage,
} from '@tailrace/protocol';
import type { Once } from '../control/once.ts';
import { mustHave } from '../control/rights.ts';
import type { Runs } from '../control/runs.ts';
import { MAX_MESSAGES_BYTES } from '../feed/frames.ts';
import type { Hub } from '../feed/hub.ts';
import type { Outlet } from '../feed/outlet.ts';
import type { Caller } from '../guard/guard.ts';
import { problemOf } from '../http/problem-of.ts';
import { ProblemError } from '../problem-error.ts';
import { MAX_WAITING_MESSAGES } from './limits.ts';
import { type NotUnderstood, readMessage } from './read-message.ts';

export interface SocketClient {
  /** Takes a message as it came. */
  hear(data: string | undefined): void;
}

export interface SocketClientParts {
  readonly caller: Caller;
  readonly outlet: Outlet;
  readonly hub: Hub;
  readonly runs: Runs;
  readonly once: Once<Reply['result']>;
}

export function createSocketClient({ caller, outlet, hub, runs, once }: SocketClientParts): SocketClient {
  const subscriptions = new Set<string>();
  let queue: Promise<void> = Promise.resolve();
  let waiting = 0;

  function say(message: ServerMessage, subscriptionId?: string): void {
    // Whoever asks and does not read must not fill our memory with answers.
    if (outlet.queuedBytes > MAX_QUEUED_BYTES) outlet.letGo();
    else outlet.send(JSON.stringify({ ...(subscriptionId !== undefined && { subscriptionId }), messages: [message] }));
  }

  function fail(problem: Problem, subscriptionId?: string): void {
    say({ type: 'failed', problem }, subscriptionId);
  }

  function refuse({ detail, commandId, subscriptionId }: NotUnderstood): void {
    const { problem } = new ProblemError('bad-request', detail);
    if (commandId === undefined) fail(problem, subscriptionId);
    else say({ type: 'reply', commandId, problem });
  }

  async function take(message: ClientMessage): Promise<void> {
    switch (message.type) {
      case 'subscribe': {
        mustHave(caller, 'read');
        if (subscriptions.size >= MAX_SUBSCRIPTIONS && !subscriptions.has(message.subscriptionId))
          throw new ProblemError('too-many', `a socket has at most ${MAX_SUBSCRIPTIONS} subscriptions`);
        await hub.subscribe(message, outlet);
        subscriptions.add(message.subscriptionId);
        return;
      }
      case 'unsubscribe':
        hub.unsubscribe(outlet, message.subscriptionId);
        subscriptions.delete(message.subscriptionId);
        return;
      case 'command':
        // Nobody waits for it: an agent may take its time to start.
        void perform(message.commandId, message.command);
        return;
      case 'pong':
        return;
    }
  }

  async function perform(commandId: string, command: Command): Promise<void> {
    try {
      const result = await once.run(caller.id, commandId, JSON.stringify(command), () => act(command));
      say({ type: 'reply', commandId, result });
    } catch (error) {
      say({ type: 'reply', commandId, problem: fitting(problemOf(error)) });
    }
  }

  function act({ action, ...wanted }: Command): ReturnType<Runs['start']> {
    // The compiler does not see that the fields are those of this very action.
    return runs[action](caller, wanted as never);
  }

  return {
    hear(data) {
      if (waiting >= MAX_WAITING_MESSAGES) {
        fail(new ProblemError('too-many', 'too many messages at once').problem);
        return;
      }
      const read = readMessage(data);
      if ('detail' in read) {
        refuse(read);
        return;
      }
      const { message } = read;
      waiting++;
      queue = queue
        .then(() => (outlet.isGone ? undefined : take(message)))
        .catch((error: unknown) =>
          fail(problemOf(error), 'subscriptionId' in message ? message.subscriptionId : undefined),
        )
        .finally(() => {
          waiting--;
        });
    },
  };
}

/** A folder can bring more than a frame holds; over HTTP all of it can be seen. */
function fitting(problem: Problem): Problem {
  const { folder: _folder, ...rest } = problem;
  return Buffer.byteLength(JSON.stringify(problem)) <= MAX_MESSAGES_BYTES
    ? problem
    : { ...rest, detail: 'what the folder brings is too long to be told here: start the run over HTTP' };
}
