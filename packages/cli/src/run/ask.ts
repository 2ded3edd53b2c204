// Asks the person what the agent wants to know: a permission, a plan, a question with options, or a form.

import { type Answer, type AskedQuestion, type EventOf, type RequestEvent, revealHidden } from '@tailrace/core';
import type { Palette } from '../printer/palette.ts';
import { editInput } from './edit.ts';
import { revealLine, showInput } from './reveal.ts';

export interface Asker {
  readonly agent: string;
  /** The plan that a call puts forward, where it is one. */
  planOf(toolCallId: string | undefined): string | undefined;
  readonly palette: Palette;
  /** How many rows the screen has. */
  readonly rows: number;
  write(text: string): void;
  /** The next line of the person; undefined: nobody answers. */
  line(prompt: string): Promise<string | undefined>;
}

/** Rows of the screen that are for other things than the input, and what is shown again of a longer one. */
const HEAD_ROOM = 8;
const HEAD_ROWS = 5;
const HEAD_WIDTH = 200;

/** The answer, or undefined when the person broke off. */
export function ask(request: RequestEvent, asker: Asker): Promise<Answer | undefined> {
  return request.type === 'permission-request' ? askPermission(request, asker) : askQuestions(request, asker);
}

async function askPermission(request: EventOf<'permission-request'>, asker: Asker): Promise<Answer | undefined> {
  const { palette, write } = asker;
  const always = request.options?.find(({ kind }) => kind === 'allow_always');
  let input = request.input;
  for (let isNew = true; ; ) {
    if (isNew) {
      write(`\n${palette.waiting(`? ${asker.agent} asks to use ${revealLine(request.toolName ?? 'a tool')}`)}\n`);
      const plan = asker.planOf(request.toolCallId);
      const rows = [...(plan === undefined ? [] : showInput(plan)), ...showInput(input)];
      for (const row of rows) write(`    ${row}\n`);
      const size = rows.reduce((sum, row) => sum + [...row].length, 0);
      write(palette.dim(`    (the whole input, ${size} characters in ${rows.length} lines)\n`));
      // What has left the screen is told again by its beginning: the end alone could be harmless.
      if (rows.length > asker.rows - HEAD_ROOM)
        for (const row of ['it begins with:', ...rows.slice(0, HEAD_ROWS)]) write(`    ${row.slice(0, HEAD_WIDTH)}\n`);
      if (request.reason !== undefined) write(palette.dim(`    why it asks: ${revealLine(request.reason)}\n`));
      if (always) write(palette.dim(`    a: ${revealLine(always.name)}\n`));
      isNew = false;
    }
    const word = await asker.line(
      `  [y] allow once  ${always ? '[a] allow for this session  ' : ''}[e] edit  [n] deny › `,
    );
    switch (word?.trim().toLowerCase()) {
      case undefined:
        return undefined;
      case 'y':
      case 'yes':
        return { decision: 'allow', ...(input !== request.input && { input }) };
      case 'a':
      case 'always':
        if (always) return { decision: 'allow', always: true };
        break;
      case 'n':
      case 'no':
        return deny(asker);
      case 'e':
      case 'edit': {
        const edited = await editInput(input);
        if ('fault' in edited) write(`  ${edited.fault}\n`);
        else {
          input = edited.input;
          isNew = true;
        }
        break;
      }
    }
  }
}

async function deny(asker: Asker): Promise<Answer | undefined> {
  const reason = await asker.line('  what is it to do instead? (Enter: nothing said) › ');
  return reason === undefined
    ? undefined
    : { decision: 'deny', ...(reason.trim() !== '' && { reason: reason.trim() }) };
}

// ── Questions ─────────────────────────────────────────────────────────────────────────────────────

