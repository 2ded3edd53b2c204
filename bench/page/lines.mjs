// A long run as lines of Claude's: prompts, answers in Markdown, thoughts, calls of every kind, edits, sub-agents, retries. Answers
// are told whole, not in pieces: pieces do not travel once their whole is there, and every event is to travel.

import { createRandom } from '../fixtures/random.mjs';
import { createSession } from '../fixtures/session.mjs';

/** What is said last. */
export const LAST_WORDS = 'That is all there is to say.';

/** Lines, until `isEnough` at the end of a turn. */
export function* runLines(isEnough, seed = 21) {
  const random = createRandom(seed);
  const session = createSession(random);
  const path = () =>
    `/home/dev/project/src/${random.pick(['reader', 'parser', 'store', 'feed'])}-${random.integer(0, 99)}.ts`;

  /** The same line on the thread of a sub-agent. */
  const on = (parent, line) => ({ ...line, parent_tool_use_id: parent });
  const say = (parent, block) =>
    on(parent, session.assistant(session.message(random.id('msg'), [block], random.integer(20, 900))));

  function* call(parent, name, input, content, output) {
    const id = random.id('toolu');
    yield say(parent, { type: 'tool_use', id, name, input });
    yield on(parent, session.toolResult(id, content, output));
  }

  function* command(parent) {
    const stdout = random.code(random.logarithmic(40, 6000));
    const input = { command: `npm test -- ${random.prose(20)}`, description: 'Run tests' };
    yield* call(parent, 'Bash', input, stdout, { stdout, stderr: '', interrupted: false, isImage: false });
  }

  function* read(parent) {
    const [file_path, content] = [path(), random.code(random.logarithmic(200, 6000))];
    yield* call(parent, 'Read', { file_path }, content, { type: 'text', file: { filePath: file_path, content } });
  }

  function* edit(parent) {
    const file_path = path();
    const [old_string, new_string] = [random.code(random.integer(60, 700)), random.code(random.integer(60, 900))];
    const lines = [...old_string.split('\n').map((line) => `-${line}`), ...new_string.split('\n').map((l) => `+${l}`)];
    yield* call(
      parent,
      'Edit',
      { file_path, old_string, new_string, replace_all: false },
      `The file ${file_path} has been updated successfully.`,
      {
        filePath: file_path,
        oldString: old_string,
        newString: new_string,
        structuredPatch: [
          {
            oldStart: 1,
            oldLines: old_string.split('\n').length,
            newStart: 1,
            newLines: new_string.split('\n').length,
            lines,
          },
        ],
        userModified: false,
        replaceAll: false,
      },
    );
  }

  function* search(parent) {
    const hits = Array.from(
      { length: random.integer(1, 30) },
      () => `${path()}:${random.integer(1, 900)}:${random.code(30)}`,
    );
    const input = { pattern: random.pick(['reader', 'flush\\(', 'TODO']), output_mode: 'content' };
    yield* call(parent, 'Grep', input, hits.join('\n'), {
      mode: 'content',
      numFiles: 1,
      filenames: [],
      content: hits.join('\n'),
    });
  }

  const work = [command, read, read, edit, edit, search];

  function* step(parent) {
    if (random.next() < 0.25)
      yield say(parent, {
        type: 'thinking',
        thinking: random.prose(random.logarithmic(80, 1500)),
        signature: random.base64(80),
      });
    if (random.next() < 0.5) yield say(parent, { type: 'text', text: markdown() });
    for (let calls = random.integer(1, 3); calls > 0; calls--) yield* random.pick(work)(parent);
  }

  function* subagent() {
    const id = random.id('toolu');
    const input = { description: random.prose(24), prompt: random.prose(300), subagent_type: 'Explore' };
    yield say(null, { type: 'tool_use', id, name: 'Task', input });
    for (let steps = random.integer(3, 20); steps > 0; steps--) yield* step(id);
    yield session.toolResult(id, [{ type: 'text', text: markdown() }], {
      status: 'completed',
      prompt: input.prompt,
      totalDurationMs: random.integer(900, 90_000),
      totalTokens: random.integer(900, 90_000),
      totalToolUseCount: 9,
    });
  }

  function markdown() {
    const pieces = [random.prose(random.integer(40, 300))];
    if (random.next() < 0.3) pieces.push(`- ${random.prose(40)}\n- **${random.prose(12)}** ${random.prose(30)}`);
    if (random.next() < 0.15) pieces.push(`\`\`\`ts\n${random.code(random.integer(80, 900))}\n\`\`\``);
    if (random.next() < 0.05) pieces.push('| what | how much |\n|---|---|\n| files | 3 |\n| lines | 41 |');
    return pieces.join('\n\n');
  }

  yield session.init();
  while (!isEnough()) {
    const text = random.prose(random.integer(20, 200));
    yield session.prompt(text);
    for (let steps = random.integer(3, 30); steps > 0; steps--) {
      if (random.next() < 0.04) yield* subagent();
      else yield* step(null);
      if (random.next() < 0.01)
        yield session.system('api_retry', {
          attempt: 1,
          max_retries: 10,
          retry_delay_ms: 600,
          error_status: 529,
          error: 'overloaded',
        });
    }
    yield say(null, { type: 'text', text: markdown() });
    yield session.result(text, 3);
  }
  yield session.prompt('Is that all?');
  yield say(null, { type: 'text', text: LAST_WORDS });
  yield session.result(LAST_WORDS, 1);
}
