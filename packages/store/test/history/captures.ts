// The recorded sessions of one agent as streams of the record: the run's stdout, its file, the files of its sub-agents.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NewLine } from '../../src/contract.ts';
import type { SuiteSession, SuiteStream } from '../../src/suite/history-suite.ts';

const folder = fileURLToPath(new URL('../../../../fixtures/claude/2.1.325/', import.meta.url));

/** When the lines arrive, as far as the tests are concerned. */
export const ARRIVAL = 1_794_720_000_000;

export const recordedSessions: readonly SuiteSession[] = readdirSync(folder)
  .filter((file) => file.endsWith('.meta.json'))
  .sort()
  .map((file) => {
    const name = file.slice(0, -'.meta.json'.length);
    const meta = JSON.parse(readFileSync(folder + file, 'utf8'));
    const run: SuiteStream = {
      name: `run:${name}`,
      facts: { kind: 'run', agent: 'claude' },
      lines: linesOf(readFileSync(`${folder}${name}.ndjson`), 'stdout'),
    };
    return { name, streams: [run, ...filesOf(name, meta.transcripts ?? [])] };
  });

/** What another agent printed, each capture as a run of its own. */
export function recordedRuns(agent: string, version: string): readonly SuiteStream[] {
  const captures = fileURLToPath(new URL(`../../../../fixtures/${agent}/${version}/`, import.meta.url));
  return readdirSync(captures)
    .filter((file) => file.endsWith('.ndjson'))
    .sort()
    .map((file) => ({
      name: `run:${agent}:${file}`,
      facts: { kind: 'run', agent },
      lines: linesOf(readFileSync(captures + file), 'stdout'),
    }));
}

export function recordedSession(name: string): SuiteSession {
  const found = recordedSessions.find((one) => one.name === name);
  if (!found) throw new Error(`no capture is called ${name}`);
  return found;
}

/** Lines as they are read, each with its line feed where it has one. */
function linesOf(bytes: Uint8Array, source: NewLine['source'], at: number = ARRIVAL): readonly NewLine[] {
  const lines: NewLine[] = [];
  for (let begin = 0; begin < bytes.length; ) {
    const end = bytes.indexOf(10, begin);
    const next = end < 0 ? bytes.length : end + 1;
    lines.push({ at: at + lines.length, source, bytes: bytes.subarray(begin, next) });
    begin = next;
  }
  return lines;
}

function filesOf(
  name: string,
  list: readonly { readonly file: string; readonly kind: string; readonly original_path: string }[],
): readonly SuiteStream[] {
  return list
    .filter(({ file, kind }) => kind !== 'subagent-meta' && existsSync(folder + file))
    .map(({ file, original_path: path }) => {
      const aboutFile = folder + file.replace('.transcript.jsonl', '.agent.json');
      const about: unknown = existsSync(aboutFile) ? JSON.parse(readFileSync(aboutFile, 'utf8')) : undefined;
      return {
        name: `transcript:${name}:${path}`,
        facts: { kind: 'transcript', agent: 'claude', path, sessionId: sessionIn(path), about },
        lines: linesOf(readFileSync(folder + file), 'transcript'),
      };
    });
}

/** `…/<session>.jsonl`, or `…/<session>/subagents/agent-x.jsonl`. */
function sessionIn(path: string): string | undefined {
  const parts = path.split('/');
  const place = parts.indexOf('subagents');
  return place > 0 ? parts[place - 1] : basename(path, '.jsonl');
}
