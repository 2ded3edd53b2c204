// Made-up sessions in the shape of Claude's own files: prompts, answers, commands, edits and their results.

import { createVocabulary } from './vocabulary.mjs';

const DAY = 86_400_000;
const MODELS = ['claude-opus-5-5', 'claude-sonnet-5', 'claude-haiku-4-5'];
const PROGRAMS = [
  'npm test',
  'git log --oneline',
  'rg -n',
  'cargo build',
  'pytest -q',
  'docker compose up',
  'kubectl get',
  'sed -n 1,80p',
];

/** Gives a function that makes the lines of a session: its number settles its project and its time. */
export function createSessionLines(random) {
  const { words, cjk, path } = createVocabulary(random);
  const begin = Date.UTC(2026, 0, 1);

  return (number, count) => {
    const id = random.uuid();
    const cwd = `/home/dev/${path(2)}`;
    const start = begin + Math.floor((number / 10_000) * 300 * DAY) + random.integer(0, DAY);
    const common = {
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId: id,
      version: '2.1.325',
      gitBranch: 'main',
    };
    const texts = [];
    let [parent, time] = [null, start];
    // The call that waits for its result.
    let last = '';

    while (texts.length < count) {
      const step = texts.length % 10;
      if (step === 0) user(prompt());
      else if (step === 9) assistant([{ type: 'text', text: answer() }], 'end_turn');
      else if (step % 2 === 1) assistant([call()], 'tool_use');
      else result();
    }
    return { id, at: start, path: `/home/dev/.claude/projects/${cwd.replaceAll('/', '-')}/${id}.jsonl`, texts };

    function put(type, message, more) {
      const uuid = random.uuid();
      time += random.integer(500, 20_000);
      const line = {
        parentUuid: parent,
        ...common,
        type,
        message,
        uuid,
        timestamp: new Date(time).toISOString(),
        ...more,
      };
      parent = uuid;
      texts.push(`${JSON.stringify(line)}\n`);
    }

    function user(content, more) {
      put('user', { role: 'user', content }, more);
    }

    function assistant(content, reason) {
      const usage = {
        input_tokens: random.integer(5, 300),
        cache_creation_input_tokens: random.integer(0, 5000),
        cache_read_input_tokens: random.integer(0, 90_000),
        output_tokens: random.integer(20, 900),
      };
      const model = MODELS[number % MODELS.length];
      const message = {
        id: random.id('msg'),
        type: 'message',
        role: 'assistant',
        model,
        content,
        stop_reason: reason,
        usage,
      };
      put('assistant', message, { requestId: random.id('req') });
    }

    function call() {
      const id = random.id('toolu');
      last = id;
      return random.next() < 0.5
        ? {
            type: 'tool_use',
            id,
            name: 'Bash',
            input: { command: `${random.pick(PROGRAMS)} ${path(3)} ${words(2)}`, description: words(4) },
          }
        : {
            type: 'tool_use',
            id,
            name: 'Edit',
            input: { file_path: `${cwd}/${path(3)}.ts`, old_string: words(8), new_string: words(10) },
          };
    }

    function result() {
      user([{ tool_use_id: last, type: 'tool_result', content: words(random.integer(5, 60)), is_error: false }]);
    }

    function prompt() {
      return random.next() < 0.1 ? cjk(random.integer(8, 40)) : words(random.integer(5, 40));
    }

    function answer() {
      return random.next() < 0.1 ? cjk(random.integer(40, 160)) : words(random.integer(20, 120));
    }
  };
}
