// What the routes have to work with.

import type { Agent } from '@tailrace/core';
import type { CommandReply, LiveRun, PersonSettings, SettingsChange } from '@tailrace/protocol';
import type { Store } from '@tailrace/store';
import type { Audit } from '../control/audit.ts';
import type { Rewinds } from '../control/create-rewinds.ts';
import type { Once } from '../control/once.ts';
import type { Projects } from '../control/projects.ts';
import type { Runs } from '../control/runs.ts';
import type { Guard } from '../guard/guard.ts';
import type { Programs } from '../guard/programs.ts';
import type { SignIns } from '../guard/sign-ins.ts';
import type { UsageReports, UsageSource } from './usage-report.ts';

/** A file of the page. */
export interface PageFile {
  readonly body: Uint8Array;
  readonly type: string;
  /** How long a browser may keep it; it asks each time unless set. */
  readonly cacheControl?: string | undefined;
}

/** Where the person's settings are kept. */
export interface SettingsSource {
  read(): PersonSettings;
  change(change: SettingsChange): void;
}

export interface HttpParts {
  readonly store: Store;
  readonly runs: Runs;
  /** Those that can be started; the ones we ship unless set. */
  readonly agents?: readonly Agent[] | undefined;
  readonly rewinds: Rewinds;
  readonly projects: Projects;
  readonly guard: Guard;
  readonly signIns: SignIns;
  readonly programs: Programs;
  readonly audit: Audit;
  /** The server's own. */
  readonly version: string;
  /** Where the agents' own files are counted; only what is kept unless set. */
  readonly usage?: UsageSource | undefined;
  /** The person's settings; none are offered unless set. */
  readonly settings?: SettingsSource | undefined;
  /** A file of the page by its path, for everybody. */
  page?(path: string): PageFile | undefined;
  /** Shows a code to whoever sits before the server. It stands in no answer. */
  onCode(code: string): void;
  /** Somebody has come in with the newest one. */
  onSignIn?(): void;
  /** How far listeners have been told. */
  feedPosition?(): Promise<number>;
  /** Runs of other programs, where somebody follows them. */
  liveRun?(sessionId: string): LiveRun | undefined;
  /** Somebody has signed out, or a token was taken back: what they have open is to be closed. */
  onLeave?(callerId: string): void;
  /** A session looks different in a list. */
  onLabel?(sessionId: string): void;
  /** Hears of what clients are only told as `internal`. */
  onError?(error: unknown): void;
}

export interface HttpContext extends HttpParts {
  readonly once: Once<CommandReply>;
  readonly usageReports: UsageReports;
}
