// Help for people, one page per command, each with an example.

import { wrapHelp } from './help-lines.ts';
import { screenWidth } from './printer/screen.ts';

const WITHOUT_TERMINAL = 80;

const INPUT = `  FILE                 a capture of the agent's output, or a session file of its own (with its sub-agents' files, which
                       are found beside it), plain or .gz; "-" or nothing: standard input
  --transcript FILE    the session file of the run that is in the capture: adds the prompts, what sub-agents said, and the
                       final figures of a run that was killed
  --agent NAME         whose output it is: claude, codex, copilot, gemini, goose, grok, kimi, opencode, pi or qwen;
                       found out by itself otherwise
  --max-line SIZE      the longest line that is read, such as 10M (default 64M)`;

const pages: Readonly<Record<string, string>> = {
  view: `tailrace view [FILE] [options]

Prints what an agent does as people read it: text, tool calls, changes, costs. Live when it comes through a pipe: on a terminal, what
is running and what is being written stands below, and the last line tells what it is at.

${INPUT}
  --follow             FILE still grows: read on until Ctrl-C
  --only KINDS         only these: text, prompts, reasoning, tools, files, todos, subagents, trouble, summary, with commas
                       between them. What waits for you is always shown
  --full               fold nothing: all output, all changes, all thoughts
  --plain              no colour, nothing rewritten, text as the agent writes it
  --quiet              only the closing summary
  --notify             call me when it ends, or waits for me: a bell, and a message where the terminal shows them
  --record             keep it as well (a pipe only); see tailrace sessions
  --no-redact          show secrets as they are
  --json               neutral events instead, as tailrace events prints them
  --exit-status        exit with 1 when the run failed

NO_COLOR and FORCE_COLOR are honoured. Without a terminal it is as wide as COLUMNS says, else 100. Ctrl-C once also reaches the agent:
what it still says is shown, and what it cost; twice leaves at once. Exit codes: 0 it could be read, 1 it could not, 2 wrong usage, 130
stopped by you.

Examples
  claude -p "fix the test" --output-format stream-json --verbose | tailrace
  claude -p "fix the test" --output-format stream-json --verbose --include-partial-messages | tailrace --notify
  codex exec --json "fix the test" | tailrace --only text,trouble,summary
  tailrace view --follow ~/.claude/projects/-home-me-app/1c3d….jsonl
  tailrace view run.ndjson.gz --full | less -R
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
  --no-redact          show secrets as they are
  --exit-status        exit with 1 when the run failed

Examples
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
  --resume-at ID       … from behind this message of it
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
  --only KINDS         only these: text, prompts, reasoning, tools, files, todos, subagents, trouble, summary, with commas
                       between them. What waits for you is always shown
  --full               fold nothing: all output, all changes, all thoughts
  --notify             call me when it ends, or waits for me: a bell, and a message where the terminal shows them
  --no-redact          show secrets as they are

Every run is kept; see tailrace sessions. Without a terminal nobody is asked: what needs a permission is denied, unless --allow or --permission-mode says otherwise.
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

Example
  tailrace hook install
`,
  import: `tailrace import [DIR|FILE] [options]

Takes in the session files that your agents keep themselves, so that they outlive the agent's own clearing up. Only what is new is
read; what was taken in stays, whatever becomes of the file.

  DIR|FILE             where to look (default: the agents' own folders; CLAUDE_CONFIG_DIR is honoured)
  --forgotten          also what you made Tailrace forget
  --json               the report as one JSON object
  --quiet              say nothing but what went wrong

Examples
  tailrace import
  tailrace import ~/backup/projects --json
`,
  watch: `tailrace watch [DIR] [options]

The same as import, and then for good: every line is taken in as it is written. Ctrl-C ends it.

  --json               one JSON object for each piece that was taken in
  --quiet              say nothing but what went wrong

Example
  tailrace watch &
`,
  serve: `tailrace serve [options]

A server on this machine, for you alone, and its page: every session live, answers and new runs from the browser. Your agents' own
session files are taken in as they grow. To sign in, type the code from the terminal into the page. Ctrl-C ends it, and the runs that
were started from it.

  --port N             (default 7317; another one when it is taken)
  --root DIR           runs may be started in this folder and below; may be repeated. Folders that were used before need none
  --no-open            do not open the page
  --no-watch           do not take in the agents' own session files

The first line says where it listens, the second is the code. docs/protocol.md tells how programs speak to it.

Example
  tailrace serve --root ~/projects
`,
  sessions: `tailrace sessions [options]

The sessions that are kept, newest first.

  --project TEXT       a part of the folder's path
  --model TEXT, --agent NAME, --tag TAG, --starred
  --status STATUS      running, success, error, cancelled, incomplete
  --since T, --until T a day (2026-11-15, today, yesterday), a time, or 3h, 7d, 2w ago
  --min-cost USD, --max-cost USD
  --limit N, --all     50 unless set; --json: all
  --json               an array of objects

Example
  tailrace sessions --project shop --since 7d --min-cost 1
`,
  show: `tailrace show ID [options]

One session as people read it. ID is the beginning of its id, or "last".

  --summary            only what happened and what it cost
  --json               what is known about it as one JSON object, as it is: secrets are not taken out
  --full               fold nothing
  --plain              no colour, text as the agent wrote it
  --no-redact          show secrets as they are

Examples
  tailrace show last
  tailrace show 4b76 --summary
`,
  search: `tailrace search WORDS [options]

Finds words in prompts, answers, commands, paths and titles: all of them, a part of each is enough, a "phrase" in quotation marks.

  --session ID, --kind prompt|answer|command|path|title
  --since T, --until T a day, a time, or 3h, 7d, 2w ago
  --limit N            20 unless set
  --json               an array of objects

Example
  tailrace search migration rollback --since 30d
`,
  label: `tailrace label ID [options]

Gives a session a name, a star, tags.

  --name TEXT          its name; "" takes it away
  --star, --unstar     what has a star outlives the retention setting
  --tag TAG, --untag TAG   may be repeated
  --json

Example
  tailrace label last --name "the flaky test" --star --tag shop
`,
  usage: `tailrace usage [options]

What was used and what it cost, sub-agents included: the agents' own files joined with what is kept. A message counts once, also
when a fork has copied it. The agent's own cost is preferred; the rest is estimated, and says so.

  --by day|week|month|session|project|model|block   day unless set; a week begins on Monday, a block has five hours
  --by agent|subagent|tool   what sub-agents and tools cost is estimated: an answer is shared out over the calls that it made
  --since D, --until D  days, both included: 2026-11-15, today, yesterday, 7d, 2w
  --dir DIR             only this tree of session files; may be repeated
  --project TEXT, --model TEXT   a part of the name
  --timezone ZONE, --locale NAME
  --warn-at USD         says so and exits with 1 when that much was spent
  --live                the running five-hour block, until Ctrl-C; once without a terminal
  --json, --csv, --plain
  --no-cache            read every file again

Example
  tailrace usage --by project --since 30d
`,
  statusline: `tailrace statusline

One line for the agent's own status bar, from the JSON that it gives on standard input. Always exits with 0. In Claude Code's settings:

  "statusLine": { "type": "command", "command": "tailrace statusline" }

Example
  echo '{"session_id":"4b76…"}' | tailrace statusline
`,
  export: `tailrace export ID --html|--md|--json|--ndjson [options]

A session to take away. Secrets are taken out, and their number is told, unless you keep them.

  --html               one page without any script, safe to open and to pass on
  --md                 Markdown
  --json               neutral events, one JSON object per line
  --ndjson             the lines as the agent wrote them: of its runs, else of its own files, else of hooks
  --all                … of all of these, one after the other
  --output FILE        else standard output
  --no-redact          keep secrets as they are

Example
  tailrace export last --html --output session.html
`,
  checkpoints: `tailrace checkpoints ID [options]

The prompts of a session that it can be taken back to.

  --json               an array of objects

Example
  tailrace checkpoints last
`,
  rewind: `tailrace rewind ID CHECKPOINT [options]

Takes a session back to before a prompt: the files that the agent's own tools changed are set back, and the conversation goes on
from there in a new session; the old one is kept. First it shows what would change, and what it cannot set back.

  CHECKPOINT           the beginning of the prompt's id (see tailrace checkpoints)
  --yes                do it without asking
  --dry-run            only show it
  --program FILE       where the agent's program is
  --trust-folder       agree to the hooks, MCP servers and settings that the folder brings
  --json               the report as one JSON object

Example
  tailrace rewind last 9f2c --dry-run
`,
  resume: `tailrace resume ID [options]

Prints the command that goes on with a session, in the folder it belongs to.

  --run [PROMPT]       start it here, with Tailrace around it
  --json               folder, program and arguments as one JSON object

Examples
  tailrace resume last
  tailrace resume 4b76 --run "and now the docs"
`,
  forget: `tailrace forget ID… | --before T [options]

Takes sessions out for good: their lines, everything made of them, their labels. The agent's own files stay, and are not taken in
again. What has a star is only forgotten by its id.

  --before T           sessions that ended before a day, a time, or 30d ago
  --vacuum             give the space back to the disk
  --size               only tell how much is kept
  --json

To forget by itself: tailrace config retentionDays 90

Examples
  tailrace forget 4b76
  tailrace forget --before 90d --vacuum
`,
  doctor: `tailrace doctor [options]

What is installed, where data is, what is wrong, and how to mend it.

  --repair             mends a damaged store: all that can be read is kept, and so is the damaged file
  --json

Example
  tailrace doctor
`,
  config: `tailrace config [NAME [VALUE]] [options]

The settings: all, one, or a new value.

  --unset              take the setting away
  --json

Examples
  tailrace config retentionDays 90
  tailrace config retentionDays --unset
`,
  completion: `tailrace completion bash|zsh|fish

Prints what lets your shell complete commands and options.

Examples
  echo 'eval "$(tailrace completion bash)"' >> ~/.bashrc
  echo 'eval "$(tailrace completion zsh)"' >> ~/.zshrc
  tailrace completion fish > ~/.config/fish/completions/tailrace.fish
`,
  replay: `tailrace replay [FILE|ID] [options]
tailrace replay --as-agent DIR [options] [-- ARGUMENTS]

Prints a recorded stream again, byte for byte, at the pace at which it happened: an agent to try things with.

  FILE                 a capture or a transcript, plain or .gz; "-" or nothing: standard input
  ID                   the beginning of the id of a session that is kept, or "last"
  --speed N            how many times faster than it happened (default 1; 0: at once)
  --max-gap SECONDS    the longest wait before one line, at speed 1 (default 2)
  --as-agent DIR       act as Claude Code, by the recordings in DIR: NAME.ndjson is what it printed, NAME.stdin.ndjson what it was
                       told. ARGUMENTS are those it is started with. The prompt chooses the recording (the first, where none begins
                       with it), each answer the way in which it went on; ids and times are fresh

Lines between two that carry a time share the time between them. Where no times are told, the pace is steady.

Example
  tailrace replay run.ndjson --speed 2 | tailrace
`,
  demo: `tailrace demo [options]

The server and its page with recorded sessions that play live: one with a sub-agent, one that asks you for permission, one that asks
you a question, one that you can talk with, one that fails. Needs no agent and no key, and touches nothing of yours: all of it is in a
temporary folder, which is gone when you end it with Ctrl-C.

  --port N             (default 7317; another one when it is taken)
  --no-open            do not open the page
  --speed N            how many times faster than it happened (default 1; 0: at once)

The first line says where it listens, the second is the code to type into the page.

Example
  tailrace demo --speed 2
`,
};

