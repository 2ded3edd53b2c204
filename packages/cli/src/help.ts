// Help for people, one page per command, each with an example.

const INPUT = `  FILE                 a capture of the agent's output, or a session file of its own (with its sub-agents' files, which
                       are found beside it), plain or .gz; "-" or nothing: standard input
  --transcript FILE    the session file of the run that is in the capture: adds the prompts, what sub-agents said, and the
                       final figures of a run that was killed
  --agent NAME         whose output it is: claude, codex, copilot, gemini, goose, grok, kimi, opencode, pi or qwen;
                       found out by itself otherwise
  --max-line SIZE      the longest line that is read, such as 10M (default 64M)`;

const pages: Readonly<Record<string, string>> = {
  view: `tailrace view [FILE] [options]

Prints what an agent does as people read it: text, tool calls, costs. Live when it comes through a pipe.

${INPUT}
  --plain              no colour, no emphasis
  --quiet              only the closing summary
  --json               neutral events instead, as tailrace events prints them
  --exit-status        exit with 1 when the run failed

Examples
  claude -p "fix the test" --output-format stream-json --verbose | tailrace
  tailrace view run.ndjson.gz
  tailrace view ~/.claude/projects/-home-me-app/1c3d….jsonl
`,
  events: `tailrace events [FILE] [options]

Prints neutral events, one JSON object per line.

${INPUT}
  --exit-status        exit with 1 when the run failed

Example
  tailrace events run.ndjson | jq -c 'select(.type == "tool-call-end")'
`,
  summary: `tailrace summary [FILE] [options]

Tells what happened: how it ended, what it cost, which tools were called, which files changed.

${INPUT}
  --json               one JSON object
  --exit-status        exit with 1 when the run failed

Example
  tailrace summary run.ndjson --json | jq .costUsd
  tailrace summary run.ndjson --transcript ~/.claude/projects/-home-me-app/1c3d….jsonl
`,
  replay: `tailrace replay [FILE] [options]

Prints a recorded stream again, byte for byte, at the pace at which it happened: an agent to try things with.

  FILE                 a capture or a transcript, plain or .gz; "-" or nothing: standard input
  --speed N            how many times faster than it happened (default 1; 0: at once)
  --max-gap SECONDS    the longest wait before one line, at speed 1 (default 2)

Lines between two that carry a time share the time between them. Where no times are told, the pace is steady.

Example
  tailrace replay run.ndjson --speed 2 | tailrace
`,
  demo: `tailrace demo [options]

Plays a recorded session in the terminal. Needs no agent and no key.

  --speed N            how many times faster than it happened (default 1; 0: at once)
  --plain              no colour, no emphasis
`,
};

export const help: string = `tailrace: see what a headless coding agent does, and what it cost

  … | tailrace             print a stream as people read it, live
  tailrace view [FILE]     the same for a file
  tailrace events [FILE]   neutral events, one JSON object per line
  tailrace summary [FILE]  what happened, what it cost
  tailrace replay [FILE]   a recorded stream, printed again with its timing
  tailrace demo            a recorded session, played in the terminal

  tailrace COMMAND --help  more about a command
  tailrace --version

Exit codes: 0 good, 1 the input could not be read (or, with --exit-status, the run failed), 2 wrong usage, 130 stopped.

Example
  claude -p "fix the test" --output-format stream-json --verbose | tailrace
  codex exec --json "fix the test" | tailrace
`;

export function helpOf(command: string): string {
  return pages[command] ?? help;
}
