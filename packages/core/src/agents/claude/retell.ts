// A recorded line, told as if it happened here and now. Works on the text of a line, so that nothing else of it changes.

export interface RetellOptions {
  /** Texts of then, and what they are now: the folder that is worked in, what a person has said. */
  readonly texts?: ReadonlyMap<string, string> | undefined;
  /** What an id of then is called now; as it was unless given. */
  readonly idOf?: ((id: string) => string) | undefined;
  /** When something of then happens now, both as ISO 8601; as it was unless given. */
  readonly timeOf?: ((time: string) => string) | undefined;
}

/** Sessions, lines and requests have UUIDs; messages, calls and answers of the API have names with a prefix. */
const ID =
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b(?:msg|toolu|srvtoolu|req)_[0-9A-Za-z]{12,40}\b/g;
const TIME = /"timestamp":"([^"\\]+)"/g;

/** The line with other ids, times and texts. */
export function retell(line: string, { texts, idOf, timeOf }: RetellOptions): string {
  let told = line;
  if (timeOf) told = told.replaceAll(TIME, (_, time: string) => `"timestamp":${JSON.stringify(timeOf(time))}`);
  if (idOf) told = told.replaceAll(ID, idOf);
  // As they stand in JSON. A function, since a path may have a dollar sign.
  for (const [from, to] of texts ?? []) told = told.replaceAll(inside(from), () => inside(to));
  return told;
}

function inside(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
