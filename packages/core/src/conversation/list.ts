// A persistent ordered list: chunks of entries under one root array. A change makes a new root, a new chunk and the new entry;
// everything else stays the very same object. Adding and changing cost the length of a chunk and the number of chunks, never
// the number of entries.

/** Where an entry stands: compared number by number. No two entries of a list have the same. */
export type Order = readonly [time: number, rank: number, second: number, arrival: number];

/** What a list can hold. Ids are unique within a list. */
export interface Entry {
  readonly id: string;
  readonly order: Order;
}

/** Chunks of entries, sorted by their order. No chunk is empty. */
export type List<T extends Entry> = readonly (readonly T[])[];

/** Measured with 10,000 and with 85,000 entries: from 64 to 256 it makes little difference. */
const MAX_CHUNK = 128;

/** The list with one more entry, whose id it does not have yet. It stands after all that are not greater. */
export function insertEntry<T extends Entry>(list: List<T>, entry: T): List<T> {
  return learn(list, insertAt(list, entry), entry);
}

/** The list with `next` in the place of `entry`, which it holds; where the order is another one, it moves. */
export function replaceEntry<T extends Entry>(list: List<T>, entry: T, next: T): List<T> {
  const place = placeOf(list, entry.order);
  const chunk = list[place.chunk] ?? [];
  if (fits(list, place, next.order)) {
    const changed = chunk.slice();
    changed[place.index] = next;
    return learn(list, withChunk(list, place.chunk, changed), next);
  }
  return learn(list, insertAt(removeAt(list, place), next), next);
}

/** The entry with this id. */
export function findEntry<T extends Entry>(list: List<T>, id: string): T | undefined {
  const order = hintsOf(list).get(id);
  // The hints know every id of the list, and perhaps more.
  if (order === undefined) return undefined;
  const found = entryAt(list, order);
  if (found?.id === id) return found;
  // Another future of the same past has moved or made it. From here on, this one has hints of its own.
  const hints = collectHints(list);
  hintsByList.set(list, hints);
  const own = hints.get(id);
  return own && entryAt(list, own);
}

/** The last entry. */
export function lastEntry<T extends Entry>(list: List<T>): T | undefined {
  return list.at(-1)?.at(-1);
}

/** All entries that stand before the order, the nearest first. */
export function* entriesBefore<T extends Entry>(list: List<T>, order: Order): Generator<T> {
  const place = placeOf(list, order);
  for (let at = place.chunk; at >= 0; at--) {
    const chunk = list[at] ?? [];
    for (let index = at === place.chunk ? place.index - 1 : chunk.length - 1; index >= 0; index--) {
      const entry = chunk[index];
      if (entry) yield entry;
    }
  }
}

/**
 * Remembers what a function makes of an object for as long as the object lives. Over the chunks of a list that changed a little,
 * nearly everything is known already.
 */
export function remember<K extends object, R>(look: (key: K) => R): (key: K) => R {
  const known = new WeakMap<K, { readonly found: R }>();
  return (key) => {
    let entry = known.get(key);
    if (!entry) {
      entry = { found: look(key) };
      known.set(key, entry);
    }
    return entry.found;
  };
}

/** Below zero when `a` comes first. */
export function compareOrders(a: Order, b: Order): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3];
}

// ── Places ────────────────────────────────────────────────────────────────────────────────────────

interface Place {
  readonly chunk: number;
  readonly index: number;
}

/** Where an entry with this order is, or would be put. */
function placeOf<T extends Entry>(list: List<T>, order: Order): Place {
  const chunk = Math.max(0, countUntil(list.length, (at) => !startsAfter(list[at], order)) - 1);
  const entries = list[chunk] ?? [];
  return { chunk, index: countUntil(entries.length, (at) => isBefore(entries[at], order)) };
}

/** How many of the first `length` pass, where those that do come first. What is looked for is mostly near the end. */
function countUntil(length: number, passes: (at: number) => boolean): number {
  let high = length;
  for (let step = 1; high > 0; step *= 2) {
    const at = Math.max(0, high - step);
    if (passes(at)) return search(at + 1, high, passes);
    high = at;
  }
  return 0;
}

