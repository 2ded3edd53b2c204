// What was answered to a question, behind it on its line.

import type { Question } from '@tailrace/core';
import { saidLine } from '../text/shown.ts';

/** `→ blue · two`; that there was no answer where there was none, and nothing while it is waited for. */
export function answerText({ answer, outcome }: Pick<Question, 'answer' | 'outcome'>): string {
  if (outcome === undefined) return '';
  const texts = textsIn(answer, DEEPEST);
  if (texts.length > 0) return `→ ${saidLine(texts.join(' · '))}`;
  return outcome === 'success' ? '→ answered' : '→ not answered';
}

/** Answers stand by their questions, and those may stand in something else. */
const DEEPEST = 3;

function textsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  return Object.values(value).flatMap((one) => textsIn(one, depth - 1));
}
