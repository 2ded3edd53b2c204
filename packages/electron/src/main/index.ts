export { type Checkpoint, type Checkpoints, createCheckpoints, MAX_CHECKPOINTS } from '@tailrace/runner';
export type {
  AppWindow,
  Contents,
  Frame,
  FrameNavigation,
  GuardedContents,
  InvokeEvent,
  IpcMain,
} from '../electron.ts';
export { type BroadcastOptions, createBroadcast } from './broadcast.ts';
export { externalUrl } from './external-url.ts';
export type { MetadataStore, RunTotals } from './metadata.ts';
export { isOwnPage, type Pages } from './own-page.ts';
export { type Launch, registerTailrace, type Tailrace, type TailraceOptions } from './register.ts';
export type { SenderOptions } from './sender.ts';
export {
  createStreamParser,
  type StreamParser,
  type StreamParserEvents,
  type StreamParserOptions,
} from './stream-parser.ts';
export type {
  AssistantEvent,
  InitEvent,
  ResultEvent,
  ToolResultEvent,
  UserEvent,
  WarningEvent,
} from './telling.ts';
export type { TokenCount } from './totals.ts';
export { type GuardOptions, guardWindow, type SafePreferences, safePreferences } from './window.ts';
