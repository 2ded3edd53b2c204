// A question: options to choose from and room for other words, one question after the other; or a form, field by field.

import { type FormField, formContent, formFieldsOf, questionsOf } from '@tailrace/client/timeline';
import type { AskedQuestion, EventOf } from '@tailrace/core';
import type { ReactElement } from 'react';
import { Drawn } from '../drawn.tsx';
import { bodyHeight, Frame, rule, useNotes } from '../screen.tsx';
import { useLatest, usePane } from '../scroll/use-pane.ts';
import { cutText, type Line, span, spread, strong } from '../text/line.ts';
import { approvable, shownLine } from '../text/shown.ts';
import { wrap } from '../text/wrap.ts';
import { useKeys } from '../use-keys.tsx';
import { boxRows } from '../write/box-lines.ts';
import { useWriter } from '../write/use-writer.ts';
import { givenLine, toldLines, useAnswering } from './answering.ts';
import type { AnswerScreenProps } from './permission-screen.tsx';

export interface QuestionScreenProps extends AnswerScreenProps {
  readonly event: EventOf<'question-request'>;
}

/** One thing that is asked, whatever form it has. */
interface Step {
  readonly key: string;
  readonly text: string;
  readonly options: readonly { readonly label: string; readonly description?: string }[];
  readonly isMultiple: boolean;
  /** May be in the person's own words. */
  readonly isOpen: boolean;
  readonly isRequired: boolean;
}

interface State {
  readonly step: number;
  /** What was chosen of the step that is asked now. */
  readonly chosen: ReadonlySet<number>;
  /** Own words are being written. */
  readonly isWriting: boolean;
  /** Answers to the steps before. */
  readonly told: readonly (readonly [key: string, text: string])[];
}

/** The mark at the edge and the number of the option. */
const WORDS_EDGE = 7;

const FIRST: State = { step: 0, chosen: new Set(), isWriting: false, told: [] };

export function QuestionScreen(props: QuestionScreenProps): ReactElement {
  const { request, event, size, place, number } = props;
  const { note, tell } = useNotes();
  const answering = useAnswering(request, tell, props.isLost);
  const { isArmed, isGiven, give } = answering;
  const questions = questionsOf(event);
  const fields = questions.length > 0 ? [] : formFieldsOf(event.schema);
  const steps =
    questions.length > 0 ? questions.map(stepOf) : fields.length > 0 ? fields.map(fieldStep) : [yesOrNo(event)];
  const state = useLatest<State>(FIRST);
  const { step: at, chosen, isWriting } = state.get();
  const step = steps[at];
  const width = size.columns;
  const isReady = isArmed && !isGiven;

  const head: readonly Line[] = [
    spread(
      [
        strong(' ? ', 'waiting'),
        strong(`${cutText(shownLine(request.agent), 24)} asks you in ${shownLine(place)}`, 'waiting'),
      ],
      [span(`${steps.length > 1 ? `question ${at + 1} of ${steps.length}  ` : ''}${number} `, 'muted')],
      width,
    ),
    rule(width),
  ];
  const told = toldLines(answering, note, width);
  const foot: readonly Line[] = [rule(width), ...(told.length > 0 ? told : [footLine()])];
  const height = bodyHeight(size, head, foot);
  const asked = wrap(approvable(step?.text ?? event.message), width - 4).map((row): Line => [span('  '), strong(row)]);
  const writer = useWriter({
    isActive: isWriting && isReady,
    columns: width - WORDS_EDGE,
    rows: boxRows(size.rows),
    onSend(text) {
      const own = text.trim();
      if (own === '' && step?.isRequired) return;
      const labels = step?.isMultiple ? labelsOf(step, chosen) : [];
      tellStep([...labels, own].filter((one) => one !== '').join(', '));
    },
    onLeave: () => state.set({ ...state.get(), isWriting: false }),
  });
  const items = step ? itemsOf(step, chosen, isWriting ? writer.lines : undefined, width - 6) : [];
  // A long question leaves room for what can be chosen.
  const top = asked.slice(0, Math.max(1, height - Math.min(items.length + 1, 6)));
  const pane = usePane({ count: items.length, room: height - top.length - 1, linesOf: (item) => items[item] ?? [] });

  /** Goes on to the next step, or gives the answer. */
  function tellStep(text: string): void {
    if (!step) return;
    const told = [...state.get().told, [step.key, text] as const];
    if (at + 1 < steps.length) {
      state.set({ ...FIRST, step: at + 1, told });
      return pane.choose(0);
    }
    if (questions.length > 0) return void give({ decision: 'answer', content: Object.fromEntries(told) });
    if (fields.length === 0)
      return void give(text === 'yes' ? { decision: 'answer', content: {} } : { decision: 'deny' });
    const content = formContent(fields, Object.fromEntries(told));
    if (content) return void give({ decision: 'answer', content });
    state.set(FIRST);
    tell('Something in it is missing, or is no number: once more from the beginning.');
  }

  function pick(index: number): void {
    if (!step) return;
    if (index >= step.options.length) {
      writer.write('');
      return state.set({ ...state.get(), isWriting: true });
    }
    if (!step.isMultiple) return tellStep(step.options[index]?.label ?? '');
    const next = new Set(chosen);
    if (next.has(index)) next.delete(index);
    else next.add(index);
    state.set({ ...state.get(), chosen: next });
  }

  useKeys((key) => {
    if (key === '<escape>') return props.onClose();
    if (key === 'q') return props.onLeave();
    if (pane.take(key)) return;
    if (!isReady || !step) return;
    if (key === 'n') return void give({ decision: 'deny' });
    if (/^[1-9]$/.test(key) && Number(key) <= items.length) {
      pane.choose(Number(key) - 1);
      return pick(Number(key) - 1);
    }
    if (key === ' ') return pick(pane.chosen);
    if (key !== '<enter>') return;
    const labels = labelsOf(step, chosen);
    if (step.isMultiple && pane.chosen < step.options.length) {
      if (labels.length > 0) tellStep(labels.join(', '));
      else tell('Nothing is chosen yet: Space chooses.');
    } else pick(pane.chosen);
  });

  function footLine(): Line {
    if (isGiven) return givenLine(answering);
    const tone = isReady ? 'plain' : 'muted';
    if (isWriting) return [strong(' Enter'), span(' answers   '), strong('Esc'), span(' back')];
    return [
      ...(step?.isMultiple ? [strong(' Space', tone), span(' chooses  ', tone)] : []),
      strong(' Enter', tone),
      span(' answers   ', tone),
      strong('n', tone),
      span(' do not answer   ', tone),
      span('Esc later', 'muted'),
    ];
  }

  return (
    <Frame size={size} head={head} foot={foot}>
      <Drawn
        lines={[
          ...top,
          [],
          ...pane.lines.map(({ item, line }): Line => [span(item === pane.chosen ? '▌ ' : '  ', 'working'), ...line]),
        ]}
        width={width}
        height={height}
      />
    </Frame>
  );
}

