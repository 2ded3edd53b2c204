// Which parts fold, and which of them open by themselves: the answer first, the evidence on demand.

import type { Part, RawPart } from '@tailrace/core';

/** Whether a part has something to open. */
export function isFoldable(part: Part): boolean {
  switch (part.type) {
    case 'reasoning':
      return part.text.trim() !== '';
    case 'call':
    case 'task':
    case 'permission':
    case 'question':
    case 'plan':
    case 'changes':
      return true;
    case 'raw':
      return !isShortLine(part) && (part.value !== undefined || (part.text ?? '') !== '');
    case 'mode':
      return part.toolCallId !== undefined;
    case 'hook':
      return (part.output ?? '') !== '';
    case 'compaction':
      return part.summary !== undefined;
    case 'prompt':
      return part.origin === 'injected';
    default:
      return false;
  }
}

/** Whether a part is open until somebody folds it: what failed, what is asked, and what cannot be folded. */
export function opensItself(part: Part): boolean {
  switch (part.type) {
    case 'call':
      return part.status === 'failed' || part.question !== undefined;
    case 'plan':
    case 'question':
      return true;
    case 'task':
      return part.task.status === 'failed';
    case 'hook':
      return part.outcome === 'error';
    default:
      return !isFoldable(part);
  }
}

/** Most of what agents print beside their messages is one line, which can stand in the row itself. */
export function isShortLine({ reason, text = '' }: RawPart): boolean {
  const words = text.trim();
  return reason === 'not_json' && words !== '' && words.length < 200 && !words.includes('\n');
}
