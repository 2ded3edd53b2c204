// The files that a `file_change` item names.

import type { FileChange } from '../../event/event.ts';
import { asList, asObject, asText, entryOf, type Loose } from '../../event/json.ts';
import { patchOf } from '../patch.ts';
import type { CodexChange, CodexItem } from './wire.ts';

const operations: Readonly<Record<string, FileChange['operation']>> = {
  add: 'add',
  delete: 'delete',
  update: 'modify',
};

export function changesOf(item: Loose<CodexItem>): readonly FileChange[] {
  return asList(item.changes).flatMap((value) => {
    const change = asObject<CodexChange>(value);
    const path = asText(change?.path);
    if (path === undefined) return [];
    const kind = asObject<{ type: string; move_path: string }>(change?.kind);
    const operation = entryOf(operations, kind?.type ?? change?.kind) ?? 'modify';
    const target = asText(kind?.move_path);
    const patch = patchOf(asText(change?.diff) ?? '');
    return target === undefined
      ? { path, operation, ...patch }
      : { path: target, operation: 'move', fromPath: path, ...patch };
  });
}
