export { type Audit, type AuditEntry, type AuditOptions, createAudit } from './control/audit.ts';
export { createProjects, type ProjectsOptions } from './control/create-projects.ts';
export { createRewinds, type Rewinds, type RewindsOptions } from './control/create-rewinds.ts';
export { createRuns, type RunsOptions } from './control/create-runs.ts';
export type { Project, Projects } from './control/projects.ts';
export { type KeptForRewind, readRewind } from './control/read-rewind.ts';
export { DEAD_REASON, type DeadRun, type ReconcileOptions, reconcileRuns } from './control/reconcile-runs.ts';
export type { RunReply, Runs } from './control/runs.ts';
export {
  type Caller,
  createGuard,
  type Guard,
  type GuardOptions,
  type Knock,
  RIGHTS,
  type Right,
  type Verdict,
} from './guard/guard.ts';
export { CODE_MS } from './guard/limits.ts';
export { openProgramFile } from './guard/program-file.ts';
export { createPrograms, type Program, type Programs, type ProgramsOptions } from './guard/programs.ts';
export { createSignIns, type SignIn, type SignInOptions, type SignIns } from './guard/sign-ins.ts';
export type { HttpParts, PageFile } from './http/context.ts';
export { createHttp, type Http } from './http/create-http.ts';
export { createHttpServer, type HttpServerOptions } from './http/create-http-server.ts';
export type { UsageSource } from './http/usage-report.ts';
export { type ServerPlace, type TakenPlace, takePlace } from './one-server.ts';
export { pageFrom } from './page/page-from.ts';
export { type ServerOptions, startServer, type TailraceServer } from './server.ts';
