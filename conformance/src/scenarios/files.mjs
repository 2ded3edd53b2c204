import { text, tool } from '../script/blocks.mjs';
import { reply, usage } from '../script/replies.mjs';
import { editing, once } from './common.mjs';

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const notebook = {
  cells: [
    { cell_type: 'code', id: 'first', source: ['x = 1\n'], metadata: {}, outputs: [], execution_count: null },
    { cell_type: 'markdown', id: 'second', source: ['# Title\n'], metadata: {} },
  ],
  metadata: {
    kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' },
    language_info: { name: 'python' },
  },
  nbformat: 4,
  nbformat_minor: 5,
};

export const files = [
  () => ({
    name: 'files-write-edit',
    description: 'Create a file, edit it twice (once everywhere), write over it, and fail to edit once.',
    covers: ['edit', 'write'],
    files: { 'old.txt': 'one one one\n' },
    arguments: once('Edit things', ...editing),
    lanes: {
      main: [
        reply([tool('Write', { file_path: 'new.txt', content: 'a\nb\nc\n' })], usage(100, 31, 420, 0)),
        reply(
          [tool('Edit', { file_path: 'new.txt', old_string: 'b\n', new_string: 'B\nB2\n' })],
          usage(10, 32, 41, 420),
        ),
        reply([tool('Read', { file_path: 'old.txt' })], usage(10, 33, 42, 461)),
        reply(
          [
            tool('Edit', { file_path: 'old.txt', old_string: 'one', new_string: 'two', replace_all: true }),
            tool('Edit', { file_path: 'old.txt', old_string: 'not there', new_string: 'x' }, { success: false }),
          ],
          usage(10, 34, 43, 503),
        ),
        reply([tool('Write', { file_path: 'old.txt', content: 'written over\n' })], usage(10, 35, 44, 546)),
        reply([text('All edits are made.')], usage(10, 8, 45, 590)),
      ],
    },
  }),
  () => ({
    name: 'files-many-edits',
    description: 'Three edits of one file in one answer.',
    covers: ['edit', 'parallel tools'],
    files: { 'list.txt': 'red\ngreen\nblue\n' },
    arguments: once('Edit all three', ...editing),
    lanes: {
      main: [
        reply([tool('Read', { file_path: 'list.txt' })], usage(101, 31, 421, 0)),
        reply(
          [
            tool('Edit', { file_path: 'list.txt', old_string: 'red', new_string: 'RED' }),
            tool('Edit', { file_path: 'list.txt', old_string: 'green', new_string: 'GREEN' }),
            tool('Edit', { file_path: 'list.txt', old_string: 'blue', new_string: 'BLUE' }),
          ],
          usage(10, 90, 46, 421),
        ),
        reply([text('All in capitals.')], usage(10, 8, 47, 467)),
      ],
    },
  }),
  () => ({
    name: 'multi-edit',
    description: 'The model calls MultiEdit, which this version no longer has, then Edit.',
    covers: ['edit', 'tool error'],
    files: { 'list.txt': 'red\n' },
    arguments: once('Edit it', ...editing),
    lanes: {
      main: [
        reply([tool('Read', { file_path: 'list.txt' })], usage(102, 31, 422, 0)),
        reply(
          [
            tool(
              'MultiEdit',
              { file_path: 'list.txt', edits: [{ old_string: 'red', new_string: 'RED' }] },
              { success: false },
            ),
          ],
          usage(10, 50, 48, 422),
        ),
        reply([tool('Edit', { file_path: 'list.txt', old_string: 'red', new_string: 'RED' })], usage(10, 40, 49, 470)),
        reply([text('Done the other way.')], usage(10, 8, 50, 519)),
      ],
    },
  }),
  () => ({
    name: 'notebook',
    description: 'Read a notebook, replace a cell, insert one and delete one.',
    covers: ['notebook'],
    files: { 'book.ipynb': notebook },
    arguments: once('Edit the notebook', ...editing),
    lanes: {
      main: [
        reply([tool('Read', { file_path: 'book.ipynb' })], usage(103, 31, 423, 0)),
        reply(
          [tool('NotebookEdit', { notebook_path: 'book.ipynb', cell_id: 'first', new_source: 'x = 2\n' })],
          usage(10, 40, 51, 423),
        ),
        reply(
          [
            tool('NotebookEdit', {
              notebook_path: 'book.ipynb',
              cell_id: 'first',
              new_source: 'y = 3\n',
              cell_type: 'code',
              edit_mode: 'insert',
            }),
          ],
          usage(10, 41, 52, 474),
        ),
        reply(
          [
            tool('NotebookEdit', {
              notebook_path: 'book.ipynb',
              cell_id: 'second',
              new_source: '',
              edit_mode: 'delete',
            }),
          ],
          usage(10, 42, 53, 526),
        ),
        reply([text('The notebook is changed.')], usage(10, 8, 54, 579)),
      ],
    },
  }),
  () => ({
    name: 'image',
    description: 'Read an image.',
    covers: ['image'],
    files: { 'dot.png': dot },
    arguments: once('Look at dot.png'),
    lanes: {
      main: [
        reply([tool('Read', { file_path: 'dot.png' })], usage(104, 31, 424, 0)),
        reply([text('A dot.')], usage(10, 4, 55, 424)),
      ],
    },
  }),
  () => ({
    name: 'search-tools',
    description: 'Glob and Grep, with and without a match.',
    covers: ['search'],
    files: { 'src/a.js': '// TODO one\n', 'src/b.js': '// done\n' },
    arguments: once('Search', '--tools', 'Glob,Grep,Read'),
    lanes: {
      main: [
        reply(
          [
            tool('Glob', { pattern: '**/*.js' }),
            tool('Grep', { pattern: 'TODO', output_mode: 'content' }),
            tool('Grep', { pattern: 'NOTHING' }),
          ],
          usage(105, 70, 425, 0),
        ),
        reply([text('One place.')], usage(10, 4, 56, 425)),
      ],
    },
  }),
];
