// The way to one client.

export interface Outlet {
  send(frame: string | Uint8Array): void;
  /** What was sent and is not yet on its way. */
  readonly queuedBytes: number;
  /** Settles when less than so much waits, or when the client is gone. */
  drained(bytes: number): Promise<void>;
  /** The client reads too slowly: it is told, and let go. */
  letGo(): void;
  readonly isGone: boolean;
}
