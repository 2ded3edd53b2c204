export { type Checkpoint, type Checkpoints, createCheckpoints, MAX_CHECKPOINTS } from './checkpoints.ts';
export { type Clock, systemClock } from './clock.ts';
export { type Sweep, sweepRun } from './process/terminate.ts';
export { createRegistry, type Registry } from './registry.ts';
export {
  type ChangedFile,
  type ChangesReader,
  type ChangesSince,
  type ChangingCall,
  changesSince,
  createChanges,
} from './rewind/changes.ts';
export type { FilesPreview, LeftFile, RewoundFile } from './rewind/look.ts';
export { quoteWords } from './rewind/quote.ts';
export { type ResumeCommand, resumeCommand } from './rewind/resume.ts';
export {
  previewRewind,
  type RewindOptions,
  type RewindPreview,
  type Rewound,
  rewindSession,
  startBefore,
} from './rewind/rewind.ts';
export type { Policy } from './run/answers.ts';
export { createGreeting, type Greeting } from './run/greeting.ts';
export type { RunListener } from './run/listeners.ts';
export type { RecordLine } from './run/recorder.ts';
export type { RunEnd, RunResult } from './run/result.ts';
export type { Run, SessionIds } from './run/run.ts';
export { type RunOptions, startRun } from './run/start.ts';
export type { OpenCall } from './run/status.ts';
export { WAITS, type Waits } from './run/waits.ts';
export { isTailraceError, TailraceError } from './start/errors.ts';
export { type Located, type LocateOptions, locate } from './start/locate.ts';
export { type BroughtThing, type FolderLook, lookAtFolder } from './start/trust.ts';
export { createTrust, type Trust, type TrustAnswer } from './start/trust-file.ts';
