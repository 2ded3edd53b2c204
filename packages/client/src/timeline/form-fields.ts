// Forms that an agent asks to be filled: a JSON schema of an object with plain values, which is all that a form may have.

import type { EventOf, Json } from '@tailrace/core';

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly type: 'string' | 'number' | 'boolean';
  readonly choices: readonly string[];
  readonly isRequired: boolean;
}

export function formFieldsOf(schema: Json): readonly FormField[] {
  const { properties, required } = recordOf(schema);
  return Object.entries(recordOf(properties)).map(([name, value]) => {
    const about = recordOf(value);
    const text = (field: string): string | undefined => {
      const told = about[field];
      return typeof told === 'string' ? told : undefined;
    };
    const type = text('type');
    return {
      name,
      label: text('title') ?? text('description') ?? name,
      type: type === 'boolean' ? type : type === 'number' || type === 'integer' ? 'number' : 'string',
      choices: Array.isArray(about['enum']) ? about['enum'].map(String) : [],
      isRequired: Array.isArray(required) && required.includes(name),
    };
  });
}

/** What was typed into a form, as its fields want it; undefined while something is missing or no number. */
export function formContent(
  fields: readonly FormField[],
  typed: Readonly<Record<string, string>>,
): Readonly<Record<string, Json>> | undefined {
  const content: [string, Json][] = [];
  for (const { name, type, isRequired } of fields) {
    const text = typed[name]?.trim() ?? '';
    if (text === '') {
      if (isRequired) return undefined;
    } else if (type === 'number') {
      if (!Number.isFinite(Number(text))) return undefined;
      content.push([name, Number(text)]);
    } else content.push([name, type === 'boolean' ? text === 'yes' : text]);
  }
  return Object.fromEntries(content);
}

/** The questions of a request, one by one. */
export function questionsOf(request: EventOf<'question-request'>): NonNullable<typeof request.questions> {
  if (request.questions !== undefined) return request.questions;
  if (request.choices === undefined || request.choices.length === 0) return [];
  return [{ question: request.message, options: request.choices.map((label) => ({ label })) }];
}

function recordOf(value: Json): Readonly<Record<string, unknown>> {
  // The cast only adds names: each field stays unknown.
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
