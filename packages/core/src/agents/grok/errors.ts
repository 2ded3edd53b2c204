// What went wrong, as Grok says it: a sentence, which mostly holds an object with the sentence that tells.

import type { AgentError } from '../../event/event.ts';
import { asCount, asObject, asText } from '../../event/json.ts';
import { parseText } from '../../lines/parse.ts';
import { errorOf } from '../errors.ts';

const WRAPPING = 'Internal error: ';

interface Wrapped {
  message: string;
  error_kind: string;
  http_status: number;
}

export function readError(message: string): AgentError {
  const inner = message.startsWith(WRAPPING) ? parseText(message.slice(WRAPPING.length)) : undefined;
  const told = asObject<Wrapped>(inner);
  return errorOf({
    message: asText(inner) ?? asText(told?.message) ?? message,
    nativeCode: asText(told?.error_kind),
    ...(told?.http_status !== undefined && { status: asCount(told.http_status) }),
  });
}
