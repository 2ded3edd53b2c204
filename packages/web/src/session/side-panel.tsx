// What stands beside a timeline. On a narrow screen it is behind tabs: one section at a time, in a drawer.

import type { Conversation } from '@tailrace/core';
import type { SessionDetail } from '@tailrace/protocol';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../ui/button.tsx';
import { CheckpointsPanel } from './checkpoints-panel.tsx';
import { CostPanel } from './cost-panel.tsx';
import { FilesPanel } from './files-panel.tsx';
import { PANEL_TITLES, PANELS, Panel, type PanelName } from './panel.tsx';
import { SubagentsPanel } from './subagents-panel.tsx';
import { TodoPanel } from './todo-panel.tsx';
import { unreadLines } from './unread-lines.ts';

export interface SidePanelProps {
  readonly conversation: Conversation;
  readonly session: SessionDetail;
  readonly eventCount: number;
  /** Leads to a part of the timeline. */
  readonly onShow: (partId: string) => void;
  readonly onRaw: () => void;
}

export function SidePanel(props: SidePanelProps): ReactElement {
  return (
    <aside aria-label="About this session" className="h-full overflow-y-auto border-l border-line">
      {PANELS.map((name) => (
        <Section key={name} name={name} {...props} />
      ))}
      <RawPanel {...props} />
    </aside>
  );
}

export interface PanelTabsProps extends SidePanelProps {
  readonly open: PanelName | null;
  readonly onOpen: (name: PanelName | null) => void;
}

/** The same on a narrow screen. */
export function PanelTabs({ open, onOpen, ...props }: PanelTabsProps): ReactElement {
  return (
    <>
      <nav aria-label="About this session" className="flex gap-1 overflow-x-auto border-b border-line px-3 py-1">
        {PANELS.map((name) => (
          <Button
            key={name}
            kind="quiet"
            size="sm"
            aria-expanded={open === name}
            className={clsx(open === name && 'bg-sunken text-text')}
            onClick={() => onOpen(open === name ? null : name)}
          >
            {PANEL_TITLES[name]}
          </Button>
        ))}
        <Button kind="quiet" size="sm" onClick={props.onRaw}>
          Raw
        </Button>
      </nav>
      {open && (
        <div className="absolute inset-x-0 bottom-0 z-20 max-h-[75%] animate-enter overflow-y-auto rounded-t-md border-t border-line bg-raised pb-4 shadow-lg">
          <div className="-mb-2 flex justify-end px-3 pt-1">
            <Button kind="quiet" size="sm" aria-label="Close" onClick={() => onOpen(null)}>
              <X className="size-3.5" />
            </Button>
          </div>
          <Section
            name={open}
            {...props}
            onShow={(partId) => {
              onOpen(null);
              props.onShow(partId);
            }}
          />
        </div>
      )}
    </>
  );
}

function Section({ name, conversation, session, onShow }: SidePanelProps & { readonly name: PanelName }): ReactElement {
  switch (name) {
    case 'todos':
      return <TodoPanel todos={conversation.todos} />;
    case 'files':
      return <FilesPanel conversation={conversation} onShow={onShow} />;
    case 'cost':
      return <CostPanel conversation={conversation} session={session} />;
    case 'checkpoints':
      return <CheckpointsPanel session={session} />;
    case 'subagents':
      return <SubagentsPanel conversation={conversation} session={session} onShow={onShow} />;
  }
}

function RawPanel({ session, eventCount, onRaw }: SidePanelProps): ReactElement {
  const unread = unreadLines(session.summary);
  return (
    <Panel
      name="raw"
      title="Raw lines"
      figure={
        <span className="figures">
          {session.lines}
          {unread > 0 && ` · ${unread} not understood`}
        </span>
      }
    >
      <Button kind="quiet" size="sm" className="-ml-2" onClick={onRaw}>
        Show {eventCount} {eventCount === 1 ? 'event' : 'events'}
      </Button>
    </Panel>
  );
}
