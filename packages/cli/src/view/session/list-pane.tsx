// The sub-agents, the todo list or the files of a session, in its place. Enter leads to where it happened.

import type { ChangedFile, Conversation } from '@tailrace/core';
import type { ReactElement } from 'react';
import { Drawn } from '../drawn.tsx';
import { usePane } from '../scroll/use-pane.ts';
import { type Line, span, strong } from '../text/line.ts';
import { useKeys } from '../use-keys.tsx';
import { type Branch, branchLine, fileLine, filesTitle, todoLines, todoTitle } from './side-lines.ts';

export type ListName = 'sub-agents' | 'todo' | 'files';

export interface ListPaneProps {
  readonly name: ListName;
  readonly conversation: Conversation;
  readonly files: readonly ChangedFile[];
  readonly branches: readonly Branch[];
  readonly width: number;
  readonly height: number;
  readonly isActive: boolean;
  /** Leads to a part. */
  readonly onShow: (partId: string) => void;
}

interface Item {
  readonly lines: readonly Line[];
  readonly partId: string | undefined;
}

const NOTHING: Readonly<Record<ListName, string>> = {
  'sub-agents': 'No sub-agent was started.',
  todo: 'There is no todo list.',
  files: 'Nothing was changed.',
};

/** The edge, and room at both sides. */
const EDGE = 4;

export function ListPane(props: ListPaneProps): ReactElement {
  const { name, conversation, width, height, isActive, onShow } = props;
  const items = itemsOf(props, width - EDGE);
  const pane = usePane({ count: items.length, room: height - 2, linesOf: (item) => items[item]?.lines ?? [] });
  useKeys((key) => {
    if (key !== '<enter>') return void pane.take(key);
    const id = items[pane.chosen]?.partId;
    if (id !== undefined) onShow(id);
  }, isActive);
  const title: Line =
    name === 'todo'
      ? todoTitle(conversation.todos)
      : name === 'files'
        ? filesTitle(props.files)
        : [strong('SUB-AGENTS'), span(props.branches.length === 0 ? '' : ` ${props.branches.length}`)];
  const lines = pane.lines.map(
    ({ item, line }): Line => [span(item === pane.chosen ? '▌ ' : '  ', 'working'), ...line],
  );
  const body: readonly Line[] = items.length === 0 ? [[span(`  ${NOTHING[name]}`, 'muted')]] : lines;
  return <Drawn lines={[[span('  '), ...title], [], ...body]} width={width} height={height} />;
}

function itemsOf({ name, conversation, files, branches }: ListPaneProps, width: number): readonly Item[] {
  if (name === 'todo') return conversation.todos.map((one) => ({ lines: todoLines(one, width), partId: undefined }));
  if (name === 'sub-agents') return branches.map((one) => ({ lines: [branchLine(one, width)], partId: one.partId }));
  return files.map((one) => ({ lines: [fileLine(one, width)], partId: changerOf(conversation, one.path) }));
}

/** The last part that changed a file. */
function changerOf({ parts, cwd }: Conversation, path: string): string | undefined {
  const whole = cwd === null ? path : `${cwd}/${path}`;
  for (const chunk of [...parts].reverse())
    for (const part of [...chunk].reverse())
      if (!part.hidden && 'changes' in part && part.changes?.some((one) => one.path === path || one.path === whole))
        return part.id;
  return undefined;
}
