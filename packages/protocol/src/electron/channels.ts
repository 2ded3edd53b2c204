// The names under which a desktop app's main process and its pages speak to each other. They stand by themselves: a preload script
// needs the names and no schemas.

/** From the main process to every window. */
export const STREAM_CHANNELS = {
  init: 'stream:init',
  chunk: 'stream:chunk',
  tool: 'stream:tool',
  end: 'stream:end',
  event: 'stream:event',
} as const;
export type StreamChannel = (typeof STREAM_CHANNELS)[keyof typeof STREAM_CHANNELS];

/** From a page to the main process. There are no others. */
export const CALL_CHANNELS = {
  start: 'tailrace:start',
  send: 'tailrace:send',
  answer: 'tailrace:answer',
  interrupt: 'tailrace:interrupt',
  stop: 'tailrace:stop',
  runs: 'tailrace:runs',
  checkpoints: 'tailrace:checkpoints',
  previewRewind: 'tailrace:preview-rewind',
  rewind: 'tailrace:rewind',
  openExternal: 'tailrace:open-external',
} as const;
export type CallName = keyof typeof CALL_CHANNELS;
export type CallChannel = (typeof CALL_CHANNELS)[CallName];
