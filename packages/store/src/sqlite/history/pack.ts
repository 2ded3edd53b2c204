// Chunks of events take a fraction of their room when they are packed. That is done beside the main thread.

import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import type { ChunkRow, RowChanges } from '../../project/rows.ts';

interface PackedChunk {
  readonly first: number;
  readonly last: number;
  readonly isPacked: boolean;
  readonly data: Uint8Array;
}

export type PackedChanges = Omit<RowChanges, 'chunks'> & { readonly chunks: readonly PackedChunk[] };

/** Chunks under this size are kept as they are. */
const PACKED_BYTES = 2_048;
const deflate = promisify<Uint8Array, { level: number; chunkSize: number }, Buffer>(deflateRaw);

/** Packs what is to be written. */
export async function pack(changes: RowChanges): Promise<PackedChanges> {
  return { ...changes, chunks: await Promise.all(changes.chunks.map(packChunk)) };
}

/** The text of a chunk. */
export function unpack(isPacked: boolean, data: Uint8Array): string {
  return (isPacked ? inflateRawSync(data) : Buffer.from(data)).toString();
}

async function packChunk({ first, last, data }: ChunkRow): Promise<PackedChunk> {
  if (data.length < PACKED_BYTES) return { first, last, isPacked: false, data };
  // The fastest level: events repeat themselves so much that there is not much to be had from a slower one.
  return { first, last, isPacked: true, data: await deflate(data, { level: 1, chunkSize: 128 * 1024 }) };
}
