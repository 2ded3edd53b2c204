// What the one who runs an agent writes into the record, beside what the agent prints: one JSON object per line, source `host`.
// docs/running.md is the published description. Rows of the record are bytes; the decoder reads these like any other line.

import type { FileChange, RunState } from './event.ts';
import { asCount, asList, asObject, asText, type Json } from './json.ts';

export type HostLine =
  /** A process is about to be started. */
  | {
      readonly type: 'run-started';
      readonly runId: string;
      readonly agent: string;
      readonly prompt?: string;
      readonly promptId?: string;
      readonly cwd?: string;
      /** The session that was asked for, by its id or to be resumed. */
      readonly sessionId?: string;
      /** The name that whoever started it has for the work. */
      readonly workOrderId?: string;
    }
  | {
      readonly type: 'state-changed';
      readonly state: RunState;
      readonly toolCallIds?: readonly string[];
      readonly reason?: string;
    }
  /** A file is not what it was. The calls are those that could have done it; none: somebody else did. */
  | {
      readonly type: 'file-changed';
      readonly path: string;
      readonly operation: 'add' | 'modify' | 'delete';
      readonly sizeBytes?: number;
      readonly toolCallIds: readonly string[];
    }
  /** The line on stdin that follows is an answer, and this is who gave it. */
  | { readonly type: 'answered'; readonly requestId: string; readonly by: 'user' | 'policy' }
  /** Something that people should know about the run: stdin broke, the watcher sees only a part. */
  | { readonly type: 'warned'; readonly code: string; readonly message: string }
  /** `afterWork`: it was ended because it hung when all was done, so how it went says nothing about the run. */
  | { readonly type: 'exited'; readonly code?: number; readonly signal?: string; readonly afterWork?: true };

export type HostLineType = HostLine['type'];

const STATES: Readonly<Record<RunState, true>> = {
  starting: true,
  working: true,
  waiting: true,
  idle: true,
  stalled: true,
  finishing: true,
  ended: true,
};
const OPERATIONS: readonly FileChange['operation'][] = ['add', 'modify', 'delete'];

/** The line that a value is, with the fields we know; nothing when it is none of ours. */
export function readHostLine(value: Json): HostLine | undefined {
  const line = asObject<Record<string, unknown>>(value);
  if (!line) return undefined;
  const text = (name: string): string | undefined => asText(line[name]);
  switch (line['type']) {
    case 'run-started': {
      const [runId, agent] = [text('runId'), text('agent')];
      if (runId === undefined || agent === undefined) return undefined;
      const told = {
        prompt: text('prompt'),
        promptId: text('promptId'),
        cwd: text('cwd'),
        sessionId: text('sessionId'),
        workOrderId: text('workOrderId'),
      };
      return { type: 'run-started', runId, agent, ...present(told) };
    }
    case 'state-changed': {
      const state = text('state');
      if (state === undefined || !Object.hasOwn(STATES, state)) return undefined;
      const calls = line['toolCallIds'] === undefined ? undefined : texts(line['toolCallIds']);
      const told = { toolCallIds: calls, reason: text('reason') };
      return { type: 'state-changed', state: state as RunState, ...present(told) };
    }
    case 'file-changed': {
      const [path, operation] = [text('path'), OPERATIONS.find((one) => one === line['operation'])];
      if (path === undefined || operation === undefined) return undefined;
      return {
        type: 'file-changed',
        path,
        operation: operation as 'add' | 'modify' | 'delete',
        ...present({ sizeBytes: asCount(line['sizeBytes']) }),
        toolCallIds: texts(line['toolCallIds']),
      };
    }
    case 'answered': {
      const requestId = text('requestId');
      if (requestId === undefined) return undefined;
      return { type: 'answered', requestId, by: line['by'] === 'policy' ? 'policy' : 'user' };
    }
    case 'warned':
      return { type: 'warned', code: text('code') ?? 'unknown', message: text('message') ?? '' };
    case 'exited': {
      const afterWork = line['afterWork'] === true || undefined;
      return { type: 'exited', ...present({ code: asCount(line['code']), signal: text('signal'), afterWork }) };
    }
    default:
      return undefined;
  }
}

function texts(value: Json): readonly string[] {
  return asList(value).flatMap((one) => asText(one) ?? []);
}

/** Without what is undefined. */
function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
