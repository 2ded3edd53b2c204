import { agent, text, tool } from '../script/blocks.mjs';
import { always, reply, usage } from '../script/replies.mjs';
import { once, partial } from './common.mjs';

const schema = JSON.stringify({
  type: 'object',
  properties: { name: { type: 'string' }, depth: { type: 'number' } },
  required: ['name', 'depth'],
});
const files = { 'a.txt': 'a\n' };
const read = () => tool('Read', { file_path: 'a.txt' });

export const limits = [
  () => ({
    name: 'schema-met',
    description: 'Structured output that fits the schema.',
    covers: ['structured output'],
    files,
    arguments: once('Give me data', '--json-schema', schema),
    lanes: {
      main: [
        reply([read()], usage(130, 20, 450, 0)),
        reply([tool('StructuredOutput', { name: 'Tailrace', depth: 4 })], usage(10, 20, 90, 450)),
        reply([text('Given.')], usage(10, 2, 91, 540)),
      ],
    },
  }),
  () => ({
    name: 'schema-second-try',
    description: 'Structured output that fits at the second try.',
    covers: ['structured output', 'tool error'],
    arguments: once('Give me data', '--json-schema', schema, partial),
    lanes: {
      main: [
        reply([tool('StructuredOutput', { name: 'Tailrace' }, { success: false })], usage(131, 20, 451, 0)),
        reply([tool('StructuredOutput', { name: 'Tailrace', depth: 4 })], usage(10, 20, 92, 451)),
        reply([text('Given.')], usage(10, 2, 93, 543)),
      ],
    },
  }),
  () => ({
    name: 'schema-exhausted',
    description: 'Structured output that never fits.',
    covers: ['structured output'],
    environment: { MAX_STRUCTURED_OUTPUT_RETRIES: '3' },
    arguments: once('Give me data', '--json-schema', schema),
    lanes: {
      main: [
        always(() =>
          reply([tool('StructuredOutput', { name: 'Tailrace' }, { success: false })], usage(22, 10, 60, 300)),
        ),
      ],
    },
    expect: { exit: 1, subtype: 'error_max_structured_output_retries' },
  }),
  () => ({
    name: 'turns-exceeded',
    description: '--max-turns 2 with a model that goes on calling tools.',
    covers: ['max turns'],
    files,
    arguments: once('Go on', '--max-turns', '2'),
    lanes: { main: [always(() => reply([text('Again.'), read()], usage(23, 11, 61, 301)))] },
    expect: { exit: 1, subtype: 'error_max_turns' },
  }),
  () => ({
    name: 'budget-exceeded',
    description: '--max-budget-usd is passed by the first answer, so its call gets no result.',
    covers: ['max budget'],
    files,
    arguments: once('Spend', '--max-budget-usd', '0.01'),
    lanes: {
      main: [
        always(() =>
          reply(
            [text('Expensive.'), tool('Read', { file_path: 'a.txt' }, { success: null })],
            usage(9000, 3000, 500, 0),
          ),
        ),
      ],
    },
    expect: { exit: 1, subtype: 'error_max_budget_usd' },
  }),
  () => ({
    name: 'budget-exceeded-subagent',
    description: '--max-budget-usd is passed within a sub-agent.',
    covers: ['max budget', 'subagent'],
    files,
    arguments: once('Spend', '--max-budget-usd', '0.05'),
    lanes: {
      main: [
        reply([agent('AGENT-A', 'spend', { success: null })], usage(100, 30, 400, 0)),
        always(() => reply([text('Over.')], usage(20, 4, 60, 400))),
      ],
      'AGENT-A': [
        reply([tool('Read', { file_path: 'a.txt' }, { success: null })], usage(9000, 3000, 500, 0)),
        always(() => reply([text('Spent.')], usage(30, 4, 70, 500))),
      ],
    },
    expect: { exit: [0, 1] },
  }),
  () => ({
    name: 'budget-second-turn',
    description: '--max-budget-usd is passed by the second answer.',
    covers: ['max budget', 'partial messages'],
    files,
    arguments: once('Spend', '--max-budget-usd', '0.05', partial),
    lanes: {
      main: [
        reply([read()], usage(100, 30, 400, 0)),
        always(() =>
          reply(
            [text('Expensive.'), tool('Read', { file_path: 'a.txt' }, { success: null })],
            usage(9000, 3000, 500, 0),
          ),
        ),
      ],
    },
    expect: { exit: 1, subtype: 'error_max_budget_usd' },
  }),
  () => ({
    name: 'output-limit',
    description: 'The answer stops at max_tokens and is continued.',
    covers: ['max tokens'],
    arguments: once('Write a lot'),
    lanes: {
      main: [
        reply([text('The first half of')], usage(132, 200, 452, 0), { stop: 'max_tokens' }),
        reply([text(' a sentence.')], usage(10, 20, 94, 452)),
      ],
    },
  }),
  () => ({
    name: 'output-limit-partial',
    description: 'The answer stops at max_tokens and is continued, with partial messages.',
    covers: ['max tokens', 'partial messages'],
    arguments: once('Write a lot', partial),
    lanes: {
      main: [
        reply([text('The first half of')], usage(133, 200, 453, 0), { stop: 'max_tokens' }),
        reply([text(' a sentence.')], usage(10, 20, 95, 453)),
      ],
    },
  }),
  () => ({
    name: 'output-limit-always',
    description: 'Each answer stops at max_tokens until the program gives up.',
    covers: ['max tokens'],
    arguments: once('Write a lot'),
    lanes: { main: [always(() => reply([text('More and more')], usage(24, 200, 62, 302), { stop: 'max_tokens' }))] },
    expect: { exit: [0, 1] },
  }),
  () => ({
    name: 'output-limit-tool',
    description: 'The answer stops at max_tokens within the input of a tool call.',
    covers: ['max tokens', 'tool'],
    files,
    arguments: once('Read it'),
    lanes: {
      main: [
        reply(
          [text('Reading.'), tool('Read', { file_path: 'a.txt' }, { success: false, pieces: ['{"file_pa'] })],
          usage(134, 200, 454, 0),
          { stop: 'max_tokens' },
        ),
        reply([read()], usage(10, 20, 96, 454)),
        reply([text('It says a.')], usage(10, 5, 97, 550)),
        reply([text('It says a.')], usage(10, 5, 97, 550)),
      ],
    },
    expect: { exit: [0, 1] },
  }),
];
