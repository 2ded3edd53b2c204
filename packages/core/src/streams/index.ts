export { type ByteReader, type ByteSource, type CancelSignal, type DecodeOptions, decode } from './iterate.ts';
export { createDecoderStream } from './transform.ts';
