// What is made of the record. All of it but labels and totals can be made anew at any time. Rows belong to a build of a session: a
// session is made anew under a new number, and shown when it is whole.

import { type Kysely, type Migration, sql } from 'kysely';

export const history: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  // One row: how far, by which version, and whose turn it is.
  `CREATE TABLE projection (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version TEXT NOT NULL,
    position INTEGER NOT NULL,
    next_build INTEGER NOT NULL,
    token TEXT,
    turn_token TEXT,
    turn_pid INTEGER,
    turn_start TEXT,
    turn_place TEXT,
    turn_at INTEGER
  ) STRICT`,
  "INSERT INTO projection (id, version, position, next_build) VALUES (1, '', 0, 1)",
  `CREATE TABLE projected_streams (
    stream INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    is_told INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    version TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    build INTEGER NOT NULL UNIQUE,
    version TEXT NOT NULL,
    agent TEXT NOT NULL,
    project TEXT,
    cwd TEXT,
    agent_title TEXT,
    first_prompt TEXT,
    model TEXT,
    models TEXT NOT NULL,
    outcome TEXT NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    turns INTEGER NOT NULL,
    usage TEXT NOT NULL,
    cost_usd REAL,
    cost_state TEXT NOT NULL,
    lines INTEGER NOT NULL,
    is_ended INTEGER NOT NULL,
    summary TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX sessions_by_end ON sessions (ended_at DESC, id)',
  'CREATE INDEX sessions_by_start ON sessions (started_at, id)',
  'CREATE INDEX sessions_by_cost ON sessions (cost_usd)',
  'CREATE INDEX sessions_open ON sessions (id) WHERE is_ended = 0',
  // Builds whose rows nobody needs any more, or not yet.
  'CREATE TABLE old_builds (build INTEGER PRIMARY KEY, session TEXT NOT NULL) STRICT',
  `CREATE TABLE messages (
    build INTEGER NOT NULL,
    number INTEGER NOT NULL,
    id TEXT,
    role TEXT NOT NULL,
    subagent_id TEXT,
    model TEXT,
    at INTEGER,
    place REAL NOT NULL,
    position REAL NOT NULL,
    PRIMARY KEY (build, number)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE calls (
    build INTEGER NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    title TEXT,
    outcome TEXT,
    subagent_id TEXT,
    at INTEGER,
    duration_ms REAL,
    position REAL NOT NULL,
    PRIMARY KEY (build, id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE files (
    build INTEGER NOT NULL,
    number INTEGER NOT NULL,
    path TEXT NOT NULL,
    operation TEXT NOT NULL,
    tool_call_id TEXT,
    at INTEGER,
    position REAL NOT NULL,
    PRIMARY KEY (build, number)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE checkpoints (
    build INTEGER NOT NULL,
    number INTEGER NOT NULL,
    id TEXT NOT NULL,
    text TEXT NOT NULL,
    at INTEGER,
    PRIMARY KEY (build, number)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE usage_entries (
    build INTEGER NOT NULL,
    number INTEGER NOT NULL,
    id TEXT NOT NULL,
    subagent_id TEXT,
    at INTEGER,
    model TEXT,
    input_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    cache_write_1h_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cost_usd REAL,
    is_rest INTEGER NOT NULL,
    PRIMARY KEY (build, number)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE events (
    build INTEGER NOT NULL,
    last REAL NOT NULL,
    first REAL NOT NULL,
    version TEXT NOT NULL,
    packed INTEGER NOT NULL,
    data BLOB NOT NULL
  ) STRICT`,
  'CREATE UNIQUE INDEX events_by_build ON events (build, last)',
  // The id begins with the time, so that the newest come first without a sort.
  `CREATE TABLE texts (
    id INTEGER PRIMARY KEY,
    build INTEGER NOT NULL,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER,
    position REAL NOT NULL,
    stream INTEGER NOT NULL,
    line INTEGER NOT NULL,
    message INTEGER,
    message_id TEXT,
    tool_call_id TEXT,
    text TEXT NOT NULL
  ) STRICT`,
  'CREATE UNIQUE INDEX texts_by_build ON texts (build, number)',
  // Tokens are made before (project/tokens.ts): here they are only parted at blanks. `marks` says which kind, and which build.
  `CREATE VIRTUAL TABLE search USING fts5(
    words, pieces, marks, content='', contentless_delete=1, tokenize='ascii', prefix='2 3'
  )`,
  'CREATE TABLE terms (id INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE) STRICT',
  `CREATE VIRTUAL TABLE term_parts USING fts5(
    term, content='', contentless_delete=1, columnsize=1, detail=full, tokenize='trigram case_sensitive 1'
  )`,
  // What people said about sessions, and what runs have added up: not made of the record, so never made anew.
  `CREATE TABLE labels (
    session_id TEXT PRIMARY KEY,
    name TEXT,
    starred INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE tags (
    session_id TEXT NOT NULL,
    tag TEXT NOT NULL,
    PRIMARY KEY (session_id, tag)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX tags_by_tag ON tags (tag)',
  `CREATE TABLE session_metadata (
    session_id TEXT PRIMARY KEY,
    total_input_tokens INTEGER NOT NULL DEFAULT 0,
    total_output_tokens INTEGER NOT NULL DEFAULT 0,
    total_cost_usd REAL NOT NULL DEFAULT 0,
    model TEXT,
    updated_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE session_runs (
    run_id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX session_runs_by_session ON session_runs (session_id)',
];
