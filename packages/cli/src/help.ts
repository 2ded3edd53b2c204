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
  run: `tailrace run [options] [--] PROMPT

Starts an agent, shows what it does live, and lets you answer what it asks. Ctrl-C interrupts it, a second one stops it, a third
one kills it. No process of a run outlives it.

  PROMPT               what it is to do; "-" or nothing: standard input
  --agent NAME         which agent (default claude)
  --program FILE       where its program is; else TAILRACE_<AGENT>, PATH, and the login shell's PATH are asked
  --cwd DIR            the folder to work in
  --model NAME
  --permission-mode M  what it may do without asking, in the agent's words (default, acceptEdits, plan, …)
  --allow TOOL         needs no permission; may be repeated
  --deny TOOL          may not be used; may be repeated
  --approve-all        it may use every tool without asking
  --resume ID          go on with a session
  --fork               … in a new session
  --session-id UUID    the id that the new session gets
  --max-turns N, --max-budget USD
  --mcp-config FILE    MCP servers; may be repeated
  --add-dir DIR        another folder it may work in; may be repeated
  --chat               go on talking: when it is done, you may say more; an empty line ends it
  --keep-background    background tasks that it declared may outlive the run
  --trust-folder       agree to the hooks, MCP servers and settings that the folder brings
  --json               neutral events as lines, and nothing else on standard output; nobody is asked
  --plain              no colour, no emphasis
  --quiet              only what asks for you, and the closing summary

Without a terminal nobody is asked: what needs a permission is denied, unless --allow or --permission-mode says otherwise.
Exit codes: 0 it did what it was asked, 1 it failed, 2 wrong usage or a folder that nobody trusts, 130 stopped by you.

Examples
  tailrace run "fix the failing test"
  tailrace run --allow "Bash(npm test:*)" --max-budget 2 --json "run the tests and fix them" > run.ndjson
`,
  hook: `tailrace hook [install|remove] [options]

A passive recorder for the agent's hooks: it keeps what the agent tells it, says nothing, and never makes the agent wait for long.

  tailrace hook install   puts it into the agent's settings, from the next session on
  tailrace hook remove    takes it out again; the settings are to the byte what they were
  tailrace hook           what the agent runs: reads one payload from standard input, always exits with 0

  --dir DIR            where the agent's settings are (default: CLAUDE_CONFIG_DIR, else ~/.claude)
  --agent NAME         which agent (default claude)
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
  tailrace run PROMPT      start an agent, see it live, answer it
  tailrace hook install    let your interactive sessions be recorded
  tailrace replay [FILE]   a recorded stream, printed again with its timing
  tailrace demo            a recorded session, played in the terminal

  tailrace COMMAND --help  more about a command
  tailrace --version

Exit codes: 0 good, 1 the input could not be read or the run failed (view, summary, events: with --exit-status), 2 wrong usage,
130 stopped.

Example
  claude -p "fix the test" --output-format stream-json --verbose | tailrace
  codex exec --json "fix the test" | tailrace
`;

export function helpOf(command: string): string {
  return pages[command] ?? help;
}
