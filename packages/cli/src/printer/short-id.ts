// What a person types to mean a session.

const RANDOM = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** The first eight characters, where they are random. Other ids begin with a word or a time, alike for many: those stay whole. */
export function shortId(id: string): string {
  return RANDOM.test(id) ? id.slice(0, 8) : id;
}
