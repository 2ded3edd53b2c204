// What is played, and where. The prompts are those of the recordings.

export interface Play {
  readonly project: string;
  readonly prompt: string;
  /** How long after the first one, in milliseconds. */
  readonly afterMs: number;
  /** The person may say more. */
  readonly isConversation?: boolean | undefined;
}

/** What asks for something comes first: it is there when the person has signed in. */
export const PLAYS: readonly Play[] = [
  { project: 'infra', prompt: 'Clean the build folder and build again', afterMs: 0 },
  { project: 'shop-api', prompt: 'Fix the flaky checkout test', afterMs: 1_500 },
  { project: 'docs', prompt: 'Rewrite the install guide', afterMs: 5_000 },
  { project: 'search', prompt: 'Why is the product search slow?', afterMs: 7_000, isConversation: true },
  { project: 'reports', prompt: 'Write the weekly report', afterMs: 9_000 },
];

/** The folders they are played in. */
export const PROJECTS: readonly string[] = PLAYS.map(({ project }) => project);
