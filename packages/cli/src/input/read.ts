// Bytes from a file or standard input, unpacked where they are gzip: told by their first two bytes, not by a name.

const CHUNK_BYTES = 256 * 1024;

export async function* readBytes(file: string): AsyncGenerator<Uint8Array, void> {
  const source: AsyncIterable<Uint8Array> = file === '-' ? process.stdin : readFile(file);
  const chunks = source[Symbol.asyncIterator]();
  try {
    const first = await joinFirst(chunks);
    if (first.length === 0) return;
    if (first[0] !== 0x1f || first[1] !== 0x8b) {
      yield first;
      yield* rest(chunks);
    } else yield* unpack(first, chunks);
  } finally {
    // Whoever has seen enough lets go of the file.
    await chunks.return?.();
  }
}

async function* unpack(first: Uint8Array, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  // A pipe waits for none of these at its start.
  const [{ Readable }, { createGunzip }] = await Promise.all([import('node:stream'), import('node:zlib')]);
  const packed = Readable.from(
    (async function* () {
      // The unpacker works behind us: it gets pieces of its own.
      yield Buffer.from(first);
      for await (const chunk of rest(chunks)) yield Buffer.from(chunk);
    })(),
  );
  const unpacked = createGunzip();
  packed.on('error', (error) => unpacked.destroy(error));
  yield* packed.pipe(unpacked);
}

/** A file piece by piece, always in the same buffer: who takes a piece is done with it before it asks for the next. */
async function* readFile(path: string): AsyncGenerator<Uint8Array, void> {
  const { open } = await import('node:fs/promises');
  const handle = await open(path);
  try {
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** The first bytes, at least two where there are two: a pipe may hand them out one by one. */
async function joinFirst(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let joined: Uint8Array = new Uint8Array(0);
  while (joined.length < 2) {
    const { done, value } = await chunks.next();
    if (done) break;
    joined = joined.length === 0 && value.length >= 2 ? value : Buffer.concat([joined, value]);
  }
  return joined;
}

async function* rest(chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    const { done, value } = await chunks.next();
    if (done) return;
    yield value;
  }
}
