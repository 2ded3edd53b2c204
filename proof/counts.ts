// How often the repeated proofs run. `npm test` takes the small counts, `npm run proof` the full ones; while mutants are hunted,
// where every test runs hundreds of times, a few must do.

const size =
  process.env['TAILRACE_PROOF'] === '1' ? 'full' : process.env['TAILRACE_PROOF'] === 'mutants' ? 'few' : 'small';
const pick = (full: number, small: number, few: number = small): number => ({ full, small, few })[size];

export const counts = {
  /** Random ways to cut a stream into pieces. */
  chunkings: pick(10_000, 300, 40),
  /** Cuts per capture that is too large to be cut at every byte. */
  cuts: pick(500, 20),
  /** Captures up to this size are cut at every byte. */
  everyByteUpTo: pick(30_000, 6_000),
  /** Lines with hostile keys. */
  hostileLines: pick(10_000, 1_000),
  /** Messages that were bent out of shape. */
  bentMessages: pick(50_000, 3_000),
  /** Messages that the suite for agents bends, one field at a time. */
  agentBends: pick(20_000, 2_000, 100),
  /** Ways to interleave the streams of each recorded session. */
  interleavings: pick(100, 4, 2),
  /** Random strings as every parameter of a start, each a real process. */
  startStrings: pick(500, 50, 5),
  /** Kills of the one who supervises a run. */
  supervisorKills: pick(200, 10, 2),
  /** Kills of a server with runs. */
  serverKills: pick(50, 5, 1),
  /** Times that several servers reach for the same place. */
  placeRaces: pick(1_000, 60, 4),
  /** So many seconds an agent looks for a way to answer itself. */
  agentSearchSeconds: pick(10, 2, 1),
  /** Requests that two callers answer at the same time. */
  answerRaces: pick(1_000, 100, 10),
  /** Hooks that are run at once. */
  hooksAtOnce: pick(200, 50, 5),
  /** Kills of one who writes to the store. */
  writerKills: pick(200, 20, 2),
  /** Deaths of it at its nth write. */
  writeDeaths: pick(200, 20, 2),
  /** I/O errors that it is given. */
  ioErrors: pick(100, 10, 2),
  /** Calls of which each fails once while a store is made. */
  brokenMakings: pick(120, 25, 10),
  /** Power cuts that are replayed. */
  powerCuts: pick(200, 100, 5),
  /** Ways in which several processes write at once. */
  writerSchedules: pick(200, 10, 2),
  /** Ways in which a file that is tailed is written, cut and replaced. */
  tailSchedules: pick(10_000, 500, 20),
  /** Changes of such a file in the middle of a reading. */
  disturbedReadings: pick(3_000, 500, 20),
  /** Interruptions of whoever takes files in. */
  brokenImports: pick(500, 20, 5),
  /** Kills of it. */
  importerKills: pick(200, 20, 2),
  /** Looks into a folder while it becomes a link and a folder again. */
  linkRaces: pick(50_000, 5_000, 500),
  /** Lines that many hooks write at once. */
  spoolLines: pick(5_000, 500, 50),
  /** Ways to bring the history up to date, with restarts. */
  historySchedules: pick(300, 20, 2),
  /** Texts of which every part is looked for. */
  searchTexts: pick(200, 15, 3),
  /** Trees of session files whose bill is counted in two ways. */
  usageTrees: pick(5_000, 100, 10),
  /** Ways in which such a tree grows between two counts. */
  usageSchedules: pick(2_000, 100, 10),
  /** Ways to cut and to hide a secret. */
  redactions: pick(2_000, 100, 10),
  /** Texts that are redacted in pieces and whole. */
  redactionTexts: pick(20_000, 500, 50),
  /** Breaks of a client's connection, for each of the three ways in which it can break. */
  clientCuts: pick(200, 12, 3),
  /** Cuts of a connection to a whole server, for each of the three ways. */
  reconnects: pick(200, 8, 2),
  /** How long somebody reads slowly, in seconds. */
  slowSeconds: pick(60, 3, 2),
  /** Random sequences that would steer a terminal. */
  terminalSequences: pick(10_000, 1_000, 100),
  /** Random calls of a desktop app's pages, and random addresses that are to be opened. */
  bridgeCalls: pick(20_000, 2_000, 100),
  /** Characters that a scanner likes least, in one text. */
  likedLeast: pick(500_000, 100_000),
  /** Runs of a property that has no count of its own. */
  runs: pick(2_000, 150, 40),
  /** Keys of the largest object. */
  keys: pick(1_000_000, 1_000_000, 1_000),
  /** Lines of a stream of which each is to cost no more than the one before. */
  sameLines: pick(100_000, 40_000, 1_000),
  /** Levels of the deepest nesting. */
  levels: pick(1_000_000, 1_000_000, 2_000),
  /** Brackets in the line that is broken worst. */
  brackets: pick(200_000, 200_000, 500),
  /** The size of the long line that has to be survived, in bytes. */
  longLine: pick(200_000_000, 70_000_000),
  /** How much is streamed to see that memory stays bounded, in bytes. */
  longStream: pick(1_000_000_000, 100_000_000),
  /** Ways in which lines come while clients come, go and are cut off. */
  feedSchedules: pick(1000, 60, 2),
  /** Sixteenths of the payloads that are opened in a browser, in every kind of event. */
  payloadPieces: pick(16, 1),
  /** Random texts that go through the gate of the full-screen view. */
  viewSequences: pick(10_000, 2_000, 50),
} as const;
