// The door: it looks at the first word and loads the one file that is wanted. It imports nothing, so that `--help` and the
// first line of a pipe do not wait for what they do not need.

import type { Command } from './command.ts';

const commands: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  view: () => import('./commands/view.ts'),
  events: () => import('./commands/events.ts'),
  summary: () => import('./commands/summary.ts'),
  run: () => import('./commands/run.ts'),
  hook: () => import('./commands/hook.ts'),
  import: () => import('./commands/import.ts'),
  watch: () => import('./commands/watch.ts'),
  sessions: () => import('./commands/sessions.ts'),
  show: () => import('./commands/show.ts'),
  search: () => import('./commands/search.ts'),
  label: () => import('./commands/label.ts'),
  usage: () => import('./commands/usage.ts'),
  statusline: () => import('./commands/statusline.ts'),
  export: () => import('./commands/export.ts'),
  checkpoints: () => import('./commands/checkpoints.ts'),
  rewind: () => import('./commands/rewind.ts'),
  resume: () => import('./commands/resume.ts'),
  forget: () => import('./commands/forget.ts'),
  doctor: () => import('./commands/doctor.ts'),
  config: () => import('./commands/config.ts'),
  completion: () => import('./commands/completion.ts'),
  serve: () => import('./commands/serve.ts'),
  replay: () => import('./commands/replay.ts'),
  demo: () => import('./commands/demo.ts'),
};

async function main(words: readonly string[]): Promise<number> {
  const [first, ...rest] = words;
  if (first === '--version' || first === '-V') {
    process.stdout.write(`${TAILRACE_VERSION}\n`);
    return 0;
  }
  if (first === undefined && !process.stdin.isTTY) return run('view', []);
  if (first === undefined && process.stdout.isTTY) return (await import('./commands/open.ts')).command([]);
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    const { helpHere } = await import('./help.ts');
    const about = first === 'help' ? rest[0] : undefined;
    process.stdout.write(helpHere(about !== undefined && Object.hasOwn(commands, about) ? about : undefined));
    return 0;
  }
  if (Object.hasOwn(commands, first)) return run(first, rest);
  // `… | tailrace --plain` is `tailrace view --plain`.
  if (first.startsWith('-')) return run('view', words);
  process.stderr.write(`tailrace: there is no command "${first}". See tailrace --help.\n`);
  return 2;
}

async function run(name: string, words: readonly string[]): Promise<number> {
  // What stands behind `--` is no option.
  const options = words.slice(0, words.includes('--') ? words.indexOf('--') : words.length);
  if (options.includes('--help') || options.includes('-h')) {
    const { helpHere } = await import('./help.ts');
    process.stdout.write(helpHere(name));
    return 0;
  }
  const loaded = await commands[name]?.();
  return (await loaded?.command(words)) ?? 2;
}

/** Says what went wrong; gives the exit code. */
async function tell(error: unknown): Promise<number> {
  const { explain } = await import('./failure.ts');
  const { tellPlainly } = await import('./printer/hidden.ts');
  const [first = ''] = process.argv.slice(2);
  const { message, code } = explain(error, Object.hasOwn(commands, first) ? first : 'view');
  process.stderr.write(`tailrace: ${tellPlainly(message)}\n`);
  return code;
}

// A reader that has seen enough (`| head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  tell(error).finally(() => process.exit(1));
});
process.on('SIGINT', () => process.exit(130));

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  async (error: unknown) => {
    process.exitCode = await tell(error);
  },
);
