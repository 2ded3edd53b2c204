// What was written to a session and is not sent yet. It stays when somebody looks elsewhere or loads the page anew, and when the session
// gets another name; in this tab alone. Where storage is forbidden it is not kept.

const PREFIX = 'tailrace-unsent ';

/** What sessions are called by now that had another name. */
const names = new Map<string, string>();

const keyOf = (sessionId: string): string => PREFIX + (names.get(sessionId) ?? sessionId);

export function unsentOf(sessionId: string): string {
  return stored((storage) => storage.getItem(keyOf(sessionId))) ?? '';
}

export function keepUnsent(sessionId: string, text: string): void {
  stored((storage) => {
    if (text === '') storage.removeItem(keyOf(sessionId));
    else storage.setItem(keyOf(sessionId), text);
  });
}

/** The session has another name from now on. */
export function moveUnsent(from: string, to: string): void {
  const text = unsentOf(from);
  keepUnsent(from, '');
  names.set(from, to);
  if (text !== '') keepUnsent(to, text);
}

/** Nobody who comes after finds it. */
export function forgetUnsent(): void {
  stored((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key);
  });
}

function stored<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
