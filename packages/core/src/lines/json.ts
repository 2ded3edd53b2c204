/** What a text holds as JSON; nothing when it is none. Nobody looks at how deep it nests. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