function labelsOf({ options }: Step, chosen: ReadonlySet<number>): readonly string[] {
  return options.filter((_, index) => chosen.has(index)).map(({ label }) => label);
}

function stepOf({ question, options, isMultiple }: AskedQuestion): Step {
  return { key: question, text: question, options, isMultiple: isMultiple === true, isOpen: true, isRequired: true };
}

function fieldStep({ name, label, type, choices, isRequired }: FormField): Step {
  const labels = type === 'boolean' ? ['yes', 'no'] : choices;
  return {
    key: name,
    text: isRequired ? label : `${label} (may be empty)`,
    options: labels.map((one) => ({ label: one })),
    isMultiple: false,
    isOpen: labels.length === 0,
    isRequired,
  };
}

function yesOrNo({ message }: EventOf<'question-request'>): Step {
  return {
    key: '',
    text: message,
    options: [{ label: 'yes' }, { label: 'no' }],
    isMultiple: false,
    isOpen: false,
    isRequired: true,
  };
}

function itemsOf(
  { options, isMultiple, isOpen }: Step,
  chosen: ReadonlySet<number>,
  words: readonly Line[] | undefined,
  width: number,
): readonly (readonly Line[])[] {
  const items = options.map(({ label, description }, index): readonly Line[] => {
    const box = isMultiple ? (chosen.has(index) ? '[x] ' : '[ ] ') : '';
    const rows = wrap(approvable(label).replaceAll('\n', '\\n'), width - 8);
    const more = description === undefined ? [] : wrap(approvable(description), width - 8);
    return [
      ...rows.map((row, line): Line => [span(line === 0 ? `${index + 1}  ${box}` : '       ', 'muted'), span(row)]),
      ...more.map((row): Line => [span(isMultiple ? '       ' : '   '), span(row, 'muted')]),
    ];
  });
  if (!isOpen) return items;
  const rows: readonly Line[] = words ?? [[span('in your own words …', 'muted')]];
  return [
    ...items,
    rows.map((row, line): Line => [span(line === 0 ? `${options.length + 1}  ` : '   ', 'muted'), ...row]),
  ];
}
