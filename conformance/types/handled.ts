// Compiles only while every name in the published types of the agent's SDK is among those the translator has a handler for.
// A name that is missing stands in the compiler's message: "Type '"new_name"' does not satisfy the constraint 'never'".
import type {
  HookEvent,
  HookInput,
  SDKAssistantMessage,
  SDKControlRequest,
  SDKPartialAssistantMessage,
  Transport,
} from '@anthropic-ai/claude-agent-sdk';
import type {
  BlockType,
  ControlSubtype,
  HookEventName,
  MessageType,
  StreamEventType,
  SystemSubtype,
} from '../../packages/core/src/agents/dialects/claude/wire.ts';

/** Any line of stdout. The union has no exported name of its own; the transport yields it. */
type Line = ReturnType<Transport['readMessages']> extends AsyncGenerator<infer Yielded> ? Yielded : never;
type SystemLine = Extract<Line, { type: 'system' }>;

type IsAny<Type> = 0 extends 1 & Type ? true : false;
type IsNever<Type> = [Type] extends [never] ? true : false;
type Fault<What extends string> = { fault: What };

/**
 * What is wrong with a family; `never` when nothing is. A union that collapsed (a package is missing, a name moved) would
 * leave nothing to compare, and the check would hold for the wrong reason: so a collapse is a fault of its own.
 */
type Missing<Published, Handled> =
  IsAny<Published> extends true
    ? Fault<'the published union is any'>
    : IsNever<Published> extends true
      ? Fault<'the published union is never'>
      : string extends Published
        ? Fault<'the published union is plain string'>
        : IsAny<Handled> extends true
          ? Fault<'our union is any'>
          : string extends Handled
            ? Fault<'our union is plain string'>
            : Exclude<Published, Handled>;

type MustBeNever<Left extends never> = Left;

/** One entry per family. The type is exported so that nothing here counts as unused. */
export type Checks = [
  messages: MustBeNever<Missing<Line['type'], MessageType>>,
  systemMessages: MustBeNever<Missing<SystemLine['subtype'], SystemSubtype>>,
  blocks: MustBeNever<Missing<SDKAssistantMessage['message']['content'][number]['type'], BlockType>>,
  streamEvents: MustBeNever<Missing<SDKPartialAssistantMessage['event']['type'], StreamEventType>>,
  controlRequests: MustBeNever<Missing<SDKControlRequest['request']['subtype'], ControlSubtype>>,
  hookInputs: MustBeNever<Missing<HookInput['hook_event_name'], HookEventName>>,
  hookEvents: MustBeNever<Missing<HookEvent, HookEventName>>,
];
