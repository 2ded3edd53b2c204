#!/usr/bin/env node
// A program that plays an agent, good or bad, from a script: the file that FAKE_AGENT names, or the words of the prompt. It prints
// the lines that the first agent of Tailrace prints. Each behaviour is one that was seen, by the
// scenario of the real program in conformance/, or the public thread, that is named with it.
//
// A script is a list of steps, one array each:
//   ['init'] ['text', s] ['call', id, tool, input?] ['done', id, text?] ['wrote', id, path, text] ['result', text?] ['failure', text?]
//   ['ask', id, tool, input, suggestions?] waits for the answer; ['question', id, question, labels]; ['background', taskId]; ['background-end', taskId]
//   ['prompt'] waits for a line of the person; ['reply-to-prompts'] answers each prompt until stdin ends
//   ['synthetic', s] ['session', id] ['session-file', id] ['write', file, text] ['stderr', s] ['raw', bytes as latin1] ['exit', code] ['die', signal] ['hang'] ['await-file', path]
//   ['rewinds', { prompt: { file: text or null } }, kept?] sets files back when it is asked to, but not the one that is named last
//   ['child', kind] starts a process: plain | own-session | deaf | holds-pipe | holds-all | bare ; ['deaf'] ignores TERM and INT from now on
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

/** FAKE_SESSION=own: the id that it was told, else one of its own; so does the real one. */
let session =
  process.env.FAKE_SESSION === 'own'
    ? (wordOf('session-id') ?? (process.argv.includes('--fork-session') ? undefined : wordOf('resume')) ?? randomUUID())
    : (process.env.FAKE_SESSION ?? '11111111-2222-4333-8444-555555555555');
function wordOf(name) {
  const at = process.argv.indexOf(`--${name}`);
  if (at >= 0) return process.argv[at + 1];
  return process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
}
const steps = JSON.parse(readFileSync(process.env.FAKE_AGENT, 'utf8'));
if (process.env.FAKE_TOLD) {
  const told = { argv: process.argv.slice(2), env: process.env, cwd: process.cwd(), pid: process.pid };
  // Whoever waits for it finds it whole; another agent may write it at the same moment.
  const half = `${process.env.FAKE_TOLD}.${process.pid}`;
  writeFileSync(half, JSON.stringify(told));
  renameSync(half, process.env.FAKE_TOLD);
}

const lines = [];
const waiting = [];
let isOver = false;
// What comes on stdin is kept byte for byte too, for whoever wants to compare.
const chunks = [];
const keepStdin = () => process.env.FAKE_STDIN && writeFileSync(process.env.FAKE_STDIN, Buffer.concat(chunks));
process.stdin.on('data', (chunk) => chunks.push(chunk));
const reader = createInterface({ input: process.stdin });
reader.on('line', (line) => {
  const message = JSON.parse(line);
  lines.push(message);
  for (const wake of waiting.splice(0)) wake();
});
reader.on('close', () => {
  isOver = true;
  keepStdin();
  for (const wake of waiting.splice(0)) wake();
});

/** The first line from now on that fits; nothing when stdin ends before. */
async function heard(fits) {
  for (;;) {
    const index = lines.findIndex(fits);
    if (index >= 0) return lines.splice(index, 1)[0];
    if (isOver) return undefined;
    await new Promise((wake) => waiting.push(wake));
  }
}

let count = 0;
const print = (message) => {
  const bytes = Buffer.from(`${JSON.stringify({ session_id: session, uuid: `line-${++count}`, ...message })}\n`);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
};
const assistant = (block) =>
  print({
    type: 'assistant',
    parent_tool_use_id: null,
    message: {
      id: `msg_${count}`,
      role: 'assistant',
      model: 'fake-1',
      content: [block],
      stop_reason: null,
      usage: { input_tokens: 10, output_tokens: 1 },
    },
  });
const toolResult = (id, text, isError) =>
  print({
    type: 'user',
    parent_tool_use_id: null,
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text, is_error: isError }] },
  });
