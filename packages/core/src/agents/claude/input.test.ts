// What an answer becomes on Claude Code's stdin, also where whoever gives it keeps to no types.

import { describe, expect, test } from 'vitest';
import type { Answer, RequestEvent } from '../agent.ts';
import { input } from './input.ts';

const permission: RequestEvent = {
  type: 'permission-request',
  seq: 1,
  line: 1,
  requestId: 'ask-1',
  input: { command: 'ls' },
  extra: { claude: { suggestions: [{ type: 'addRules' }] } },
};
const question: RequestEvent = {
  type: 'question-request',
  seq: 1,
  line: 1,
  requestId: 'ask-2',
  message: 'Which?',
  schema: { questions: [] },
};
const from = (kind: string): RequestEvent => ({ ...question, extra: { claude: { request: kind } } });

/** As a caller without types would. */
const give = (request: RequestEvent, answer: unknown): string => input.answer(request, answer as Answer);
const told = (request: RequestEvent, answer: unknown): unknown => JSON.parse(give(request, answer)).response.response;

describe('[T-21] only an allow allows', () => {
  test.each<[string, RequestEvent, unknown]>([
    ['a filled form, to a permission', permission, { decision: 'answer', content: { a: 'b' } }],
    ['a decision that nobody knows', permission, { decision: 'perhaps' }],
    ['no decision', permission, {}],
    ['a text for an input', permission, { decision: 'allow', input: 'ls' }],
    ['a list for an input', permission, { decision: 'allow', input: ['ls'] }],
    ['null for an input', permission, { decision: 'allow', input: null }],
    ['an allow, to a question', question, { decision: 'allow' }],
    ['an allow, to a form', from('elicitation'), { decision: 'allow' }],
    ['an allow, to a dialog', from('request_user_dialog'), { decision: 'allow' }],
    ['a text for what was chosen', question, { decision: 'answer', content: 'red' }],
    ['nothing for a filled form', from('elicitation'), { decision: 'answer' }],
  ])('%s is refused', (_, request, answer) => expect(() => give(request, answer)).toThrow(TypeError));

  test('and only `true` means always, or that the turn is over', () => {
    expect(told(permission, { decision: 'allow', always: 'false' })).not.toHaveProperty('updatedPermissions');
    expect(told(permission, { decision: 'allow', always: true })).toHaveProperty('updatedPermissions');
    expect(told(permission, { decision: 'deny', interrupt: 'false' })).not.toHaveProperty('interrupt');
  });
});

test.each<[string, RequestEvent, Answer, unknown]>([
  ['an allow', permission, { decision: 'allow' }, { behavior: 'allow', updatedInput: { command: 'ls' } }],
  [
    'an allow with another input',
    permission,
    { decision: 'allow', input: { command: 'pwd' } },
    { behavior: 'allow', updatedInput: { command: 'pwd' } },
  ],
  ['a no', permission, { decision: 'deny', reason: 'not now' }, { behavior: 'deny', message: 'not now' }],
  [
    'what was chosen',
    question,
    { decision: 'answer', content: { 'Which?': 'red' } },
    { behavior: 'allow', updatedInput: { questions: [], answers: { 'Which?': 'red' } } },
  ],
  ['a no to a question', question, { decision: 'deny', reason: 'none' }, { behavior: 'deny', message: 'none' }],
  [
    'a filled form',
    from('elicitation'),
    { decision: 'answer', content: { depth: 4 } },
    { action: 'accept', content: { depth: 4 } },
  ],
  [
    'a form without fields',
    from('elicitation'),
    { decision: 'answer', content: {} },
    { action: 'accept', content: {} },
  ],
  ['a no to a form', from('elicitation'), { decision: 'deny' }, { action: 'decline' }],
  ['a form broken off', from('elicitation'), { decision: 'deny', interrupt: true }, { action: 'cancel' }],
  [
    'a dialog',
    from('request_user_dialog'),
    { decision: 'answer', content: { yes: true } },
    { behavior: 'completed', result: { yes: true } },
  ],
  ['a no to a dialog', from('request_user_dialog'), { decision: 'deny' }, { behavior: 'cancelled' }],
])('%s is told in the words of the agent', (_, request, answer, expected) =>
  expect(told(request, answer)).toEqual(expected),
);
