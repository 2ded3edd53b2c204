import type { FileChange } from '@tailrace/core';

/** Whether changes tell what was changed, and not only where. */
export function hasText(changes: readonly FileChange[] | undefined): boolean {
  return changes?.some(({ patch, newText, oldText }) => Boolean(patch ?? newText ?? oldText)) ?? false;
}