const result = (isError, text) =>
  print({
    type: 'result',
    subtype: 'success',
    is_error: isError,
    result: text,
    num_turns: 1,
    duration_ms: 5,
    total_cost_usd: 0.001,
    usage: { input_tokens: 10, output_tokens: 5 },
  });
const replay = ({ message, uuid }) => print({ type: 'user', message, uuid, isReplay: true, parent_tool_use_id: null });
const never = () => new Promise(() => setInterval(() => {}, 1 << 30));

const HELD = { 'holds-pipe': ['ignore', 'inherit', 'inherit'], 'holds-all': 'inherit' };

/** Processes as tools leave them behind; seen: run-orphan, run-background, Sterll/claude-terminal#202 */
function startChild(kind) {
  const body = `${kind === 'deaf' ? "process.on('SIGTERM',()=>{});process.on('SIGHUP',()=>{});" : ''}setInterval(()=>{},1<<30);`;
  const child = spawn(process.execPath, ['-e', body], {
    detached: kind !== 'plain',
    // A child with the agent's stdout keeps the pipe open after the agent's end; seen: AaronCQL/pim-agent#7
    stdio: HELD[kind] ?? 'ignore',
    ...(kind === 'bare' && { env: {} }),
  });
  child.unref();
  if (process.env.FAKE_CHILDREN) writeFileSync(process.env.FAKE_CHILDREN, `${child.pid}\n`, { flag: 'a' });
}

