import type { IncomingMessage } from 'node:http';
import type { Knock } from '../guard/guard.ts';

/** A request or an upgrade, as the guard looks at it. */
export function knockOf(request: IncomingMessage, isUpgrade: boolean): Knock {
  const { method = '', url: target = '', headers, rawHeaders } = request;
  return { method, target, headers, rawHeaders, isUpgrade };
}
