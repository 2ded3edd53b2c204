export type { TailraceBridge } from '@tailrace/protocol';
export { streamSource } from './stream-source.ts';
