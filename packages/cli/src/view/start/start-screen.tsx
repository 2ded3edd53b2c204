// Starts a run: where, what, and with whom.

import { useClient } from '@tailrace/client/react';
import { type StartFields, sentenceOf, sessionOfRun, startWish } from '@tailrace/client/timeline';
import type { AgentInfo, ProjectInfo } from '@tailrace/protocol';
import { type ReactElement, useEffect, useState } from 'react';
import { TrustScreen } from '../answer/trust-screen.tsx';
import { Drawn } from '../drawn.tsx';
import { type KeyName, typed } from '../keys.ts';
import { useLost } from '../lost-line.tsx';
import { bodyHeight, Frame, keyLine, rule, type Size } from '../screen.tsx';
import { useLatest } from '../scroll/use-pane.ts';
import { column, type Line, span, strong } from '../text/line.ts';
import { own, shownLine } from '../text/shown.ts';
import { useGone } from '../use-gone.ts';
import { useIntent } from '../use-intent.ts';
import { useAllKeys } from '../use-keys.tsx';
import { BOX_EDGE, boxLines } from '../write/box-lines.ts';
import { useWriter } from '../write/use-writer.ts';
import { type FieldName, firstFields, nextChoice, type StartField, startFields } from './start-fields.ts';

export interface StartScreenProps {
  readonly size: Size;
  /** The project that the person looked at. */
  readonly projectId: string | null | undefined;
  readonly onStarted: (sessionId: string, runId: string) => void;
  readonly onClose: () => void;
}

interface Offer {
  readonly projects: readonly ProjectInfo[];
  readonly agents: readonly AgentInfo[];
}

export function StartScreen(props: StartScreenProps): ReactElement {
  const { http } = useClient();
  const [offer, setOffer] = useState<Offer>();
  const [problem, setProblem] = useState('');
  const gone = useGone();
  useEffect(() => {
    Promise.all([http.projects({ signal: gone }), http.agents({ signal: gone })]).then(
      ([projects, agents]) => setOffer({ projects, agents }),
      (error: unknown) => setProblem(sentenceOf(error)),
    );
  }, [http, gone]);
  if (offer && offer.projects.length > 0) return <StartForm {...props} {...offer} />;
  return (
    <Waiting
      {...props}
      lines={
        problem !== ''
          ? [[span(`  ${own(problem)}`, 'bad')]]
          : offer
            ? NO_PROJECT
            : [[span('  Looking for projects …', 'muted')]]
      }
    />
  );
}

const NO_PROJECT: readonly Line[] = [
  [span('  There is no project yet.')],
  [],
  [span('  A folder becomes one when an agent has worked in it. Go there, and:', 'muted')],
  [span('  tailrace run "…"     tailrace serve --root DIR', 'muted')],
];

const TITLE: Line = [span(' ‹ ', 'muted'), strong('New run')];

function Waiting({ size, lines, onClose }: StartScreenProps & { readonly lines: readonly Line[] }): ReactElement {
  const head: readonly Line[] = [TITLE, rule(size.columns)];
  const foot: readonly Line[] = [keyLine([['Esc', 'back']], size.columns)];
  useAllKeys((key) => {
    if (key === '<escape>' || key === '<ctrl-c>' || key === 'q') onClose();
  });
  return (
    <Frame size={size} head={head} foot={foot}>
      <Drawn lines={[[], ...lines]} width={size.columns} height={bodyHeight(size, head, foot)} />
    </Frame>
  );
}

const LABEL = 14;

