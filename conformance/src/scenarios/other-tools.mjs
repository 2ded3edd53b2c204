import { text, tool } from '../script/blocks.mjs';
import { reply, usage } from '../script/replies.mjs';
import { once } from './common.mjs';

export const otherTools = [
  () => ({
    name: 'web-fetch-offline',
    description: 'WebFetch without a network.',
    covers: ['fetch', 'tool error'],
    arguments: once('Fetch it', '--allowedTools', 'WebFetch'),
    lanes: {
      main: [
        reply([tool('ToolSearch', { query: 'select:WebFetch', max_results: 1 })], usage(113, 30, 433, 0)),
        reply(
          [tool('WebFetch', { url: 'https://example.com/', prompt: 'What is it?' }, { success: false })],
          usage(10, 30, 67, 433),
        ),
        reply([text('There is no way out.')], usage(10, 6, 68, 500)),
      ],
    },
  }),
  () => ({
    name: 'todo-write',
    description: 'Two versions of a todo list.',
    covers: ['todo'],
    environment: { CLAUDE_CODE_ENABLE_TASKS: '0' },
    arguments: once('Plan it', '--tools', 'TodoWrite,Read'),
    lanes: {
      main: [
        reply(
          [
            tool('TodoWrite', {
              todos: [
                { content: 'Open the gate', status: 'in_progress', activeForm: 'Opening the gate' },
                { content: 'Close it', status: 'pending', activeForm: 'Closing it' },
              ],
            }),
          ],
          usage(114, 60, 434, 0),
        ),
        reply(
          [
            tool('TodoWrite', {
              todos: [
                { content: 'Open the gate', status: 'completed', activeForm: 'Opening the gate' },
                { content: 'Close it', status: 'in_progress', activeForm: 'Closing it' },
                { content: 'Go home', status: 'pending', activeForm: 'Going home' },
              ],
            }),
          ],
          usage(10, 70, 69, 434),
        ),
        reply([text('Planned.')], usage(10, 3, 70, 503)),
      ],
    },
  }),
  () => ({
    name: 'task-list',
    description: 'TaskCreate twice, TaskUpdate twice, TaskList.',
    covers: ['todo'],
    arguments: once('Plan it', '--tools', 'TaskCreate,TaskUpdate,TaskList'),
    lanes: {
      main: [
        reply(
          [
            tool('TaskCreate', { subject: 'Open the gate', description: 'Slowly', activeForm: 'Opening' }),
            tool('TaskCreate', { subject: 'Close it', description: 'Later', activeForm: 'Closing' }),
          ],
          usage(115, 60, 435, 0),
        ),
        reply([tool('TaskUpdate', { taskId: '1', status: 'in_progress' })], usage(10, 30, 71, 435)),
        reply([tool('TaskUpdate', { taskId: '1', status: 'completed' }), tool('TaskList', {})], usage(10, 31, 72, 506)),
        reply([text('One is done.')], usage(10, 4, 73, 578)),
      ],
    },
  }),
];
