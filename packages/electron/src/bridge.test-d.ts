// What the types of the bridge promise, channel by channel and call by call.

import type { AgentStreamEvent } from '@tailrace/core';
import type {
  BridgeCalls,
  CallName,
  StreamChannel,
  StreamChunk,
  StreamEnd,
  StreamEvent,
  StreamInit,
  StreamMessage,
  StreamMessages,
  StreamTool,
  TailraceBridge,
} from '@tailrace/protocol';
import type { Metadata } from '@tailrace/store';
import { describe, expectTypeOf, test } from 'vitest';
import { createBroadcast, createStreamParser, type MetadataStore, registerTailrace } from './main/index.ts';
import { streamSource } from './renderer/index.ts';

declare const bridge: TailraceBridge;
type Heard<F extends (listener: never) => unknown> = Parameters<Parameters<F>[0]>;

describe('a channel', () => {
  test('brings its own messages to its own listeners, which can be ended', () => {
    expectTypeOf<Heard<TailraceBridge['onStreamInit']>>().toEqualTypeOf<[message: StreamInit]>();
    expectTypeOf<Heard<TailraceBridge['onStreamChunk']>>().toEqualTypeOf<[message: StreamChunk]>();
    expectTypeOf<Heard<TailraceBridge['onStreamTool']>>().toEqualTypeOf<[message: StreamTool]>();
    expectTypeOf<Heard<TailraceBridge['onStreamEnd']>>().toEqualTypeOf<[message: StreamEnd]>();
    expectTypeOf<Heard<TailraceBridge['onStreamEvent']>>().toEqualTypeOf<[message: StreamEvent]>();
    expectTypeOf(bridge.onStreamInit).returns.toEqualTypeOf<() => void>();
    expectTypeOf(bridge.onStreamEvent).returns.toEqualTypeOf<() => void>();
  });

  test('is known with its message', () => {
    expectTypeOf<keyof StreamMessages>().toEqualTypeOf<StreamChannel>();
    const [channel, message] = {} as StreamMessage;
    if (channel === 'stream:init') expectTypeOf(message.tools).toEqualTypeOf<readonly string[]>();
    if (channel === 'stream:chunk') expectTypeOf(message.content).toEqualTypeOf<string>();
    if (channel === 'stream:end') expectTypeOf(message.success).toEqualTypeOf<boolean>();
    if (channel === 'stream:event') expectTypeOf(message.event).toEqualTypeOf<AgentStreamEvent>();
    if (channel === 'stream:tool' && message.type === 'tool_use')
      expectTypeOf(message.toolUse.input).toEqualTypeOf<Readonly<Record<string, unknown>>>();
    if (channel === 'stream:tool' && message.type === 'tool_result')
      expectTypeOf(message.toolResult.content).toEqualTypeOf<string>();
  });

  test('takes nothing that belongs to another', () => {
    const send = createBroadcast({ windows: () => [], pages: '' });
    send('stream:end', { sessionId: '', success: true });
    // @ts-expect-error a piece of text is no end
    send('stream:end', { sessionId: '', type: 'text', content: '' });
    // @ts-expect-error there is no such channel
    send('stream:other', {});
    // @ts-expect-error a result is told as text
    bridge.onStreamTool((message) => message.type === 'tool_result' && message.toolResult.content.map);
  });
});

describe('a call', () => {
  test('is a function of the bridge, with what it takes and gives', () => {
    expectTypeOf<Exclude<keyof TailraceBridge, `onStream${string}`>>().toEqualTypeOf<CallName>();
    expectTypeOf<{ [N in CallName]: Awaited<ReturnType<TailraceBridge[N]>> }>().toEqualTypeOf<{
      [N in CallName]: BridgeCalls[N]['value'];
    }>();
    expectTypeOf<Parameters<TailraceBridge['start']>[0]>().toEqualTypeOf<BridgeCalls['start']['argument']>();
    expectTypeOf<Parameters<TailraceBridge['answer']>[0]>().toEqualTypeOf<BridgeCalls['answer']['argument']>();
    expectTypeOf<Parameters<TailraceBridge['rewind']>[0]>().toEqualTypeOf<BridgeCalls['rewind']['argument']>();
    expectTypeOf<Parameters<TailraceBridge['runs']>>().toEqualTypeOf<[]>();
  });

  test('does not let a page say where and how an agent runs', () => {
    // @ts-expect-error the folder is the app's business
    bridge.start({ prompt: '', cwd: '/' });
    // @ts-expect-error and so are its rights
    bridge.start({ prompt: '', permissionMode: 'bypassPermissions' });
    // @ts-expect-error an answer is one of three
    bridge.answer({ id: '', requestId: '', answer: { decision: 'perhaps' } });
  });
});

test("the store of Tailrace is one that can be handed in, and so are two functions of one's own", () => {
  expectTypeOf<Metadata>().toExtend<MetadataStore>();
  expectTypeOf<keyof MetadataStore>().toEqualTypeOf<'create' | 'add'>();
});

test('the emitter knows its events', () => {
  const parser = createStreamParser({ sessionId: '', stdout: {} as never });
  parser.on('tool_result', ({ content, isError }) => {
    expectTypeOf(content).toEqualTypeOf<string>();
    expectTypeOf(isError).toEqualTypeOf<boolean>();
  });
  parser.on('result', ({ costUsd }) => expectTypeOf(costUsd).toEqualTypeOf<number | undefined>());
  parser.on('error', (error) => expectTypeOf(error).toEqualTypeOf<Error>());
  // @ts-expect-error a prompt has no cost
  parser.on('user', ({ costUsd }) => costUsd);
});

test('an app has to say which windows, pages and agents', () => {
  // @ts-expect-error without the pages anybody could call
  registerTailrace({} as never, { windows: () => [], launch: () => ({}) as never });
  expectTypeOf(streamSource(bridge)).toHaveProperty('subscribe');
});
