// What stands beside a session, or in its place when it is asked for: the todo list, the files, the sub-agents, how full the context is.

import { shortCount, taskOf } from '@tailrace/client/timeline';
import { type ChangedFile, type Conversation, showCost, showDuration, type Task, type TodoEntry } from '@tailrace/core';
import { column, cutFront, type Line, type SpanTone, span, spread, strong, widthOfLine } from '../text/line.ts';
import { shownLine } from '../text/shown.ts';
import { wrap } from '../text/wrap.ts';

const TODO_MARKS: Readonly<Record<TodoEntry['status'], readonly [mark: string, tone: SpanTone]>> = {
  completed: ['✓', 'good'],
  in_progress: ['●', 'working'],
  pending: ['○', 'muted'],
  cancelled: ['×', 'muted'],
};

/** One entry, on as many lines as it needs. */
export function todoLines({ content, status }: TodoEntry, width: number): readonly Line[] {
  const [mark, tone] = TODO_MARKS[status];
  const isOver = status === 'completed' || status === 'cancelled';
  return wrap(shownLine(content), width - 2).map((row, index) => [
    span(index === 0 ? `${mark} ` : '  ', tone),
    span(row, isOver ? 'muted' : 'plain'),
  ]);
}

export function todoTitle(todos: readonly TodoEntry[]): Line {
  const done = todos.filter(({ status }) => status === 'completed').length;
  return [strong('TODO'), span(todos.length === 0 ? '' : ` ${done}/${todos.length}  `), ...bar(done / todos.length, 8)];
}

const FILE_WORDS = { add: 'new ', delete: 'deleted ', move: 'moved ', copy: 'copied ', modify: '' } as const;

export function fileLine({ path, operation, linesAdded, linesRemoved }: ChangedFile, width: number): Line {
  // Where nothing was counted, a nought would be a lie.
  const isCounted = linesAdded + linesRemoved > 0;
  const counts: Line = isCounted
    ? [span(FILE_WORDS[operation], 'muted'), span(`+${linesAdded}`, 'good'), span(` −${linesRemoved}`, 'bad')]
    : [span(FILE_WORDS[operation].trimEnd() || 'changed', 'muted')];
  const room = width - widthOfLine(counts) - 1;
  return spread([span(cutFront(shownLine(path), Math.max(4, room)))], counts, width);
}

export function filesTitle(files: readonly ChangedFile[]): Line {
  const sum = (field: 'linesAdded' | 'linesRemoved'): number => files.reduce((total, one) => total + one[field], 0);
  if (files.length === 0) return [strong('FILES')];
  if (sum('linesAdded') + sum('linesRemoved') === 0)
    return [strong('FILES'), span(` ${files.length} ${files.length === 1 ? 'file' : 'files'} changed`)];
  return [
    strong('FILES'),
    span(` ${files.length}  `),
    span(`+${sum('linesAdded')}`, 'good'),
    span(` −${sum('linesRemoved')}`, 'bad'),
  ];
}

/** A sub-agent, where it stands in the tree, and the part that tells of it. */
export interface Branch {
  readonly task: Task;
  readonly depth: number;
  readonly partId: string;
}

/** The sub-agents of a session, each below the one that started it. */
export function branchesOf({ parts }: Conversation): readonly Branch[] {
  const found = new Map<string, { task: Task; partId: string; parent: string | undefined }>();
  for (const chunk of parts)
    for (const part of chunk) {
      const task = taskOf(part);
      if (task && !found.has(task.taskId))
        found.set(task.taskId, { task, partId: part.id, parent: task.parentTaskId ?? part.subagentId });
    }
  const below = new Map<string, string[]>();
  for (const [id, { parent }] of found) {
    const key = parent !== undefined && parent !== id && found.has(parent) ? parent : '';
    const list = below.get(key);
    if (list) list.push(id);
    else below.set(key, [id]);
  }
  const branches: Branch[] = [];
  const placed = new Set<string>();
  const place = (id: string, depth: number): void => {
    const one = found.get(id);
    // Tasks may name each other in a circle.
    if (!one || placed.has(id)) return;
    placed.add(id);
    branches.push({ task: one.task, depth, partId: one.partId });
    for (const child of below.get(id) ?? []) place(child, depth + 1);
  };
  for (const id of below.get('') ?? []) place(id, 0);
  for (const id of found.keys()) place(id, 0);
  return branches;
}

