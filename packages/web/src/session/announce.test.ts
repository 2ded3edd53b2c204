import { expect, test } from 'vitest';
import { conversationOf, event } from '../../../client/test/session-events.ts';
import { announcementOf } from './announce.ts';

const delta = event({ type: 'text-delta', messageId: 'm', blockId: 'b', delta: 'Half a sen' });
const end = event({ type: 'text-end', messageId: 'm', blockId: 'b', text: 'Half a sentence is no sentence.' });
const call = event({ type: 'tool-call-start', toolCallId: 'c', toolName: 'Tool', kind: 'other' });
const ask = event({ type: 'permission-request', requestId: 'r', toolCallId: 'c', toolName: 'Tool', input: {} });

test('a text is read out when it is finished, not while it grows', () => {
  expect(announcementOf(conversationOf([]), conversationOf([delta]))).toBeUndefined();
  expect(announcementOf(conversationOf([delta]), conversationOf([delta, end]))).toBe('Half a sentence is no sentence.');
});

test('nothing is read out twice', () => {
  expect(announcementOf(conversationOf([end]), conversationOf([end, call]))).toBeUndefined();
});

test('what is asked is told, once', () => {
  expect(announcementOf(conversationOf([end, call]), conversationOf([end, call, ask]))).toContain(
    'waits for your answer',
  );
  expect(announcementOf(conversationOf([call, ask]), conversationOf([call, ask, ask]))).toBeUndefined();
});

test('of a long text only the beginning is read out', () => {
  const long = event({ type: 'text-end', messageId: 'm', blockId: 'b', text: 'word '.repeat(1000) });
  expect(announcementOf(conversationOf([]), conversationOf([long]))?.length).toBeLessThan(400);
});
