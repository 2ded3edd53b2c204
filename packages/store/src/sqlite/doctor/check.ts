// What is wrong with a store, without changing anything.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { StoreError, type StoreErrorCode } from '../../errors.ts';
import { BUSY_TIMEOUT_MS } from '../../limits.ts';
import { toStoreError } from '../errors.ts';
import { isLiving, type Processes, systemProcesses } from '../holder.ts';
import { migrations } from '../migrations/index.ts';
import { privacyProblems } from '../private-files.ts';
import { holderOf, type StreamRow } from '../stream-row.ts';
import { checkNotNewer, checkSqliteVersion, doneMigrations } from '../version.ts';

export interface StoreFinding {
  /** `problem`: the store does not work, or not as promised. `note`: good to know, and mended by itself. */
  readonly level: 'problem' | 'note';
  readonly code: StoreErrorCode;
  readonly message: string;
}

export interface StoreReport {
  readonly file: string;
  readonly exists: boolean;
  readonly isGood: boolean;
  readonly findings: readonly StoreFinding[];
  readonly sqliteVersion?: string | undefined;
  readonly fileBytes?: number | undefined;
  readonly lines?: number | undefined;
  readonly streams?: number | undefined;
}

/** Looks through the whole file; that takes a while for a large one. */
export async function checkStore(path: string, processes: Processes = systemProcesses): Promise<StoreReport> {
  const file = resolve(path);
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) {
    return report({ file, exists: false }, [
      ...privacyProblems(file).map((message) => problem('unsafe', message)),
      ...findEngine(),
      note('not-found', `There is no store yet: ${file} is made when it is needed.`),
    ]);
  }
  const findings = privacyProblems(file).map((message) => problem('unsafe', message));
  let facts: Partial<StoreReport> = {};
  let raw: BetterSqlite3.Database | undefined;
  try {
    raw = openToLook(file);
    facts = { sqliteVersion: String(raw.prepare('SELECT sqlite_version()').pluck().get()) };
    checkSqliteVersion(facts.sqliteVersion ?? '');
    findings.push(...findDamage(raw, file), ...findMigrations(raw, file));
    facts = { ...facts, ...count(raw) };
    findings.push(...findHoles(raw), ...(await findDeadLeases(raw, processes)));
  } catch (error) {
    const known = toStoreError(error, file);
    findings.push(known instanceof StoreError ? problem(known.code, known.message) : problem('corrupt', String(error)));
  } finally {
    raw?.close();
  }
  return report({ file, exists: true, fileBytes: size, ...facts }, findings);
}

function openToLook(file: string): BetterSqlite3.Database {
  try {
    return new BetterSqlite3(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    if (toStoreError(error) !== error) throw error;
    throw new StoreError('unavailable', notLoaded(error), { cause: error });
  }
}

/** Before there is a store: whether one could be made. */
function findEngine(): readonly StoreFinding[] {
  try {
    new BetterSqlite3(':memory:').close();
    return [];
  } catch (error) {
    return [problem('unavailable', notLoaded(error))];
  }
}

/** Why, in a line: the loader lists every place where it has looked. */
function notLoaded(error: unknown): string {
  const [why] = String(error).split('\n', 1);
  return `History needs better-sqlite3, which does not load here: ${why} \`npm rebuild better-sqlite3\` builds its native part, with a C++ compiler.`;
}

function findDamage(raw: BetterSqlite3.Database, file: string): readonly StoreFinding[] {
  const lines = raw.prepare<[], string>('PRAGMA integrity_check(20)').pluck().all();
  if (lines.length === 1 && lines[0] === 'ok') return [];
  const what = `The store ${file} is damaged: ${lines.slice(0, 3).join('; ')}.`;
  return [problem('corrupt', `${what} \`tailrace doctor --repair\` saves every line that can still be read.`)];
}

function findMigrations(raw: BetterSqlite3.Database, file: string): readonly StoreFinding[] {
  const done = doneMigrations(raw);
  checkNotNewer(done, file);
  const isOld = Object.keys(migrations).some((name) => !done.includes(name));
  return isOld
    ? [note('unavailable', `The store ${file} is of an earlier version and is brought up to date when it is opened.`)]
    : [];
}

function count(raw: BetterSqlite3.Database): Pick<StoreReport, 'lines' | 'streams'> {
  const one = (sql: string): number => Number(raw.prepare(sql).pluck().get());
  return { lines: one('SELECT count(*) FROM lines'), streams: one('SELECT count(*) FROM streams') };
}

/** A repair leaves them where it could not save a line. */
function findHoles(raw: BetterSqlite3.Database): readonly StoreFinding[] {
  const rows = raw
    .prepare<[], { name: string; missing: number }>(
      `SELECT s.name, s.next_seq - 1 - count(l.seq) AS missing FROM streams s LEFT JOIN lines l ON l.stream = s.id
       GROUP BY s.id HAVING missing <> 0`,
    )
    .all();
  return rows.map(({ name, missing }) => note('hole', `${missing} lines of ${name} are missing.`));
}

async function findDeadLeases(raw: BetterSqlite3.Database, processes: Processes): Promise<readonly StoreFinding[]> {
  const findings: StoreFinding[] = [];
  for (const row of raw.prepare<[], StreamRow>('SELECT * FROM streams WHERE lease_token IS NOT NULL').all()) {
    const holder = holderOf(row);
    if (holder === undefined || (await isLiving(holder, processes, Date.now()))) continue;
    findings.push(
      note('busy', `Process ${holder.pid}, which wrote ${row.name}, died; whoever writes to it next takes over.`),
    );
  }
  return findings;
}

function report(facts: Omit<StoreReport, 'isGood' | 'findings'>, findings: readonly StoreFinding[]): StoreReport {
  return { ...facts, isGood: findings.every(({ level }) => level === 'note'), findings };
}

function problem(code: StoreErrorCode, message: string): StoreFinding {
  return { level: 'problem', code, message };
}

function note(code: StoreErrorCode, message: string): StoreFinding {
  return { level: 'note', code, message };
}
