import { allow, deny, isResult } from '../runner/steps.mjs';
import { text, thinking, tool } from '../script/blocks.mjs';
import { usage } from '../script/replies.mjs';
import { answering, prompt, say, started, timeLimit } from './common.mjs';

const files = {
  'install.md': `# Installing

Download the tarball from the releases page, unpack it into /opt and put /opt/harbour/bin into your PATH.

On a Mac you can also use brew but the formula is out of date (see #212).

Then run \`harbour init\` . If that fails you need Node, version 14 or so.
`,
  'package.json': { name: 'harbour', version: '3.1.0', engines: { node: '>=20.19' } },
};

const question = 'Which way to install should the guide show first?';
const ask = tool('AskUserQuestion', {
  questions: [
    {
      question,
      header: 'First way',
      multiSelect: false,
      options: [
        { label: 'npm', description: 'Nothing to install beforehand: it comes with Node' },
        { label: 'Container', description: 'Nothing on the machine but a container engine' },
      ],
    },
  ],
});

const npm = `\`\`\`sh
npm install --global harbour
\`\`\``;
const container = `\`\`\`sh
docker run --rm -it -v "$PWD:/work" harbour/harbour:3
\`\`\``;

const guide = (first, second) => `# Installing

You need Node 20.19 or later. Check with \`node --version\`.

## ${first.title}

${first.code}

## ${second.title}

${second.code}

## Check that it works

\`\`\`sh
harbour init
harbour doctor
\`\`\`

\`harbour doctor\` says what is missing and how to get it.
`;
const ways = { npm: { title: 'With npm', code: npm }, Container: { title: 'In a container', code: container } };

const base =
  (name, description, answer, { isAnswered, first, second }) =>
  () => ({
    name,
    description,
    covers: ['demo', 'question', 'write'],
    files,
    timeLimit,
    arguments: started('Read,Grep,Write,AskUserQuestion', 'acceptEdits'),
    steps: [{ send: prompt('Rewrite the install guide') }, answering('AskUserQuestion', answer), { when: isResult }],
    lanes: {
      main: [
        say(
          [
            thinking(
              'Read what is there, and what the package itself says about Node. Anything that is not true any more has to go.',
            ),
            text("I'll read the guide and hold it against what the package says."),
            tool('Read', { file_path: 'install.md' }),
            tool('Grep', { pattern: '"(node|version)"', path: 'package.json', output_mode: 'content', '-n': true }),
          ],
          usage(3, 188, 11_940, 0),
        ),
        say(
          [
            text(
              'The guide asks for Node 14, the package for 20.19; and it begins with a tarball that few people want. Before I write it anew, one thing is for you to decide:',
            ),
            { ...ask, success: isAnswered },
          ],
          usage(5, 214, 760, 11_940),
        ),
        ...(isAnswered
          ? [
              say(
                [
                  text(`${first.title} first, then. I'll write it so that every command can be copied as it stands.`),
                  tool('Write', { file_path: 'install.md', content: guide(first, second) }),
                ],
                usage(6, 402, 540, 12_700),
              ),
              say(
                [
                  text(`The guide is rewritten: \`install.md\`.

- It begins with **${first.title.toLowerCase()}**; the tarball and the outdated formula are gone.
- It names the version of Node that the package asks for: **20.19**.
- It ends with a check, \`harbour doctor\`, so that nobody has to guess whether it worked.
`),
                ],
                usage(5, 121, 980, 13_240),
              ),
            ]
          : [
              say(
                [
                  text(
                    'Then I leave the guide as it is for now. Tell me which way should come first, and I will rewrite it.',
                  ),
                ],
                usage(6, 41, 300, 12_700),
              ),
            ]),
      ],
    },
  });

const choose = (label) => allow({ answers: { [question]: label } });

export const docs = [
  base('3-docs', 'A question is asked; the first option is chosen.', choose('npm'), {
    isAnswered: true,
    first: ways.npm,
    second: ways.Container,
  }),
  base('3-docs.container', 'A question is asked; the second option is chosen.', choose('Container'), {
    isAnswered: true,
    first: ways.Container,
    second: ways.npm,
  }),
  base('3-docs.denied', 'A question is asked and not answered.', deny('The person does not want this.'), {
    isAnswered: false,
  }),
];
