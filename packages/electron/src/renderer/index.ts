export type { BridgeRun, TailraceBridge } from '@tailrace/protocol';
export { streamSource } from './stream-source.ts';
