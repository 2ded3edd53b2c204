// Writes one run in the layout of the captures: stdout byte for byte, stdin, session files and what is true about it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { shortened } from './long-strings.mjs';

const gzipAbove = 1024 * 1024;
const slug = (path) => path.replace(/[^A-Za-z0-9]/g, '-');

/** Machine paths give way to the same made-up ones everywhere. Works on bytes, so a line cut within a character stays as it is. */
export function anonymous(folders) {
  const pairs = [
    [folders.home, '/home/dev'],
    [slug(folders.home), '-home-dev'],
    [folders.root, '/home/run'],
    [slug(folders.root), '-home-run'],
    [process.execPath, '/usr/bin/node'],
  ];
  const clean = (bytes) => {
    let text = Buffer.from(bytes).toString('latin1');
    for (const [from, to] of pairs) text = text.replaceAll(from, to);
    return Buffer.from(text, 'latin1');
  };
  return {
    bytes: clean,
    text: (text) => clean(Buffer.from(text, 'utf8')).toString('utf8'),
    value: (value) => JSON.parse(clean(Buffer.from(JSON.stringify(value), 'utf8')).toString('utf8')),
  };
}

// The program's own prompts and tool descriptions are not ours to hand on, and nobody needs them here.
function withoutPrompts(bytes) {
  const short = (value) => {
    if (typeof value === 'string')
      return value.length > 400 ? `${value.slice(0, 60)}… (${value.length} characters)` : value;
    if (Array.isArray(value)) return value.map(short);
    if (value && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, short(inner)]));
    return value;
  };
  const lines = bytes.toString('utf8').split('\n');
  return Buffer.from(
    lines
      .map((line) =>
        /"type":"(attachment|api-request)/.test(line) && isJson(line) ? JSON.stringify(short(JSON.parse(line))) : line,
      )
      .join('\n'),
    'utf8',
  );
}

function isJson(line) {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function sessionFiles(folders) {
  const projects = join(folders.home, '.claude', 'projects');
  try {
    return readdirSync(projects, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  } catch {
    return [];
  }
}

function writeSessions(name, out, folders, clean, sessionIdentifier) {
  const written = [];
  const save = (path, file, kind, more = {}) => {
    const raw = clean.bytes(readFileSync(path));
    const bytes = path.endsWith('.jsonl') ? withoutPrompts(raw) : raw;
    writeFileSync(join(out, file), bytes);
    written.push({
      file,
      original_path: clean.text(`~/${relative(folders.home, path)}`),
      ...more,
      kind,
      bytes: bytes.length,
    });
  };
  const files = sessionFiles(folders).sort();
  const sessions = files.filter((file) => file.endsWith('.jsonl') && !file.includes('/subagents/'));
  sessions.sort((a, b) => Number(!a.includes(sessionIdentifier)) - Number(!b.includes(sessionIdentifier)));
  sessions.forEach((file, index) => {
    save(file, index ? `${name}.session-${index + 1}.transcript.jsonl` : `${name}.transcript.jsonl`, 'session');
  });
  files
    .filter((file) => file.endsWith('.jsonl') && basename(dirname(file)) === 'subagents')
    .forEach((file, index) => {
      const agent = { agent_id: basename(file, '.jsonl').replace(/^agent-/, '') };
      save(file, `${name}.subagent-${index + 1}.transcript.jsonl`, 'subagent', agent);
      const about = file.replace(/\.jsonl$/, '.meta.json');
      if (files.includes(about)) save(about, `${name}.subagent-${index + 1}.agent.json`, 'subagent-meta', agent);
    });
  return written;
}

export function writeCapture({ out, name, scenario, runNumber, runs, version, invocation, run, truth, folders }) {
  mkdirSync(out, { recursive: true });
  const clean = anonymous(folders);
  const stdout = clean.bytes(run.stdout);
  const file = `${name}.ndjson`;
  if (stdout.length > gzipAbove) writeFileSync(join(out, `${file}.gz`), gzipSync(stdout));
  else writeFileSync(join(out, file), stdout);
  const stdinFile = run.stdin ? `${name}.stdin.ndjson` : null;
  if (stdinFile) writeFileSync(join(out, stdinFile), clean.bytes(Buffer.from(run.stdin, 'utf8')));
  const { contradictions, ...expected } = truth;
  const meta = {
    name,
    scenario: scenario.name,
    run: runNumber,
    runs,
    description: scenario.description,
    covers: scenario.covers ?? [],
    cli_version: version,
    argv: ['claude', ...invocation.arguments].map(clean.text),
    env_extra: clean.value({ ...scenario.environment, ...invocation.environment }),
    exit_code: run.exitCode,
    signal: run.signal,
    harness_timeout: run.timedOut,
    stderr: clean.text(run.stderr).slice(0, 4000),
    stdout_file: stdout.length > gzipAbove ? `${file}.gz` : file,
    stdout_bytes: stdout.length,
    stdin_file: stdinFile,
    transcripts: writeSessions(name, out, folders, clean, expected.session_id),
    expected: clean.value(shortened(expected)),
  };
  writeFileSync(join(out, `${name}.meta.json`), `${JSON.stringify(meta, null, 1)}\n`);
}
