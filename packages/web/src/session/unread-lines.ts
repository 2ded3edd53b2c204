// Lines of a session that could not be made sense of, for whatever reason.

import type { SessionDetail } from '@tailrace/protocol';

export function unreadLines({ lines }: SessionDetail['summary']): number {
  return lines.unknown + lines.notJson + lines.tooLong + lines.tooDeep + lines.cutOff + lines.spliced;
}
