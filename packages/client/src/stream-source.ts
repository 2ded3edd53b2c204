// An answer as it streams, from wherever it comes: a server, or the bridge of a desktop app.

/** One step of an answer. Each says whose it is. */
export type StreamSignal = { readonly sessionId: string } /** What was told so far is void: a new answer begins. */ & (
  | { readonly type: 'start' }
  /** The agent speaks again without having been asked: it belongs to the answer before. */
  | { readonly type: 'go-on' }
  /** A new paragraph begins with the next text. */
  | { readonly type: 'block' }
  | { readonly type: 'text'; readonly content: string }
  /** A tool is called; the same id again tells more of the same call. */
  | { readonly type: 'tool'; readonly id: string; readonly name?: string; readonly input?: unknown }
  | { readonly type: 'tool-end'; readonly id: string; readonly content: string; readonly isError: boolean }
  | {
      readonly type: 'end';
      readonly success: boolean;
      readonly error?: string | undefined;
      readonly aborted?: boolean | undefined;
      readonly totalTokens?: { readonly input: number; readonly output: number } | undefined;
      readonly costUsd?: number | undefined;
    }
);

/** Whatever can be listened to. */
export interface StreamSource {
  /** Gives back what ends it. */
  subscribe(listener: (signal: StreamSignal) => void): () => void;
}
