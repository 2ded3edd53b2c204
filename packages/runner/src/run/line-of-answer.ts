// Whether an answer is one to what is asked, and can travel. Nobody's types are trusted here: what is taken for a yes, and is
// none, lets a tool run.

import { type Answer, type AskedQuestion, MAX_DEPTH, type RequestEvent } from '@tailrace/core';
import { messageOf, TailraceError } from '../start/errors.ts';

/**
 * The line that says the answer to the agent; throws what is wrong with it. The answer is read once, before it is looked at: what
 * was found good is what is written, whatever becomes of the caller's object.
 */
export function lineOfAnswer(
  request: RequestEvent,
  given: unknown,
  lineOf: (request: RequestEvent, answer: Answer) => string,
): string {
  const answer = fitting(request, plain(given));
  let line: string;
  try {
    line = lineOf(request, answer);
  } catch (error) {
    throw bad(`the agent cannot be told this answer: ${messageOf(error)}`, error);
  }
  // A line that is deeper is read by nobody here. What the agent itself has asked is not measured: it may always be allowed.
  const hasContent = answer.decision === 'answer' || (answer.decision === 'allow' && answer.input !== undefined);
  if (hasContent && isTooDeep(line)) throw tooDeep();
  return line;
}

/** Yes to a permission, and to a question; no is `deny` to both. */
const KINDS: { readonly [T in RequestEvent['type']]: readonly [name: string, yes: string, how: string] } = {
  'permission-request': ['a permission', 'allow', 'allowed or denied'],
  'question-request': ['a question', 'answer', 'answered or denied'],
};

type Check = readonly [is: (value: unknown) => boolean, name: string];
const FLAG: Check = [(value) => typeof value === 'boolean', 'true or false'];
const TEXT: Check = [(value) => typeof value === 'string', 'a text'];
const OBJECT: Check = [isPlainObject, 'an object: { … }'];

const FIELDS: ReadonlyMap<unknown, Readonly<Record<string, Check>>> = new Map<unknown, Readonly<Record<string, Check>>>(
  [
    ['allow', { always: FLAG, input: OBJECT }],
    ['deny', { reason: TEXT, interrupt: FLAG }],
    ['answer', { content: OBJECT }],
  ],
);

function fitting(request: RequestEvent, answer: Readonly<Record<string, unknown>>): Answer {
  const { decision, ...fields } = answer;
  const [name, yes, how] = KINDS[request.type];
  const checks = FIELDS.get(decision);
  if (!checks || (decision !== yes && decision !== 'deny'))
    throw bad(`${JSON.stringify(decision) ?? 'this'} is no answer to ${name}: that is ${how}`);
  for (const field of Object.keys(fields))
    if (!Object.hasOwn(checks, field)) throw bad(`nothing is known of "${field}" in an answer that says "${decision}"`);
  for (const [field, [is, expected]] of Object.entries(checks))
    if ((Object.hasOwn(fields, field) || field === 'content') && !is(fields[field]))
      throw bad(`"${field}" of an answer has to be ${expected}`);
  if (request.type === 'question-request' && decision === 'answer') checkChoice(request.questions ?? [], fields);
  // Each field of it was looked at.
  return answer as unknown as Answer;
}

/** Where it was asked question by question, the answer has words for one of them at least, and for nothing else. */
function checkChoice(questions: readonly AskedQuestion[], { content }: Readonly<Record<string, unknown>>): void {
  if (questions.length === 0 || !isPlainObject(content)) return;
  const asked = questions.map(({ question }) => question);
  const names = asked.map((question) => JSON.stringify(question)).join(', ');
  if (Object.keys(content).length === 0) throw bad(`nothing is answered: "content" has an answer for ${names}`);
  for (const [question, words] of Object.entries(content)) {
    if (!asked.includes(question)) throw bad(`${JSON.stringify(question)} was not asked: that is ${names}`);
    if (typeof words !== 'string' || words.trim() === '')
      throw bad(`the answer to ${JSON.stringify(question)} has to be a text: labels of its options, or other words`);
  }
}

/** What an answer is in JSON. What JSON would leave out or make something else of is not written in its place. */
function plain(given: unknown): Readonly<Record<string, unknown>> {
  if (!isPlainObject(given)) throw bad('this is no answer: an answer is an object that has a decision');
  let text: string;
  try {
    text = JSON.stringify(given, mustBeJson);
  } catch (error) {
    // It nests deeper than the stack, or leads back to itself.
    throw error instanceof RangeError ? tooDeep(error) : unwritable(error);
  }
  const value: unknown = JSON.parse(text);
  if (!isPlainObject(value)) throw bad('this is no answer: an answer is an object that has a decision');
  if (isDeeper(value, MAX_DEPTH)) throw tooDeep();
  return value;
}

/**
 * For `JSON.stringify`, which asks this about every value. A map or a set would become `{}`, a date a text, and what is no number
 * `null`, as would nothing in a list.
 */
function mustBeJson(this: unknown, key: string, value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null;
  const isOther = typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint';
  const isNone = typeof value === 'number' ? !Number.isFinite(value) : value === undefined && Array.isArray(this);
  // What has a `toJSON` is not what it is any more. Looked at without being read: a getter is read once.
  const held = Object.getOwnPropertyDescriptor(this, key);
  const hasBecome = held !== undefined && 'value' in held && !Object.is(held.value, value);
  if (isOther || isNone || hasBecome || (isObject && !Array.isArray(value) && !isPlainObject(value)))
    throw new TypeError(`"${key}" is nothing that JSON has`);
  return value;
}

/** Also one of another realm, such as a page's or a sandbox's. */
function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isTooDeep(line: string): boolean {
  try {
    return isDeeper(JSON.parse(line), MAX_DEPTH);
  } catch {
    // In what is no JSON, nothing nests.
    return false;
  }
}

/** Never deeper than the limit, whatever it is given. */
function isDeeper(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return limit === 0 || Object.values(value).some((one) => isDeeper(one, limit - 1));
}

function bad(message: string, cause?: unknown): TailraceError {
  return new TailraceError('bad-answer', message, cause === undefined ? undefined : { cause });
}

function tooDeep(cause?: unknown): TailraceError {
  return bad(`the answer is nested too deeply: a line to the agent has at most ${MAX_DEPTH} levels`, cause);
}

function unwritable(cause: unknown): TailraceError {
  return bad(
    'the answer cannot be written as JSON: it leads back to itself, or holds something that JSON does not have',
    cause,
  );
}
