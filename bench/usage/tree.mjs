// A tree of session files as Claude Code keeps them: many projects and sessions over some months, answers in several lines with the
// same usage, results of tools up to a hundred times as long, sub-agents in both layouts, forks that begin with the lines of another.

import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRandom } from '../fixtures/random.mjs';
import { scratch } from '../fixtures/write.mjs';

const MODELS = ['claude-opus-4-5-20251101', 'claude-sonnet-4-5-20250929', 'claude-haiku-4-5-20251001'];
const BEGIN = Date.UTC(2026, 7, 20, 6);
const PROJECTS = 14;

/** The folder of a tree of about this size, made once, and what is in it: files, bytes, messages and tokens by kind. */
export function usageTree(bytes) {
  const hash = createHash('sha256')
    .update(readFileSync(new URL(import.meta.url)))
    .digest('hex')
    .slice(0, 12);
  const folder = join(scratch, `usage-${bytes}-${hash}`);
  const counts = join(folder, 'counts.json');
  if (!existsSync(counts)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(counts, JSON.stringify(writeTree(join(folder, 'projects'), bytes)));
  }
  return { folder, ...JSON.parse(readFileSync(counts, 'utf8')) };
}

function writeTree(folder, target) {
  const random = createRandom(7);
  // Texts are slow to make, so they are cut from a few long ones.
  const code = Array.from({ length: 24 }, () => random.code(120_000));
  const prose = Array.from({ length: 8 }, () => random.prose(30_000));
  const cut = (pool, length) => {
    const text = random.pick(pool);
    const from = random.integer(0, Math.max(text.length - length, 0));
    return text.slice(from, from + length);
  };
  const counts = {
    files: 0,
    bytes: 0,
    messages: 0,
    inputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
  };
  let clock = BEGIN;

  function writeFile(path, lines) {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(path, 'w');
    let waiting = [];
    let size = 0;
    for (const line of lines) {
      waiting.push(line);
      size += line.length;
      if (size < 4_000_000) continue;
      counts.bytes += writeSync(file, waiting.join(''));
      waiting = [];
      size = 0;
    }
    counts.bytes += writeSync(file, waiting.join(''));
    closeSync(file);
    counts.files++;
  }

  /** The lines of one thread; what it was served is counted. */
  function makeThread({ sessionId, cwd, model, isSidechain, agentId, answers }) {
    const lines = [];
    let parentUuid = null;
    const add = (fields) => {
      const uuid = random.uuid();
      clock += random.integer(200, 9000);
      const about = {
        timestamp: new Date(clock).toISOString(),
        userType: 'external',
        cwd,
        sessionId,
        version: '2.1.325',
      };
      const own = {
        parentUuid,
        isSidechain,
        ...(agentId && { agentId }),
        ...fields,
        uuid,
        ...about,
        gitBranch: 'main',
      };
      lines.push(`${JSON.stringify(own)}\n`);
      parentUuid = uuid;
    };
    add({ type: 'user', message: { role: 'user', content: cut(prose, random.logarithmic(40, 3000)) } });
    let context = random.integer(9000, 20_000);
    for (let count = 0; count < answers; count++) {
      const id = random.id('msg');
      const requestId = random.id('req');
      const fresh = random.integer(2, 400);
      const write = random.integer(100, 6000);
      const hour = random.next() < 0.3 ? write : 0;
      const output = random.logarithmic(20, 4000);
      const usage = {
        input_tokens: fresh,
        cache_creation_input_tokens: write,
        cache_read_input_tokens: context,
        output_tokens: output,
        server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
        service_tier: 'standard',
        cache_creation: { ephemeral_1h_input_tokens: hour, ephemeral_5m_input_tokens: write - hour },
      };
      counts.messages++;
      counts.inputTokens += fresh + write + context;
      counts.cacheReadTokens += context;
      counts.cacheWriteTokens += write;
      counts.outputTokens += output;
      context = Math.min(context + write, 150_000);
      const say = (block, stop) =>
        add({
          message: {
            model,
            id,
            type: 'message',
            role: 'assistant',
            content: [block],
            stop_reason: stop,
            stop_sequence: null,
            usage,
          },
          requestId,
          type: 'assistant',
        });
      const isLast = count === answers - 1;
      const stop = isLast ? 'end_turn' : 'tool_use';
      if (random.next() < 0.4)
        say(
          { type: 'thinking', thinking: cut(prose, random.logarithmic(100, 4000)), signature: random.base64(400) },
          stop,
        );
      if (isLast || random.next() < 0.5) say({ type: 'text', text: cut(prose, random.logarithmic(60, 3000)) }, stop);
      if (isLast) break;
      const call = random.id('toolu');
      const isEdit = random.next() < 0.35;
      const input = isEdit
        ? {
            file_path: `${cwd}/src/a.ts`,
            old_string: cut(code, random.logarithmic(40, 4000)),
            new_string: cut(code, random.logarithmic(40, 4000)),
          }
        : { command: cut(code, random.logarithmic(20, 400)) };
      say({ type: 'tool_use', id: call, name: isEdit ? 'Edit' : 'Bash', input }, stop);
      const result = cut(code, random.logarithmic(200, 60_000));
      add({
        type: 'user',
        message: { role: 'user', content: [{ tool_use_id: call, type: 'tool_result', content: result }] },
        toolUseResult: isEdit
          ? { filePath: `${cwd}/src/a.ts`, originalFile: result }
          : { stdout: result, stderr: '', interrupted: false },
      });
    }
    return lines;
  }

  let number = 0;
  while (counts.bytes < target) {
    number++;
    clock += random.integer(0, 3_000_000);
    const project = `-home-dev-project-${random.integer(1, PROJECTS)}`;
    const about = { sessionId: random.uuid(), cwd: `/home/dev/${project.slice(10)}`, model: random.pick(MODELS) };
    const path = join(folder, project, about.sessionId);
    const lines = makeThread({ ...about, isSidechain: false, answers: random.logarithmic(3, 400) });
    writeFile(`${path}.jsonl`, lines);
    for (let agents = number % 3 === 0 ? random.integer(1, 4) : 0; agents > 0; agents--) {
      const agentId = random.uuid().slice(0, 8);
      const own = makeThread({
        ...about,
        isSidechain: true,
        agentId,
        model: MODELS[2],
        answers: random.logarithmic(2, 40),
      });
      const isOld = number % 2 === 0;
      writeFile(
        isOld ? join(folder, project, `agent-${agentId}.jsonl`) : join(path, 'subagents', `agent-${agentId}.jsonl`),
        own,
      );
    }
    if (number % 10 === 0) {
      const sessionId = random.uuid();
      const copied = lines.slice(0, 40).map((line) => line.replace(about.sessionId, sessionId));
      const more = makeThread({ ...about, sessionId, isSidechain: false, answers: random.integer(2, 20) });
      writeFile(join(folder, project, `${sessionId}.jsonl`), [...copied, ...more]);
    }
  }
  return counts;
}
