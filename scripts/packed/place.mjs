// A stranger's machine: a home with an agent's own sessions in it, agents on the path, a folder to work in.
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Claude Code's names for sessions; the words are searched for in the README. */
const SESSION = '7c4f0b1e-5a52-4f0e-9f5c-0d8b1a6f3e21';

export function createPlace({ root, folder, env }) {
  const home = join(folder, 'home');
  const bin = join(folder, 'bin');
  const work = join(home, 'shop');
  const capture = (name) => join(root, 'fixtures', name);
  for (const path of [bin, work, join(home, 'projects')]) mkdirSync(path, { recursive: true });

  const run = 'claude/2.1.325/partial-messages';
  cpSync(capture(`${run}.ndjson`), join(work, 'run.ndjson'));
  const sessions = join(home, '.claude/projects/-home-me-app');
  mkdirSync(sessions, { recursive: true });
  cpSync(capture(`${run}.transcript.jsonl`), join(sessions, '1c3d….jsonl'));
  const other = readFileSync(capture('claude/2.1.325/basic-text.transcript.jsonl'), 'utf8');
  writeFileSync(join(sessions, `${SESSION}.jsonl`), retold(other));

  // With a prompt it prints a recorded run; started by a program that speaks to it, it plays one.
  const agent = env.TAILRACE_CLAUDE;
  const print = `exec sed "s|/home/dev/project|$PWD|g" '${capture('claude/2.1.325/demo.ndjson')}'`;
  write('claude', `case " $* " in *' --input-format '*) exec '${agent}' "$@" ;; esac\n${print}\n`);
  write('codex', `exec cat '${capture('codex/0.166.0/mcp-ok.ndjson')}'\n`);
  write('gemini', `exec cat '${capture('gemini/0.61.0/tool-ok.ndjson')}'\n`);

  function write(name, script) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}`);
    chmodSync(join(bin, name), 0o700);
  }

  const path = [join(folder, 'node_modules/.bin'), bin, process.env.PATH].join(delimiter);
  return {
    home,
    work,
    /** Nothing but the home and the path says where anything is. */
    env: {
      HOME: home,
      PATH: path,
      TAILRACE_HOME: undefined,
      TAILRACE_CLAUDE: undefined,
      CLAUDE_CONFIG_DIR: undefined,
      XDG_DATA_HOME: undefined,
      XDG_CONFIG_HOME: undefined,
      NO_COLOR: '1',
    },
  };
}

/** The session under another name, some minutes ago, about something else. */
function retold(transcript) {
  const lines = transcript.trimEnd().split('\n');
  const [id] = lines.map((line) => JSON.parse(line).sessionId).filter(Boolean);
  const now = new Date().toISOString();
  return lines
    .map((line) => {
      const message = JSON.parse(line.replaceAll(id, SESSION));
      if (message.timestamp) message.timestamp = now;
      if (message.type === 'user') message.message.content = 'Write down the migration rollback of the cart';
      return `${JSON.stringify(message)}\n`;
    })
    .join('');
}
