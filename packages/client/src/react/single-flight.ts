// Asking a server again and again for the same: never twice at once, and once more when something changed meanwhile.

export interface SingleFlight {
  request(): void;
  stop(): void;
}

export function createSingleFlight(ask: (signal: AbortSignal) => Promise<void>): SingleFlight {
  const end = new AbortController();
  let isAsking = false;
  let isWanted = false;

  async function run(): Promise<void> {
    isAsking = true;
    while (isWanted && !end.signal.aborted) {
      isWanted = false;
      await ask(end.signal);
    }
    isAsking = false;
  }

  return {
    request() {
      isWanted = true;
      if (!isAsking) void run();
    },
    stop: () => end.abort(),
  };
}
