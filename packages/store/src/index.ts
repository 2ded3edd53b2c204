export type {
  AppendOptions,
  CatchUp,
  History,
  Labels,
  Lease,
  LineRecord,
  Metadata,
  NamedBy,
  NewLine,
  RunTotals,
  SearchHit,
  SearchOptions,
  SessionEvents,
  SessionFilter,
  SessionRow,
  SessionTotals,
  SessionUsage,
  SizeReport,
  Store,
  StoredCall,
  StoredCheckpoint,
  StoredFile,
  StoredLine,
  StoredMessage,
  StoredStream,
  StreamFacts,
  StreamKind,
  TextKind,
  Tidings,
  Told,
  UsageEntry,
  UsageNames,
} from './contract.ts';
export { StoreError, type StoreErrorCode } from './errors.ts';
export { exportJson } from './export/export-json.ts';
export { exportMarkdown } from './export/export-markdown.ts';
export { exportNdjson } from './export/export-ndjson.ts';
export { exportHtml } from './export/html/export-html.ts';
export { type ExportInput, type ExportOptions, openExport } from './export/input.ts';
export { type HookImportOptions, type HookReport, importHooks } from './hooks/spool.ts';
export {
  type KeepRunOptions,
  keepRun,
  type NumberedLine,
  RUN_STREAM,
  type RunKeeper,
  runStream,
} from './keep-run.ts';
export { openStore } from './open-store.ts';
export { checkStore, type StoreFinding, type StoreReport } from './sqlite/doctor/check.ts';
export type { Hole } from './sqlite/doctor/hole.ts';
export { type RepairOptions, type RepairReport, repairStore } from './sqlite/doctor/repair.ts';
export { type Holder, isLiving, ourselves, type Processes, systemProcesses } from './sqlite/holder.ts';
export type { StoreOptions } from './sqlite/options.ts';
export { createTail, type Tail, type TailOptions, type TailPiece } from './tail/tail.ts';
export type { FoundFile, Problem } from './transcripts/discover.ts';
export { type ImportOptions, type ImportReport, importTranscripts } from './transcripts/import.ts';
export { type WatchOptions, watchTranscripts } from './transcripts/watch.ts';
export { type BurnRate, burnRate } from './usage/blocks.ts';
export { createUsageBook, type UsageBook } from './usage/book.ts';
export { joinUsage } from './usage/join.ts';
export { namesWithFiles } from './usage/names.ts';
export { loadPrices, PRICE_TABLE, type Prices } from './usage/prices.ts';
export {
  GROUPINGS,
  type Grouping,
  isNamed,
  type ModelShare,
  type ReportOptions,
  reportUsage,
  type UsageReport,
  type UsageRow,
  type UsageSums,
} from './usage/report.ts';
export { createRescan } from './usage/rescan.ts';
export { type ScannedUsage, type ScanOptions, scanUsage } from './usage/scan.ts';
export { createZone, type Zone } from './usage/zone.ts';
