// The history's tables as TypeScript sees them; migrations/ from 0002-history.ts on make them.

export interface HistorySchema {
  projection: ProjectionTable;
  projected_streams: ProjectedStreamsTable;
  sessions: SessionsTable;
  tellings: TellingsTable;
  old_builds: { build: number; session: string };
  messages: MessagesTable;
  calls: CallsTable;
  files: FilesTable;
  checkpoints: CheckpointsTable;
  usage_entries: UsageEntriesTable;
  events: EventsTable;
  texts: TextsTable;
  terms: { id: number; term: string };
  labels: LabelsTable;
  tags: { session_id: string; tag: string };
  session_metadata: SessionMetadataTable;
  session_runs: { run_id: string; session_id: string };
}

/** One row. */
interface ProjectionTable {
  id: number;
  version: string;
  /** Every line up to here is taken up. */
  position: number;
  next_build: number;
  /** Who was last at it: whoever finds another name here has an old picture in memory. */
  token: string | null;
  turn_token: string | null;
  turn_pid: number | null;
  turn_start: string | null;
  turn_place: string | null;
  turn_at: number | null;
  /** Everything up to here is told: lines, and what stands between them. */
  told: number;
}

interface ProjectedStreamsTable {
  /** `streams.id`. */
  stream: number;
  /** The session that its rows were made for. */
  session: string;
  /** 0: nobody has told a session yet; the name is made up. */
  is_told: number;
  /** The last line that was taken up. */
  seq: number;
  version: string;
}

interface SessionsTable {
  id: string;
  /** Which of the rows in the other tables are its own. */
  build: number;
  version: string;
  agent: string;
  project: string | null;
  cwd: string | null;
  agent_title: string | null;
  first_prompt: string | null;
  model: string | null;
  /** All models that answered, one a line. */
  models: string;
  outcome: string;
  started_at: number | null;
  ended_at: number | null;
  turns: number;
  usage: string;
  cost_usd: number | null;
  cost_state: string;
  lines: number;
  is_ended: number;
  summary: string;
  /** The last line that told something, and a digest of all events that lines told. */
  told_last: number;
  told_digest: string;
  /** The beginning of the last thing that the agent said. */
  last_text: string | null;
  files: number;
  subagents: number;
}

interface TellingsTable {
  session: string;
  /** `ended`, `retold` or `gone`. */
  kind: string;
  told: number;
  moved_to: string | null;
}

interface MessagesTable {
  build: number;
  number: number;
  id: string | null;
  role: string;
  subagent_id: string | null;
  model: string | null;
  at: number | null;
  place: number;
  position: number;
}

interface CallsTable {
  build: number;
  id: string;
  name: string;
  kind: string;
  title: string | null;
  outcome: string | null;
  subagent_id: string | null;
  at: number | null;
  duration_ms: number | null;
  position: number;
}

interface FilesTable {
  build: number;
  number: number;
  path: string;
  operation: string;
  tool_call_id: string | null;
  at: number | null;
  position: number;
}

interface CheckpointsTable {
  build: number;
  number: number;
  id: string;
  text: string;
  at: number | null;
}

interface UsageEntriesTable {
  build: number;
  number: number;
  id: string;
  subagent_id: string | null;
  at: number | null;
  model: string | null;
  input_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  cache_write_1h_tokens: number;
  output_tokens: number;
  cost_usd: number | null;
  is_rest: number;
}

interface EventsTable {
  build: number;
  last: number;
  first: number;
  version: string;
  packed: number;
  data: Uint8Array;
}

interface TextsTable {
  id: number;
  build: number;
  number: number;
  kind: string;
  at: number | null;
  position: number;
  stream: number;
  line: number;
  message: number | null;
  message_id: string | null;
  tool_call_id: string | null;
  text: string;
}

interface LabelsTable {
  session_id: string;
  name: string | null;
  starred: number;
}

interface SessionMetadataTable {
  session_id: string;
  total_input_tokens: number;
  total_output_tokens: number;
  total_cost_usd: number;
  model: string | null;
  updated_at: number;
}
