import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A run that went well, one that failed, one that was cut, words that would break out of the Markdown, and too many of them. */
export async function checkCiSummary({ run, command, root, folder, example }) {
  const file = join(folder, 'summary.md');
  const capture = (name) => join(root, 'fixtures/claude/2.1.325', `${name}.ndjson`);
  const summarize = (input, code) =>
    run(process.execPath, ['summary.js'], { cwd: example, env: { GITHUB_STEP_SUMMARY: file }, input, code });

  const { stdout: replayed } = await run(process.execPath, [
    command,
    'replay',
    capture('partial-messages'),
    '--speed',
    '0',
  ]);
  const good = await summarize(replayed, 0);
  assert.match(good.stdout, /^## ✅ done\n/);
  assert.match(good.stdout, /\| cost \| \$0\.\d+ \|/);
  const bad = await summarize(readFileSync(capture('api-error-400')), 1);
  assert.match(bad.stdout, /^## ❌ failed\n/);
  const cut = await summarize(replayed.slice(0, replayed.length / 2), 1);
  assert.match(cut.stdout, /^## ❌ ended without a result\n/);
  assert.equal(readFileSync(file, 'utf8'), good.stdout + bad.stdout + cut.stdout);

  // Made up, and put together here so that nobody takes it for a real one.
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
  const hostile = `\`\`\`\n# out\n\`\`\`\`\n<script> ${secret}`;
  const { stdout } = await summarize(said(hostile, 'a|b`<x> @all https://x.example $y$'), 0);
  assert.match(stdout, /\n`{5}text\n```\n# out\n````\n<script> \[redacted: github-token, 40 characters\]\n`{5}\n/);
  assert(!stdout.includes(secret));
  assert(stdout.includes('` a `&#124;`` b`<x> @all https://x.example $y$ `` |\n'), stdout);

  // The third byte of a `€` is the first that is left out.
  for (const text of ['`x'.repeat(400_000), '`'.repeat(2_000_000), '€'.repeat(500_000)]) {
    const { stdout: long } = await summarize(said(text, '|'.repeat(1_000_000)), 0);
    assert(Buffer.byteLength(long) < MAX_SUMMARY, `${Buffer.byteLength(long)} bytes`);
    assert(long.includes(`… [cut: ${Buffer.byteLength(text)} bytes in all]\n`));
    assert.match(long, /&#124;` … \[cut: 10\d{5} bytes in all\] ` \|\n/);
    assert(!long.includes('\ufffd'));
  }
  const much = Array.from({ length: 200 }, (_, number) => writes(`${number}${'`|'.repeat(1_000)}`)).join('');
  const names = await summarize(much + said('`'.repeat(2_000_000), 'm'), 0);
  assert.match(names.stdout, /, and 160 more \|\n/);
  assert(Buffer.byteLength(names.stdout) < MAX_SUMMARY, `${Buffer.byteLength(names.stdout)} bytes`);
  const failed = await summarize(said('`'.repeat(2_000_000), 'm', true), 1);
  assert(Buffer.byteLength(failed.stdout) < MAX_SUMMARY);
}

/** As much does GitHub take of a step. */
const MAX_SUMMARY = 1024 * 1024;

/** A tool that nobody knows writes a file: both are called so. */
function writes(name) {
  const call = { type: 'tool_use', id: name, name, input: { file_path: name } };
  const message = { id: name, role: 'assistant', content: [call] };
  return `${JSON.stringify({ type: 'assistant', session_id: 's', message })}\n`;
}

/** A run that says one thing. */
function said(text, model, isError = false) {
  const message = { id: 'm', role: 'assistant', content: [{ type: 'text', text }] };
  return [
    { type: 'system', subtype: 'init', session_id: 's', model, tools: [] },
    { type: 'assistant', session_id: 's', message },
    { type: 'result', subtype: 'success', is_error: isError, session_id: 's', result: text },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}
