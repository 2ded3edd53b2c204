// What a session is called everywhere.

/** Its title; without one the end of its id, since the ids of an agent begin alike. */
export function sessionName(id: string, title: string | null | undefined): string {
  return title ?? `Session ${shortId(id)}`;
}

/** As much of an id as tells it from others. */
export function shortId(id: string): string {
  return id.slice(-8);
}
