import type { SessionInfo } from '@tailrace/protocol';
import { expect, test } from 'vitest';
import { conversationOf, event } from '../../test/session-events.ts';
import type { WaitingRequest } from '../react/permissions.ts';
import { waitersOf } from './waiting.ts';

const asked = [
  event({ type: 'tool-call-start', toolCallId: 'c', toolName: 'Tool', kind: 'other' }),
  event({ type: 'permission-request', requestId: 'r', toolCallId: 'c', toolName: 'Tool', input: {} }),
];
const asking = conversationOf(asked);
// What is read of a request and of a session.
const request = { sessionId: 's', request: { requestId: 'r' } } as WaitingRequest;
const session = (isOurs: boolean) =>
  ({ id: 's', live: { runId: 'run', state: 'waiting', isOurs, since: 0, waiting: 1 } }) as SessionInfo;

test('what waits is at the part that shows it, with what it is answered by', () => {
  const waiter = waitersOf(asking, [request], session(true)).get('call:c');
  expect(waiter).toEqual({ requestId: 'r', partId: 'call:c', request, isElsewhere: false });
});

test('a request of another session answers nothing here', () => {
  const waiter = waitersOf(asking, [{ ...request, sessionId: 't' }], session(true)).get('call:c');
  expect(waiter).toMatchObject({ request: undefined, isElsewhere: false });
});

test('what another process asks waits in its terminal', () => {
  expect(waitersOf(asking, [], session(false)).get('call:c')).toMatchObject({ request: undefined, isElsewhere: true });
});

test('a session that nobody runs waits nowhere', () => {
  expect(waitersOf(asking, [], { id: 's', live: null }).get('call:c')?.isElsewhere).toBe(false);
});

test('what was answered waits no more', () => {
  const answered = event({
    type: 'permission-resolve',
    requestId: 'r',
    toolCallId: 'c',
    decision: 'allowed',
    by: 'user',
  });
  const after = conversationOf([...asked, answered]);
  expect(waitersOf(after, [request], session(true)).size).toBe(0);
});
