// What the checks of the examples and of the packed packages share: a folder, an agent that is replayed, programs that are started and ended, and a real browser.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Long enough for a busy machine: whoever waits longer waits in vain. */
const WAIT_MS = 120_000;

const LISTENING = /listening on (http:\/\/127\.0\.0\.1:\d+)\n/;

export function createStage(root, folder) {
  const started = new Set();
  const browsers = new Set();
  const command = join(root, 'packages/cli/dist/tailrace.js');
  const home = join(folder, 'home');
  mkdirSync(join(home, 'work'), { recursive: true });
  // What the settings of this workspace are is no business of the examples, which are nobody's workspace.
  const own = Object.entries(process.env).filter(([name]) => !/^npm_|^GITHUB_|^TAILRACE_|^CLAUDE/i.test(name));
  const registry = Object.entries(process.env).filter(([name]) => /^npm_config_(registry|cache)$/i.test(name));
  const env = {
    ...Object.fromEntries([...own, ...registry]),
    TAILRACE_HOME: join(home, 'data'),
    CLAUDE_CONFIG_DIR: join(home, 'agent'),
    TAILRACE_CLAUDE: writeAgent(home, command, join(root, 'fixtures/demo')),
  };

  function start(program, words, { cwd = folder, env: more = {}, input } = {}) {
    const child = spawn(program, words, {
      cwd,
      env: { ...env, ...more },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A program that npm starts is ended with it.
      detached: process.platform !== 'win32',
      shell: process.platform === 'win32' && program !== process.execPath,
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (text) => {
        output[name] += text;
      });
    const ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        started.delete(child);
        resolve(code);
      });
    });
    ended.catch(() => {});
    started.add(child);
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    return { child, output, ended };
  }

  /** Starts a program that goes on, and gives it with what was found when it has printed that. */
  async function until(program, words, pattern, options) {
    const going = start(program, words, options);
    const found = await new Promise((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(going.output.stdout);
        if (match) resolve(match);
      };
      const fail = (how) => {
        const { stdout, stderr } = going.output;
        reject(new Error(`${program} ${words.join(' ')} ${how}: ${stdout}${stderr}`));
      };
      going.child.stdout.on('data', look);
      going.ended.then((code) => fail(`ended with ${code}`), reject);
      setTimeout(() => fail('says nothing of the kind'), WAIT_MS).unref();
    });
    return { ...going, found };
  }

  return {
    root,
    folder,
    command,
    env,
    /** Runs a program to its end; `code` is the exit code that is expected. */
    async run(program, words, options = {}) {
      const { output, ended } = start(program, words, options);
      const code = await ended;
      if (code !== (options.code ?? 0))
        throw new Error(`${program} ${words.join(' ')}: ${code}\n${output.stdout}${output.stderr}`);
      return output;
    },
    /** Starts a server, and gives its address when it listens. */
    async serve(program, words, options = {}) {
      const server = await until(program, words, LISTENING, { ...options, env: { PORT: '0', ...options.env } });
      return { ...server, url: server.found[1] };
    },
    until,
    /** A page in a real browser. What it complains about is an error. */
    async openPage(url) {
      const executablePath = [process.env.PLAYWRIGHT_CHROMIUM, ...PLACES, chromium.executablePath()].find(
        (path) => path && existsSync(path),
      );
      // Chromium has no sandbox for root.
      const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
      browsers.add(browser);
      const page = await browser.newPage();
      page.setDefaultTimeout(WAIT_MS);
      const complaints = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(url);
      return { page, complaints };
    },
    /** Waits until the agent that was started last is gone. */
    async agentGone() {
      const pid = Number(readFileSync(join(home, 'agent.pid'), 'utf8'));
      for (const end = Date.now() + WAIT_MS; isAlive(pid); await new Promise((resolve) => setTimeout(resolve, 20)))
        if (Date.now() > end) throw new Error('the agent goes on');
    },
    /** Ends whatever an example has left. */
    async stopAll() {
      for (const browser of browsers) await browser.close();
      browsers.clear();
      const left = [...started];
      for (const child of left) {
        const gone = new Promise((resolve) => child.once('close', resolve));
        try {
          process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGTERM');
        } catch {
          continue;
        }
        await gone;
      }
    },
  };
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Claude Code, played by the command: everything at once, unless `AGENT_SPEED` says otherwise. `AGENT_FLOODS` names the file of one that
 * says too much, and with `AGENT_ASKS` it is one that asks. It leaves its process id. */
function writeAgent(home, command, recordings) {
  const program = join(home, 'claude');
  const words = [process.execPath, command, 'replay', '--as-agent', recordings].map((word) => `'${word}'`).join(' ');
  const playedBy = (url) => `'${process.execPath}' '${fileURLToPath(url)}'`;
  const flooding = playedBy(new URL('flooding-agent.mjs', import.meta.url));
  const asking = playedBy(new URL('asking-agent.mjs', import.meta.url));
  writeFileSync(
    program,
    [
      '#!/bin/sh',
      `echo $$ > '${home}/agent.pid'`,
      `[ -z "$AGENT_FLOODS" ] || exec ${flooding} "$AGENT_FLOODS"`,
      `[ -z "$AGENT_ASKS" ] || exec ${asking}`,
      `exec ${words} --speed "\${AGENT_SPEED:-0}" -- "$@"\n`,
    ].join('\n'),
  );
  chmodSync(program, 0o700);
  return program;
}
