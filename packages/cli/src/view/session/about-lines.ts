// What a session is: where, with what, since when. Its id is for machines, and is told when somebody asks for it.

import { lookOf } from '@tailrace/client/timeline';
import type { Conversation } from '@tailrace/core';
import type { SessionInfo } from '@tailrace/protocol';
import { showWhen } from '../../printer/when.ts';
import { column, type Line, span, strong } from '../text/line.ts';
import { shownLine } from '../text/shown.ts';
import { wrap } from '../text/wrap.ts';

const LABEL = 18;

export interface AboutParts {
  readonly session: SessionInfo;
  readonly conversation: Conversation;
  readonly isIdShown: boolean;
  readonly width: number;
}

export function aboutLines({ session, conversation, isIdShown, width }: AboutParts): readonly Line[] {
  const { agentVersion, permissionMode, tools, mcpServers } = conversation;
  const agent = agentVersion === null ? session.agent : `${session.agent} ${agentVersion}`;
  const facts: readonly (readonly [label: string, text: string | null])[] = [
    ['title', session.title],
    ['state', lookOf(session).word],
    ['project', session.project],
    ['folder', session.cwd],
    ['agent', agent],
    ['model', session.model],
    ['permission mode', permissionMode],
    ['begun', session.startedAt === null ? null : showWhen(session.startedAt)],
    ['last active', session.endedAt === null ? null : showWhen(session.endedAt)],
    ['tags', session.tags.length === 0 ? null : session.tags.join(', ')],
    ['lines kept', session.lines.toLocaleString('en')],
    [
      'MCP servers',
      mcpServers.map(({ name, status }) => (status === undefined ? name : `${name} (${status})`)).join(', ') || null,
    ],
    ['tools', tools.join(', ') || null],
    ['id', isIdShown ? session.id : null],
  ];
  return [
    ...facts.flatMap(([label, text]) => (text === null ? [] : factLines(label, text, width))),
    [],
    [
      strong('y'),
      span(' copies the command that goes on with it'),
      ...(isIdShown ? [] : [strong('   i'), span(' tells its id')]),
    ],
  ];
}

function factLines(label: string, text: string, width: number): readonly Line[] {
  return wrap(shownLine(text), Math.max(10, width - LABEL)).map((row, index) => [
    span(column(index === 0 ? label : '', LABEL), 'muted'),
    span(row),
  ]);
}