export const help: string = `tailrace: see what a headless coding agent does, and what it cost

  tailrace                 every session full-screen: what waits for you, what works, what was
  … | tailrace             print a stream as people read it, live
  tailrace view [FILE]     the same for a file
  tailrace events [FILE]   neutral events, one JSON object per line
  tailrace summary [FILE]  what happened, what it cost
  tailrace run PROMPT      start an agent, see it live, answer it
  tailrace serve           every session live in your browser, answers and new runs
  tailrace hook install    let your interactive sessions be recorded

  tailrace import          take in the sessions that your agents keep (watch: for good)
  tailrace sessions        what was kept; show ID, search WORDS, label ID
  tailrace usage           what it cost, by day, session, project, model, agent, sub-agent, tool
  tailrace statusline      what it cost, in one line for your agent's own status bar
  tailrace export ID       take a session away: --html, --md, --json, --ndjson
  tailrace checkpoints ID  prompts to go back to; rewind ID CHECKPOINT, resume ID
  tailrace forget ID       take a session out for good
  tailrace doctor          what is installed, what is wrong; config: settings; completion: for your shell

  tailrace replay [FILE]   a recorded stream, printed again with its timing
  tailrace demo            the server and its page, with recorded sessions that play live

  tailrace COMMAND --help  more about a command
  tailrace --version

Exit codes: 0 good, 1 the input could not be read or the run failed (view, summary, events: with --exit-status), 2 wrong usage,
130 stopped.

Example
  claude -p "fix the test" --output-format stream-json --verbose | tailrace
  codex exec --json "fix the test" | tailrace
`;

/** Every command that has a page. */
export const commandNames: readonly string[] = Object.keys(pages);

export function helpOf(command: string): string {
  return pages[command] ?? help;
}

/** A page for whoever reads it here; without a command the first one. */
export function helpHere(command = ''): string {
  return wrapHelp(helpOf(command), screenWidth(WITHOUT_TERMINAL));
}
