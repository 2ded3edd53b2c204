// A result whose call nobody saw, as after a resume: it is no event of its own, and is read from what was left over of its line.

import type { EventOf, Json } from '@tailrace/core';

export interface LoneResult {
  readonly toolUseId: string;
  readonly content: string;
  readonly isError: boolean;
}

export function isResult({ nativeType }: EventOf<'raw'>): boolean {
  return nativeType === 'tool_result';
}

/** Nothing, where it does not say whose it is. */
export function readLoneResult({ value }: EventOf<'raw'>): LoneResult | undefined {
  const { tool_use_id: toolUseId, content, is_error: isError } = fieldsOf(value);
  if (typeof toolUseId !== 'string') return undefined;
  return { toolUseId, content: textOf(content), isError: isError === true };
}

function textOf(content: Json | undefined): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map(partText).join('\n') : JSON.stringify(content);
}

function partText(part: Json): string {
  const { type, text } = fieldsOf(part);
  if (typeof text === 'string') return text;
  return typeof type === 'string' ? `[${type}]` : JSON.stringify(part);
}

function fieldsOf(value: unknown): Readonly<Record<string, Json>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  // What is left of JSON's values is a record.
  return value as Readonly<Record<string, Json>>;
}