const acts = {
  // seen: plain-text, run-tools, error-first-turn
  init: () =>
    print({
      type: 'system',
      subtype: 'init',
      cwd: process.cwd(),
      model: 'fake-1',
      tools: ['Bash', 'Read', 'Write'],
      mcp_servers: [],
      permissionMode: 'default',
      claude_code_version: '2.1.325',
    }),
  text: (text) => assistant({ type: 'text', text }),
  call: (id, name, input = {}) => assistant({ type: 'tool_use', id, name, input }),
  done: (id, text = 'ok') => toolResult(id, text, false),
  // seen: permission-allow-changed
  wrote: (id, path, content) =>
    print({
      type: 'user',
      parent_tool_use_id: null,
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
      tool_use_result: {
        type: 'create',
        filePath: join(process.cwd(), path),
        content,
        structuredPatch: [],
        originalFile: null,
      },
    }),
  result: (text = 'Done.') => result(false, text),
  failure: (text = 'It failed.') => result(true, text),
  // seen: permission-allow, permission-deny, question-answered
  async ask(id, name, input = {}, suggestions = []) {
    print({
      type: 'control_request',
      request_id: `ask-${id}`,
      request: {
        subtype: 'can_use_tool',
        tool_name: name,
        input,
        tool_use_id: id,
        permission_suggestions: suggestions,
      },
    });
    const answer = await heard((line) => line.type === 'control_response' && line.response.request_id === `ask-${id}`);
    const { behavior, message = '' } = answer?.response.response ?? {};
    toolResult(id, behavior === 'allow' ? 'ok' : message, behavior !== 'allow');
  },
  async question(id, question, labels) {
    await acts.ask(id, 'AskUserQuestion', {
      questions: [{ question, header: 'Choose', multiSelect: false, options: labels.map((label) => ({ label })) }],
    });
  },
  // seen: shell-background
  background: (id) =>
    print({
      type: 'system',
      subtype: 'task_started',
      task_id: id,
      task_type: 'local_bash',
      description: id,
      is_backgrounded: true,
    }),
  'background-end': (id) =>
    print({
      type: 'system',
      subtype: 'task_notification',
      task_id: id,
      status: 'completed',
      summary: 'over',
      output_file: '',
    }),
  async prompt() {
    const line = await heard(({ type }) => type === 'user');
    if (line) replay(line);
  },
  // What is asked meanwhile is answered too; seen: turns-replayed, run-turns
  async 'reply-to-prompts'() {
    answerDemands();
    for (
      let line = await heard(({ type }) => type === 'user');
      line;
      line = await heard(({ type }) => type === 'user')
    ) {
      acts.init();
      replay(line);
      acts.text(`You said: ${line.message.content}`);
      acts.result(`You said: ${line.message.content}`);
    }
  },
  // What the CLI says in the person's place; seen: schema-second-try, compact
  synthetic: (text) =>
    print({ type: 'user', isSynthetic: true, message: { role: 'user', content: text }, parent_tool_use_id: null }),
  // From now on it is another one; seen: clear
  session: (id) => {
    session = id;
  },
  // The file on disk has another id than the one that is reported; seen: anthropics/claude-code#58760
  'session-file': (id) => {
    const folder = join(process.env.HOME, '.claude/projects', process.cwd().replaceAll(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${id}.jsonl`), '');
  },
  // What a tool does to the folder.
  write: (name, text) => writeFileSync(name, text),
  // seen: usage-error
  stderr: (text) => writeSync(2, text),
  raw: (text) => writeSync(1, Buffer.from(text, 'latin1')),
  exit(code) {
    keepStdin();
    process.exit(code);
  },
  // seen: sigkill-cut-line, run-kill
  die: (signal) => {
    process.kill(process.pid, signal);
    return never();
  },
  // A result, and the process stays; seen: anthropics/claude-code#1920, anthropics/claude-code#25629
  hang: never,
  // seen: run-stop-stubborn, morapelker/hive#624
  deaf: () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
  },
  child: startChild,
  // Stays until stdin is closed; seen: nexu-io/open-design#3146
  'until-stdin-ends': () => heard(() => false),
  // Somebody who no longer reads; seen: anthropics/claude-agent-sdk-typescript#438
  'stop-reading': () => {
    process.stdin.destroy();
    try {
      closeSync(0);
    } catch {
      // It is closed already.
    }
  },
  async 'await-file'(path) {
    while (!existsSync(path))
      await new Promise((done) => {
        const watcher = watch(dirname(path), () => {
          watcher.close();
          done();
        });
        if (existsSync(path)) {
          watcher.close();
          done();
        }
      });
  },
  // Without a prompt; a try tells which files, the thing itself does not; seen: run-go-back, run-go-back-not-kept
  async rewinds(checkpoints, kept) {
    for (let line = await heard(isRewind); line; line = await heard(isRewind)) {
      const { user_message_id, dry_run } = line.request;
      const differs = ([name, text]) => (existsSync(name) ? readFileSync(name, 'utf8') : null) !== text;
      const files = checkpoints[user_message_id] && Object.entries(checkpoints[user_message_id]).filter(differs);
      const filesChanged = files?.map(([name]) => join(process.cwd(), name));
      const error = 'No file checkpoint found for this message.';
      const response = files
        ? { canRewind: true, ...(dry_run && { filesChanged, insertions: 1, deletions: 2 }) }
        : { canRewind: false, error };
      if (!dry_run)
        for (const [name, text] of files ?? [])
          if (name === kept) continue;
          else if (text === null) rmSync(name);
          else writeFileSync(name, text);
      const reply = files || dry_run ? { subtype: 'success', response } : { subtype: 'error', error };
      print({
        type: 'control_response',
        response: { ...reply, request_id: line.request_id },
        uuid: undefined,
        session_id: undefined,
      });
    }
  },
  // seen: controls, interrupt-tool
  demands: () => {
    answerDemands();
  },
};

const isRewind = ({ type, request }) => type === 'control_request' && request.subtype === 'rewind_files';

async function answerDemands() {
  for (;;) {
    const line = await heard(({ type }) => type === 'control_request');
    if (!line) return;
    const response = { subtype: 'success', request_id: line.request_id, response: {} };
    print({ type: 'control_response', response, uuid: undefined, session_id: undefined });
    if (line.request.subtype === 'interrupt' && process.env.FAKE_INTERRUPTS !== 'ignored') {
      print({
        type: 'user',
        message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] },
        parent_tool_use_id: null,
      });
      print({
        type: 'result',
        subtype: 'error_during_execution',
        is_error: true,
        errors: ['interrupted'],
        terminal_reason: 'aborted_tools',
        num_turns: 1,
        usage: {},
        total_cost_usd: 0,
      });
    }
  }
}

for (const [name, ...words] of steps) await acts[name](...words);
process.exit(0);
