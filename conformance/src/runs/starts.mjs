// How the program is started: what it is told, and that every byte is kept.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tool } from '../script/blocks.mjs';
import { reply, usage } from '../script/replies.mjs';
import { program } from '../stage/claude.mjs';
import { bash, does, good, says, write } from './common.mjs';
import { serverFiles, serverOf } from './server.mjs';

const outcomes = (played) => played.of('tool-call-end').map(({ outcome }) => outcome);

// Between the runner and the program: keeps what goes through, byte for byte, and ends as the program ends.
const passer = `#!${process.execPath}
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
const child = spawn(process.env.PASS_TO, process.argv.slice(2), { stdio: ['pipe', 'pipe', 'inherit'] });
const keep = (name) => createWriteStream(process.env.PASS_COPY + name);
process.stdin.pipe(keep('stdin'));
process.stdin.pipe(child.stdin);
child.stdout.pipe(keep('stdout'));
child.stdout.pipe(process.stdout);
child.on('exit', (code) => { process.exitCode = code; process.stdin.destroy(); });
`;

export const starts = [
  () => ({
    name: 'run-nobody',
    description:
      'Nobody answers: stdin closes right after the prompt, a call that needs a yes is denied, the run ends.',
    lanes: { main: [does(write('one.txt'), 191, 31, 601, 0), says('Not allowed.', 12, 4, 61, 601)] },
    async play(stage) {
      const played = await stage.start({ prompt: 'Write it', asks: false, expect: good });
      await played.end();
      assert.deepEqual(played.requests, []);
      assert.deepEqual(outcomes(played), ['denied']);
      assert.equal(stage.has('one.txt'), false);
      assert.throws(() => played.run.send('More'), { code: 'not-listening' });
    },
  }),
  () => {
    const prompts = ['--settings={"hooks":{}} --model=none', '-h', '-- --version'];
    const asked = [];
    return {
      name: 'run-flag-prompt',
      description: 'Prompts that look like flags arrive as prompts.',
      lanes: {
        main: prompts.map((_, index) => (request) => {
          const said = request.messages.filter(({ role }) => role === 'user').flatMap(({ content }) => content);
          asked.push(said.map((block) => block.text ?? block));
          return says('Read.', 192 + index, 4, 602, 0);
        }),
      },
      async play(stage) {
        const played = await stage.start({ prompt: prompts[0], conversation: true, expect: good });
        for (const [index, prompt] of prompts.entries()) {
          if (index > 0) played.run.send(prompt);
          await played.turns(index + 1);
        }
        played.run.close();
        await played.end();
        for (const [index, prompt] of prompts.entries()) assert.ok(asked[index].includes(prompt), prompt);
      },
    };
  },
  () => ({
    name: 'run-options',
    description: 'Several values of each list, with blanks and commas in them, and everything else that can be set.',
    homeFiles: { ...serverFiles, 'one, two/a.txt': 'aaa\n', '-three/b.txt': 'bbb\n' },
    lanes: {
      main: [
        reply(
          [
            tool('Read', { file_path: '../one, two/a.txt' }),
            tool('Read', { file_path: '../-three/b.txt' }),
            bash('node one.mjs a, b'),
            bash('node two.mjs'),
            bash('node three.mjs'),
            tool('mcp__gauge__add', { a: 2, b: 40 }),
            tool('mcp__level__add', { a: 1, b: 1 }),
          ],
          usage(193, 91, 603, 0),
        ),
        says('All tried.', 12, 4, 63, 603),
      ],
    },
    files: { 'one.mjs': 'console.log(1)', 'two.mjs': 'console.log(2)', 'three.mjs': 'console.log(3)' },
    async play(stage) {
      const { home } = stage.folders;
      writeFileSync(join(home, 'level.json'), serverOf(stage, 'level'));
      const played = await stage.start({
        prompt: 'Try all',
        model: 'sonnet',
        sessionId: '20000000-0000-4000-8000-000000000021',
        permissionMode: 'default',
        maxTurns: 5,
        maxBudgetUsd: 3,
        allow: ['Bash(node one.mjs a, b)', 'Bash(node two.mjs)', 'mcp__gauge', 'mcp__level__add'],
        deny: ['Bash(node three.mjs)', 'WebSearch', 'NotebookEdit'],
        mcpConfig: [serverOf(stage, 'gauge'), join(home, 'level.json')],
        addDirs: [join(home, 'one, two'), join(home, '-three')],
        expect: good,
      });
      await played.end();
      assert.deepEqual(played.requests, []);
      assert.deepEqual(outcomes(played), ['success', 'success', 'success', 'success', 'denied', 'success', 'success']);
      assert.ok(stage.api.calls[0].model.includes('sonnet'));
      const { tools } = played.lines('stdout').find((line) => line.subtype === 'init');
      assert.equal(tools.includes('WebSearch') || tools.includes('NotebookEdit'), false);
      assert.equal(played.run.sessionIds.reported, '20000000-0000-4000-8000-000000000021');
    },
  }),
  () => ({
    name: 'run-bytes',
    description: 'The rows of stdout and stdin, put together, are what went through the pipes.',
    homeFiles: { 'harness/pass.mjs': passer },
    lanes: { main: [does(write('Größe.txt'), 197, 31, 607, 0), says('Größe 🌊.', 12, 4, 67, 607)] },
    async play(stage) {
      const copy = join(stage.folders.home, 'copy-');
      const pass = join(stage.folders.home, 'harness', 'pass.sh');
      writeFileSync(pass, `#!/bin/sh\nexec ${process.execPath} ${pass.replace('.sh', '.mjs')} "$@"\n`, { mode: 0o755 });
      const played = await stage.start({
        prompt: 'Grüße 🌊',
        program: pass,
        env: { ...stage.env, PASS_TO: program, PASS_COPY: copy },
        policy: () => ({ decision: 'allow' }),
        expect: good,
      });
      await played.end();
      for (const source of ['stdin', 'stdout'])
        assert.ok(played.bytes(source).equals(readFileSync(copy + source)), `${source} differs`);
    },
  }),
];