function StartForm({ size, projectId, projects, agents, onStarted, onClose }: StartScreenProps & Offer): ReactElement {
  const client = useClient();
  const isLost = useLost();
  const intent = useIntent();
  const gone = useGone();
  const fields = useLatest<StartFields>(firstFields(projects, agents, projectId));
  /** The field that keys go to. */
  const at = useLatest<FieldName>('prompt');
  /** What is typed to find a choice. */
  const words = useLatest('');
  const [fault, setFault] = useState('');
  const [isWaiting, setWaiting] = useState(false);
  const isBusy = intent.isBusy || isWaiting;
  const { folder } = intent;
  const width = size.columns;
  const shownFields = startFields(projects, agents, fields.get());
  const current = shownFields.find(({ name }) => name === at.get());

  const head: readonly Line[] = [TITLE, rule(width)];
  const foot: readonly Line[] = [
    keyLine(
      [
        ['Tab', 'next field'],
        ...(current?.choices ? [['↑ ↓', 'choose'] as const, ['a…z', 'find'] as const] : []),
        ['Enter', current ? 'next field' : 'starts'],
        ['Esc', 'leaves'],
        ...(current ? [] : [['Alt-Enter', 'next line'] as const]),
      ],
      width,
    ),
  ];
  const height = bodyHeight(size, head, foot);
  const writer = useWriter({
    isActive: current === undefined && folder === null,
    columns: width - BOX_EDGE,
    rows: Math.max(1, Math.min(height - 2, Math.max(3, height - shownFields.length - 4))),
    take: (key) => (isBusy ? key !== '<escape>' && key !== '<ctrl-c>' : moveBy(key)),
    onSend: (text) => void start(text),
    onLeave: onClose,
  });

  /** Tab and its like, wherever it is pressed. */
  function moveBy(key: KeyName): boolean {
    const by = key === '<tab>' ? 1 : key === '<shift-tab>' ? -1 : 0;
    if (by === 0) return false;
    const names: readonly FieldName[] = [...shownFields.map(({ name }) => name), 'prompt'];
    words.put('');
    at.set(names[(names.indexOf(at.get()) + by + names.length) % names.length] ?? 'prompt');
    return true;
  }

  function fill(name: FieldName, value: string): void {
    setFault('');
    intent.clear();
    fields.set({ ...fields.get(), [name]: value });
  }

  useAllKeys(
    (key) => {
      if (!current) return;
      if (key === '<escape>' || key === '<ctrl-c>') return onClose();
      if (moveBy(key === '<enter>' ? '<tab>' : key)) return;
      const { name, choices } = current;
      if (!choices) {
        const next = typed(fields.get()[name], key);
        return next === undefined ? undefined : fill(name, next);
      }
      const by = key === '<down>' || key === '<right>' ? 1 : key === '<up>' || key === '<left>' ? -1 : 0;
      if (by !== 0) return fill(name, nextChoice(current, fields.get()[name], by, words.get()));
      const next = typed(words.get(), key);
      if (next === undefined) return;
      words.set(next);
      if (!fits(current, fields.get()[name], next)) fill(name, nextChoice(current, fields.get()[name], 1, next));
    },
    current !== undefined && folder === null,
  );

  async function start(text: string, trust?: string): Promise<void> {
    if (isBusy) return;
    const filled = { ...fields.get(), prompt: text.trimEnd() };
    const wish = startWish(
      filled,
      agents.find(({ name }) => name === filled.agent),
    );
    if ('fault' in wish) return setFault(wish.fault);
    setFault('');
    const started = await intent.run((commandId) =>
      client.command({ ...wish.command, ...(trust !== undefined && { trust }) }, { commandId }),
    );
    if (!started) return;
    setWaiting(true);
    const sessionId = started.sessionId ?? (await sessionOfRun(client, started.runId, { signal: gone }));
    // Whoever has gone elsewhere meanwhile stays there.
    if (sessionId !== undefined && !gone.aborted) onStarted(sessionId, started.runId);
  }

  if (folder)
    return (
      <TrustScreen
        folder={folder}
        size={size}
        onTrust={(digest) => void start(writer.text, digest)}
        onRefuse={intent.clear}
      />
    );
  const lines: readonly Line[] = [
    ...shownFields.map((field) => fieldLine(field, fields.get()[field.name], field === current, words.get())),
    [],
    ...boxLines(current ? { ...writer, lines: quiet(writer.lines) } : writer, {
      title: 'what is to be done',
      keys: [],
      width,
      isBusy,
      isLost,
      problem: fault === '' ? intent.error : fault,
    }),
  ];
  return (
    <Frame size={size} head={head} foot={foot}>
      <Drawn
        lines={around(lines, current ? shownFields.indexOf(current) : lines.length - 1, height)}
        width={width}
        height={height}
      />
    </Frame>
  );
}

/** As many lines as there is room for, and the one that is meant among them. */
function around(lines: readonly Line[], at: number, height: number): readonly Line[] {
  return lines.slice(Math.max(0, Math.min(at - height + 2, lines.length - height)));
}

function fits({ choices = [] }: StartField, value: string, words: string): boolean {
  const label = choices.find((one) => one.value === value)?.label ?? '';
  return label.toLowerCase().includes(words.trim().toLowerCase());
}

function fieldLine({ label, choices, empty }: StartField, value: string, isCurrent: boolean, words: string): Line {
  const text = choices ? (choices.find((one) => one.value === value)?.label ?? '') : value;
  const shownText = shownLine(text);
  const name: Line = [
    span(isCurrent ? '▌ ' : '  ', 'working'),
    isCurrent ? strong(column(label, LABEL)) : span(column(label, LABEL), 'muted'),
  ];
  if (!choices)
    return [
      ...name,
      span(shownText),
      ...(isCurrent ? [{ text: ' ', isTurned: true as const }] : []),
      ...(value === '' ? [span(empty, 'muted')] : []),
    ];
  return [
    ...name,
    span(isCurrent ? `‹ ${shownText} ›` : shownText),
    ...(isCurrent && words !== '' ? [span(`   find: ${shownLine(words)}`, 'working')] : []),
  ];
}

/** Where nobody writes there is no cursor. */
function quiet(lines: readonly Line[]): readonly Line[] {
  return lines.map((line) => line.map(({ isTurned: _, ...one }) => one));
}
