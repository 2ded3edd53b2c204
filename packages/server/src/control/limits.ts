// The limits of what is controlled: folders that are listed, runs at once, and how long an end may take.

/** Folders in the list of projects: those that were used last, then those under the roots. */
export const MAX_PROJECTS = 1_000;
/** Sessions that are looked at for the folders they worked in. */
export const MAX_PROJECT_SESSIONS = 20_000;
/** The list of projects is not made anew more often, however often it is asked for. */
export const PROJECTS_FRESH_MS = 2_000;
/** Folders whose ids are remembered. */
export const MAX_PROJECT_IDS = 10_000;
/** The longest path below a project, in characters. */
export const MAX_PATH_LENGTH = 4_096;
/** Runs that go on at once. */
export const MAX_RUNS = 200;
/** Ended runs of which it is known that they have ended. */
export const MAX_ENDED_RUNS = 10_000;
/** So long the end of the server waits for its runs: longer than the steps of stopping one take together. */
export const CLOSE_MS = 20_000;
/** For so long it is waited for what is new when a session is looked for that nobody knows. */
export const CATCH_UP_MS = 5_000;
/** So long the agent may take to confirm that it breaks off; then it was told, and the state says what became of it. */
export const INTERRUPT_MS = 5_000;
