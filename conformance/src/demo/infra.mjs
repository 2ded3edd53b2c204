import { allow, deny, isResult } from '../runner/steps.mjs';
import { text, thinking, tool } from '../script/blocks.mjs';
import { usage } from '../script/replies.mjs';
import { answering, prompt, quietNpm, say, started, timeLimit } from './common.mjs';

const files = {
  'package.json': { name: 'infra', version: '0.9.2', type: 'module', scripts: { build: 'node build.mjs' } },
  'build.mjs': `import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

mkdirSync('build', { recursive: true });
for (const [name, size] of [['gateway', 412], ['scheduler', 187], ['worker', 655]]) {
  await wait(700);
  writeFileSync(\`build/\${name}.js\`, '// built\\n');
  console.log(\`built \${name.padEnd(10)} \${String(size).padStart(4)} kB\`);
}
console.log('3 bundles in build/');
`,
  'build/gateway.js': '// old\n',
  'build/worker.js': '// old\n',
  'build/legacy-auth.js': '// nobody builds this any more\n',
};

// The same in every branch, also its id.
const clean = tool('Bash', {
  command: 'rm -rf build/ && npm run build',
  description: 'Remove the build folder and build again',
});

const base = (name, description, answer, last) => () => ({
  name,
  description,
  covers: ['demo', 'permission', 'shell'],
  files,
  environment: quietNpm,
  timeLimit,
  arguments: started('Bash,Read'),
  steps: [{ send: prompt('Clean the build folder and build again') }, answering('Bash', answer), { when: isResult }],
  lanes: {
    main: [
      say(
        [
          thinking('Before anything is removed: what is in there, and does the build make all of it again?'),
          text("I'll look at what is in the build folder before I remove it."),
          tool('Bash', { command: 'ls build', description: 'List the build folder' }),
        ],
        usage(3, 121, 12_380, 0),
      ),
      say([tool('Read', { file_path: 'build.mjs' })], usage(5, 58, 410, 12_380)),
      say(
        [
          text(
            '`build/legacy-auth.js` is left over: the build no longer makes it. A clean build takes it away. This removes files, so I need your permission:',
          ),
          { ...clean, success: last.isAllowed },
        ],
        usage(5, 164, 520, 12_790),
      ),
      say([text(last.text)], usage(6, last.tokens, 480, 13_310)),
    ],
  },
});

export const infra = [
  base('2-infra', 'A command asks for permission and gets it.', allow(), {
    isAllowed: true,
    tokens: 142,
    text: `Done: the folder was removed and built again.

| bundle | size |
|---|---:|
| gateway | 412 kB |
| scheduler | 187 kB |
| worker | 655 kB |

\`legacy-auth.js\` is gone; nothing in this project mentions it.
`,
  }),
  base('2-infra.denied', 'A command asks for permission and is refused.', deny('The person does not want this.'), {
    isAllowed: false,
    tokens: 96,
    text: `I left the build folder as it is: nothing was removed and nothing was built.

If you only want the left-over file gone, this would do:

\`\`\`sh
rm build/legacy-auth.js
\`\`\`
`,
  }),
];
