// A transcript is known by its agent and its path. The file that took the place of another has a stream of its own.

import type { FoundFile } from './discover.ts';

/** The name of the stream for the file's first generation; of a later one with its number behind it. */
export function streamName({ agent, path }: Pick<FoundFile, 'agent' | 'path'>, generation: number): string {
  // The number must not be mistaken for a part of the path.
  const place = path.replaceAll('%', '%25').replaceAll('#', '%23');
  return `transcript:${agent?.name ?? 'unknown'}:${place}${generation > 1 ? `#${generation}` : ''}`;
}