const TASK_MARKS: Readonly<Record<Task['status'], readonly [mark: string, tone: SpanTone]>> = {
  running: ['●', 'working'],
  completed: ['✓', 'good'],
  failed: ['✖', 'bad'],
  denied: ['✖', 'bad'],
  cancelled: ['○', 'muted'],
  unknown: ['·', 'muted'],
};

export function branchLine({ task, depth }: Branch, width: number): Line {
  const [mark, tone] = TASK_MARKS[task.status];
  const { cost, durationMs, description, name, status } = task;
  const figures = [
    status === 'completed' ? '' : status,
    showDuration(durationMs),
    cost?.currency === 'USD' ? showCost(cost.amount, cost.estimated ? 'estimated' : 'reconciled') : '',
  ].filter((one) => one !== '');
  const left: Line = [
    span(depth === 0 ? '' : `${'  '.repeat(depth - 1)}└ `, 'muted'),
    span(`${mark} `, tone),
    ...(name === undefined ? [] : [strong(`${shownLine(name)} `)]),
    span(shownLine(description ?? (name === undefined ? 'a sub-agent' : ''))),
  ];
  return spread(left, [span(figures.join('  '), 'muted')], width);
}

/** `▓▓▓░░░`. */
export function bar(share: number, width: number): Line {
  if (!Number.isFinite(share)) return [];
  const full = Math.round(Math.min(1, Math.max(0, share)) * width);
  return [span('▓'.repeat(full), 'working'), span('░'.repeat(width - full), 'muted')];
}

function contextLine({ context }: Conversation): Line | undefined {
  const { used, size } = context ?? {};
  if (used === undefined) return undefined;
  if (size === undefined || size === 0) return [strong('CONTEXT'), span(` ${shortCount(used)} tokens`)];
  return [strong('CONTEXT '), ...bar(used / size, 8), span(` ${Math.round((100 * used) / size)} %`)];
}

export interface SideParts {
  readonly conversation: Conversation;
  readonly files: readonly ChangedFile[];
  readonly branches: readonly Branch[];
}

/** All of it in a column; what there is no room for is told by its number. */
export function sideLines(
  { conversation, files, branches }: SideParts,
  width: number,
  height: number,
): readonly Line[] {
  const { todos } = conversation;
  const context = contextLine(conversation);
  const sections: { readonly title: Line; readonly lines: readonly Line[] }[] = [
    ...(todos.length > 0
      ? [{ title: todoTitle(todos), lines: todos.map((one) => todoLines(one, width)[0] ?? []) }]
      : []),
    ...(files.length > 0 ? [{ title: filesTitle(files), lines: files.map((one) => fileLine(one, width)) }] : []),
    ...(branches.length > 0
      ? [
          {
            title: [strong('SUB-AGENTS'), span(` ${branches.length}`)],
            lines: branches.map((one) => branchLine(one, width)),
          },
        ]
      : []),
    ...(context ? [{ title: context, lines: [] }] : []),
  ];
  const room = Math.max(1, Math.floor((height - 2 * sections.length) / Math.max(1, sections.length)));
  return sections.flatMap(({ title, lines }, index) => {
    const most = lines.length <= room + 1 ? lines.length : room;
    const more = lines.length - most;
    return [
      ...(index === 0 ? [] : [[]]),
      title,
      ...lines.slice(0, most),
      ...(more > 0 ? [[span(column(`${more} more`, width), 'muted')]] : []),
    ];
  });
}
