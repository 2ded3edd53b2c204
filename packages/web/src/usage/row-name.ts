// What a row of the bill is called for people.

import type { UsageGrouping, UsageLine } from '@tailrace/protocol';
import { dateOf } from './usage-search.ts';

export interface RowName {
  readonly name: string;
  /** What tells it apart from others of the same name. */
  readonly more?: string;
}

const UNKNOWN = 'unknown';

export function rowName({ key, isActive }: Pick<UsageLine, 'key' | 'isActive'>, by: UsageGrouping): RowName {
  if (key === UNKNOWN) return { name: 'not known' };
  switch (by) {
    case 'day':
      return { name: key, more: dateOf(key).toLocaleDateString([], { weekday: 'short' }) };
    case 'project': {
      const end = withoutEndSlashes(key);
      const name = end.slice(Math.max(end.lastIndexOf('/'), end.lastIndexOf('\\')) + 1);
      return name === '' ? { name: key } : { name, more: end.slice(0, -name.length) };
    }
    case 'block': {
      const begin = new Date(key);
      const time = begin.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
      const day = begin.toLocaleDateString([], { month: 'short', day: 'numeric', year: 'numeric' });
      return { name: `${day}, ${time}`, ...(isActive && { more: 'running' }) };
    }
    case 'subagent':
      return { name: key === 'main' ? 'main thread' : key };
    case 'tool':
      return { name: key === 'none' ? 'no call, only text' : key };
    default:
      return { name: key };
  }
}

function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && '/\\'.includes(path[end - 1] ?? ' ')) end--;
  return path.slice(0, end);
}
