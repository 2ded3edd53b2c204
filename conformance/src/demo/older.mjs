// Sessions of days before: what the program itself has kept of them is all that is used, so nothing is paced.
import { once } from '../scenarios/common.mjs';
import { text, thinking, tool } from '../script/blocks.mjs';
import { reply, usage } from '../script/replies.mjs';

const tools = (names) => ['--permission-mode', 'acceptEdits', '--tools', names];

export const older = [
  () => ({
    name: 'older-shop-api-health',
    project: 'shop-api',
    description: 'An endpoint is added.',
    files: { 'src/routes.mjs': "export const routes = {\n  'POST /orders': createOrder,\n};\n" },
    arguments: once('Add a health check endpoint', ...tools('Read,Edit')),
    lanes: {
      main: [
        reply([text('Where are the routes?'), tool('Read', { file_path: 'src/routes.mjs' })], usage(3, 71, 13_480, 0)),
        reply(
          [
            tool('Edit', {
              file_path: 'src/routes.mjs',
              old_string: "  'POST /orders': createOrder,\n",
              new_string:
                "  'POST /orders': createOrder,\n  'GET /health': () => ({ status: 200, body: { ok: true } }),\n",
            }),
          ],
          usage(5, 142, 530, 13_480),
        ),
        reply(
          [text('`GET /health` answers with 200 and `{ "ok": true }`. It touches neither the database nor the queue.')],
          usage(5, 44, 310, 14_010),
        ),
      ],
    },
  }),
  () => ({
    name: 'older-infra-deploy',
    project: 'infra',
    description: 'A question about a log is answered.',
    files: {
      'deploy.log': [
        '02:00:04 start',
        '02:00:31 images pulled',
        '02:14:52 cache restored (8.1 GB)',
        '02:16:20 rolled out',
        '',
      ].join('\n'),
    },
    arguments: once('Why is the nightly deploy slow?', ...tools('Read,Grep')),
    lanes: {
      main: [
        reply([tool('Read', { file_path: 'deploy.log' })], usage(3, 52, 12_210, 0)),
        reply(
          [
            thinking('Fourteen of sixteen minutes are one step.'),
            text(
              'Of 16 minutes, **14 are the cache**: 8.1 GB are restored each night, most of it layers that nobody uses any more.\n\n1. Give the cache key the lock file’s hash.\n2. Throw away what is older than a week.\n\nThat should bring it under three minutes.',
            ),
          ],
          usage(5, 138, 420, 12_210),
        ),
      ],
    },
  }),
  () => ({
    name: 'older-docs-links',
    project: 'docs',
    description: 'Links are mended.',
    files: { 'guide.md': 'See [the manual](manual.html) and [the FAQ](faq.html).\n', 'manual.md': '# Manual\n' },
    arguments: once('Fix the broken links in the guides', ...tools('Read,Grep,Edit')),
    lanes: {
      main: [
        reply(
          [tool('Grep', { pattern: '\\]\\(', path: '.', output_mode: 'content', '-n': true })],
          usage(3, 66, 11_830, 0),
        ),
        reply([tool('Read', { file_path: 'guide.md' })], usage(5, 40, 380, 11_830)),
        reply(
          [
            tool('Edit', {
              file_path: 'guide.md',
              old_string: '[the manual](manual.html)',
              new_string: '[the manual](manual.md)',
            }),
          ],
          usage(5, 118, 290, 12_210),
        ),
        reply(
          [
            text(
              'One link is mended. `faq.html` never existed: say whether there is to be one, or whether the link should go.',
            ),
          ],
          usage(5, 48, 260, 12_500),
        ),
      ],
    },
  }),
  () => ({
    name: 'older-shop-api-turns',
    project: 'shop-api',
    description: 'It may not go on as long as it would have to.',
    files: { 'package.json': '{ "dependencies": { "logger": "3.2.0" } }\n' },
    arguments: once('Upgrade the logger to version 4', ...tools('Read,Grep'), '--max-turns', '2'),
    lanes: {
      main: [
        reply([tool('Read', { file_path: 'package.json' })], usage(3, 58, 13_390, 0)),
        reply(
          [text('Now every place that uses it.'), tool('Grep', { pattern: 'logger', path: '.' })],
          usage(5, 61, 350, 13_390),
        ),
        reply([text('There are many.')], usage(5, 30, 200, 13_740)),
      ],
    },
    expect: { exit: 1 },
  }),
];
