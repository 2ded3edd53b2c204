import { isResult } from '../runner/steps.mjs';
import { text, thinking, tool } from '../script/blocks.mjs';
import { always, failure, usage } from '../script/replies.mjs';
import { prompt, say, started, timeLimit } from './common.mjs';

const rows = [
  ['day', 'orders', 'refunds', 'errors'],
  ['Mon', 412, 9, 3],
  ['Tue', 388, 11, 2],
  ['Wed', 405, 8, 41],
  ['Thu', 431, 10, 4],
  ['Fri', 502, 14, 5],
];

/** The model is overloaded in the middle of the work, and stays so. */
export const reports = () => ({
  name: '4-reports',
  description: 'The model is overloaded in the middle of the work, and stays so.',
  covers: ['demo', 'retry', 'API error'],
  files: {
    'metrics.csv': `${rows.map((row) => row.join(',')).join('\n')}\n`,
    'wednesday.log':
      '09:12 ERROR payment gateway did not answer\n09:13 ERROR payment gateway did not answer\n09:41 it answers again\n',
  },
  environment: { CLAUDE_CODE_MAX_RETRIES: '6' },
  timeLimit,
  arguments: started('Read,Grep,Write'),
  steps: [{ send: prompt('Write the weekly report') }, { when: isResult }],
  lanes: {
    main: [
      say(
        [
          thinking('The figures first; then what stands out of them.'),
          text("I'll read this week's figures."),
          tool('Read', { file_path: 'metrics.csv' }),
        ],
        usage(3, 84, 9870, 0),
      ),
      say(
        [
          text(
            'Friday was the best day, and Wednesday stands out: 41 errors, where other days have five at the most. Before I write that down I want to know what happened.',
          ),
          tool('Grep', { pattern: 'ERROR', path: 'wednesday.log', output_mode: 'content', '-n': true }),
        ],
        usage(5, 132, 410, 9870),
      ),
      failure(500, 'Internal server error'),
      failure(500, 'Internal server error'),
      failure(500, 'Internal server error'),
      always(failure(529, 'Overloaded')),
    ],
  },
  expect: { exit: 1 },
});