/** The first of `low` … `high` that does not pass. */
function search(low: number, high: number, passes: (at: number) => boolean): number {
  let first = low;
  let end = high;
  while (first < end) {
    const middle = (first + end) >> 1;
    if (passes(middle)) first = middle + 1;
    else end = middle;
  }
  return first;
}

function startsAfter(chunk: readonly Entry[] | undefined, order: Order): boolean {
  const first = chunk?.[0];
  return first !== undefined && compareOrders(first.order, order) > 0;
}

function isBefore(entry: Entry | undefined, order: Order): boolean {
  return entry !== undefined && compareOrders(entry.order, order) < 0;
}

function entryAt<T extends Entry>(list: List<T>, order: Order): T | undefined {
  const place = placeOf(list, order);
  const entry = list[place.chunk]?.[place.index];
  return entry && compareOrders(entry.order, order) === 0 ? entry : undefined;
}

/** Whether an entry with this order may stand at the place, between the neighbours it has. */
function fits<T extends Entry>(list: List<T>, { chunk, index }: Place, order: Order): boolean {
  const entries = list[chunk] ?? [];
  const before = entries[index - 1] ?? list[chunk - 1]?.at(-1);
  const after = entries[index + 1] ?? list[chunk + 1]?.[0];
  return (!before || isBefore(before, order)) && (!after || compareOrders(order, after.order) < 0);
}

// ── Changes ───────────────────────────────────────────────────────────────────────────────────────

function insertAt<T extends Entry>(list: List<T>, entry: T): List<T> {
  const { chunk: at, index } = placeOf(list, entry.order);
  const chunk = list[at];
  if (!chunk) return [[entry]];
  if (chunk.length < MAX_CHUNK) return withChunk(list, at, [...chunk.slice(0, index), entry, ...chunk.slice(index)]);
  // At the end a new chunk begins, so that those before it are full; in the middle one becomes two.
  if (index === chunk.length) return [...list.slice(0, at + 1), [entry], ...list.slice(at + 1)];
  const half = MAX_CHUNK >> 1;
  const halves = [chunk.slice(0, half), chunk.slice(half)];
  return insertAt([...list.slice(0, at), ...halves, ...list.slice(at + 1)], entry);
}

function removeAt<T extends Entry>(list: List<T>, { chunk: at, index }: Place): List<T> {
  const chunk = list[at] ?? [];
  const rest = [...chunk.slice(0, index), ...chunk.slice(index + 1)];
  const before = list[at - 1];
  // Small ones are joined, or a list whose entries move about would be all chunks.
  if (before && before.length + rest.length <= MAX_CHUNK >> 1)
    return [...list.slice(0, at - 1), [...before, ...rest], ...list.slice(at + 1)];
  return rest.length > 0 ? withChunk(list, at, rest) : [...list.slice(0, at), ...list.slice(at + 1)];
}

function withChunk<T extends Entry>(list: List<T>, at: number, chunk: readonly T[]): List<T> {
  const changed = list.slice();
  changed[at] = chunk;
  return changed;
}

// ── Hints ─────────────────────────────────────────────────────────────────────────────────────────
// Which order an id has, beside the list and not in it: one map for a whole line of history, changed in place. It is a hint and
// no more. Whoever finds something by it looks whether the id is really there (`findEntry`), so two futures of one past may share
// it, and a list that was copied or read from JSON gets a new one: nobody can tell from outside that it exists.
// One thing always holds: every id of a list is in its map, so an id that is not in the map need not be looked for.

const hintsByList = new WeakMap<List<Entry>, Map<string, Order>>();

function hintsOf(list: List<Entry>): Map<string, Order> {
  let hints = hintsByList.get(list);
  if (!hints) {
    hints = collectHints(list);
    hintsByList.set(list, hints);
  }
  return hints;
}

function collectHints(list: List<Entry>): Map<string, Order> {
  const hints = new Map<string, Order>();
  for (const chunk of list) for (const { id, order } of chunk) hints.set(id, order);
  return hints;
}

function learn<T extends Entry>(before: List<T>, after: List<T>, { id, order }: T): List<T> {
  // An empty list may be where many begin; none of them should keep what the others learn.
  const hints = before.length > 0 ? hintsOf(before) : new Map<string, Order>();
  hints.set(id, order);
  hintsByList.set(after, hints);
  return after;
}
