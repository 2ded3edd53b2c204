// What goose itself says, in the assistant's name, when something stopped it. The beginning of the sentence tells.

import type { AgentError, ErrorCode, EventOf } from '../../event/event.ts';
import { errorOf } from '../errors.ts';

const FAILED = 'Ran into this error: ';
const ADVICE = '\n\nPlease ';

/** How the errors of model providers begin. */
const PROVIDER_ERRORS: readonly (readonly [string, ErrorCode])[] = [
  ['Authentication error', 'authentication'],
  ['Context length exceeded', 'context_full'],
  ['Rate limit exceeded', 'rate_limit'],
  ['Credits exhausted', 'billing'],
  ['Server error', 'server'],
  ['Network error', 'network'],
  ['Unsupported operation', 'invalid_request'],
];

/** How a sentence begins that ends the turn. */
const STOPS: readonly (readonly [string, ErrorCode | undefined])[] = [
  ["I've reached the maximum number of actions", 'max_turns'],
  ['Unable to continue: Context limit still exceeded', 'context_full'],
  ['Ran into this error trying to compact: ', undefined],
  ['Compaction failed: ', undefined],
  ['A tool call could not be parsed', 'invalid_input'],
  ['Maximum retry attempts (', undefined],
  ['Error: ', undefined],
];

/** The error that such a sentence tells, or nothing when it is an answer. */
export function errorSaid(text: string, isGoose: boolean): AgentError | undefined {
  // This one is taken for what it is whoever seems to say it.
  if (text.startsWith(FAILED)) return providerError(withoutAdvice(text.slice(FAILED.length)).replace(/\.$/, ''));
  const stop = isGoose ? STOPS.find(([beginning]) => text.startsWith(beginning)) : undefined;
  return stop && errorOf({ message: withoutAdvice(text), code: stop[1] });
}

/** An error in the words of the provider. */
export function providerError(message: string): AgentError {
  const [nativeCode, code] = PROVIDER_ERRORS.find(([beginning]) => message.startsWith(`${beginning}:`)) ?? [];
  return errorOf({ message, nativeCode, code });
}

function withoutAdvice(text: string): string {
  const end = text.lastIndexOf(ADVICE);
  return end < 0 ? text : text.slice(0, end);
}

type Compaction =
  | { readonly phase: 'start'; readonly trigger: EventOf<'compaction-start'>['trigger'] }
  | { readonly phase: 'end'; readonly outcome: 'success' | 'error' };

const COMPACTIONS: readonly (readonly [string, Compaction])[] = [
  ['Exceeded auto-compact threshold', { phase: 'start', trigger: 'auto' }],
  ['Context limit reached. Compacting', { phase: 'start', trigger: 'overflow' }],
  ['goose is compacting', { phase: 'start', trigger: undefined }],
  ['Unable to continue: Context limit still exceeded after', { phase: 'end', outcome: 'success' }],
  ['Compaction complete', { phase: 'end', outcome: 'success' }],
  ['Compaction failed: ', { phase: 'end', outcome: 'error' }],
  ['Ran into this error trying to compact: ', { phase: 'end', outcome: 'error' }],
];

export function compactionSaid(text: string): Compaction | undefined {
  return COMPACTIONS.find(([beginning]) => text.startsWith(beginning))?.[1];
}

const REFUSALS: readonly (readonly [string, 'user' | 'policy' | 'unknown'])[] = [
  ['The user has declined to run this tool', 'user'],
  ['Tool call was denied', 'unknown'],
  ['Let the user know the tool call was skipped in goose chat mode', 'policy'],
];

/** Who refused a call, if its result says that somebody did. */
export function refusedBy(text: string): 'user' | 'policy' | 'unknown' | undefined {
  return REFUSALS.find(([beginning]) => text.startsWith(beginning))?.[1];
}