async function askQuestions(request: EventOf<'question-request'>, asker: Asker): Promise<Answer | undefined> {
  const { palette, write } = asker;
  const content: Record<string, unknown> = {};
  if (request.questions !== undefined) {
    for (const question of request.questions) {
      const chosen = await askOne(question, asker);
      if (chosen === undefined) return undefined;
      if (chosen === null) return { decision: 'deny' };
      content[question.question] = chosen;
    }
    return { decision: 'answer', content };
  }
  write(`\n${palette.waiting(`? ${indented(request.message)}`)}\n`);
  const fields = fieldsOf(request.schema);
  const word = await asker.line(fields.length > 0 ? '  [y] answer  [n] decline › ' : '  [y] yes  [n] no › ');
  if (word === undefined) return undefined;
  if (!/^y(es)?$/i.test(word.trim())) return { decision: 'deny' };
  for (const field of fields) {
    const value = await askField(field, asker);
    if (value === undefined) return undefined;
    if (value.told !== undefined) content[field.name] = value.told;
  }
  return { decision: 'answer', content };
}

/** What was chosen; null: the person declines; undefined: they broke off. */
async function askOne(asked: AskedQuestion, asker: Asker): Promise<string | null | undefined> {
  const { palette, write } = asker;
  write(`\n${palette.waiting(`? ${indented(asked.question)}`)}\n`);
  asked.options.forEach(({ label, description }, index) => {
    write(`    ${index + 1}  ${revealLine(label)}${description ? palette.dim(`  ${revealLine(description)}`) : ''}\n`);
  });
  const how = asked.isMultiple ? 'numbers with commas' : 'a number';
  for (;;) {
    const word = await asker.line(`  ${asked.options.length > 0 ? `${how}, or ` : ''}your own words (n: no answer) › `);
    const text = word?.trim();
    if (text === undefined) return undefined;
    if (/^no?$/i.test(text)) return null;
    if (text === '') continue;
    const chosen = choose(text, asked);
    if (chosen !== undefined) return chosen;
    write(`  there are ${asked.options.length} to choose from\n`);
  }
}

/** Undefined for numbers that are none of the options. */
function choose(text: string, { options, isMultiple }: AskedQuestion): string | undefined {
  const numbers = text.split(/[\s,]+/).filter((part) => part !== '');
  if (!numbers.every((part) => /^\d{1,3}$/.test(part))) return text;
  if (numbers.length > 1 && !isMultiple) return undefined;
  const labels = numbers.map((part) => options[Number(part) - 1]?.label);
  return labels.includes(undefined) ? undefined : labels.join(', ');
}

// ── Forms ─────────────────────────────────────────────────────────────────────────────────────────

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly choices: readonly string[];
  readonly isRequired: boolean;
}

/** The fields of a JSON schema of an object with plain values, which is all that a form may have. */
function fieldsOf(schema: unknown): readonly Field[] {
  const { properties, required } = (schema ?? {}) as { properties?: unknown; required?: unknown };
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties).map(([name, value]) => {
    const about = (value ?? {}) as Readonly<Record<string, unknown>>;
    const text = (field: string): string | undefined => (typeof about[field] === 'string' ? about[field] : undefined);
    const choices = Array.isArray(about['enum']) ? about['enum'].map(String) : [];
    return {
      name,
      label: text('title') ?? text('description') ?? name,
      type: text('type') ?? 'string',
      choices,
      isRequired: Array.isArray(required) && required.includes(name),
    };
  });
}

async function askField(field: Field, asker: Asker): Promise<{ told: unknown } | undefined> {
  const { type, choices, isRequired } = field;
  const hint = choices.length > 0 ? ` (${choices.map(revealLine).join(', ')})` : type === 'boolean' ? ' (y or n)' : '';
  for (;;) {
    const word = await asker.line(`  ${revealLine(field.label)}${hint}${isRequired ? '' : ', may be empty'} › `);
    const text = word?.trim();
    if (text === undefined) return undefined;
    if (text === '') {
      if (!isRequired) return { told: undefined };
      continue;
    }
    if (choices.length > 0 ? choices.includes(text) : type === 'string') return { told: text };
    if (type === 'boolean' && /^(y(es)?|no?|true|false)$/i.test(text)) return { told: /^[yt]/i.test(text) };
    if ((type === 'number' || type === 'integer') && Number.isFinite(Number(text))) return { told: Number(text) };
    asker.write(`  that is no ${choices.length > 0 ? 'choice' : type}\n`);
  }
}

/** Several lines that all belong to the question. */
function indented(text: string): string {
  return revealHidden(text).replaceAll('\n', '\n    ');
}
