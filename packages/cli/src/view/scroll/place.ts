// Where a list is on the screen. Its items have any number of lines, and only those that are seen are ever asked for theirs: a session
// may have a hundred thousand.

/** The item at the top, and how many of its lines are above it. */
export interface Place {
  readonly item: number;
  readonly skipped: number;
}

export interface Heights {
  readonly count: number;
  /** How many lines an item has; at least one. */
  heightOf(item: number): number;
  /** How many lines there is room for. */
  readonly room: number;
}

export const AT_TOP: Place = { item: 0, skipped: 0 };

/** A line of the screen: which item's, and the how-manieth of it. */
export interface Seen {
  readonly item: number;
  readonly line: number;
}

/** What is on the screen. */
export function seenFrom({ item, skipped }: Place, { count, heightOf, room }: Heights): readonly Seen[] {
  const seen: Seen[] = [];
  for (let at = item, line = skipped; at < count && seen.length < room; at++, line = 0) {
    const height = heightOf(at);
    for (; line < height && seen.length < room; line++) seen.push({ item: at, line });
  }
  return seen;
}

/** The place from which the last line is the last of the screen; the top where everything fits. */
export function placeAtEnd(heights: Heights): Place {
  return placeEndingWith(heights.count - 1, heights);
}

/** The place from which this item's last line is the last of the screen. */
function placeEndingWith(last: number, { heightOf, room }: Heights): Place {
  let left = room;
  for (let item = last; item >= 0; item--) {
    const height = heightOf(item);
    if (height >= left) return { item, skipped: height - left };
    left -= height;
  }
  return AT_TOP;
}

/** The place so many lines further down, or up where it is less than none; never beyond an end. */
export function moved(place: Place, by: number, heights: Heights): Place {
  const { count, heightOf } = heights;
  if (count === 0) return AT_TOP;
  let { item, skipped } = place;
  let left = by;
  while (left > 0 && item < count) {
    const below = heightOf(item) - skipped;
    if (left < below) {
      skipped += left;
      left = 0;
    } else {
      left -= below;
      item++;
      skipped = 0;
    }
  }
  while (left < 0) {
    if (skipped + left >= 0) {
      skipped += left;
      break;
    }
    left += skipped;
    if (item === 0) return AT_TOP;
    item--;
    skipped = heightOf(item);
  }
  return earlier({ item, skipped }, placeAtEnd(heights));
}

/** The nearest place from which an item is seen: all of it, or its beginning where it is longer than the screen. */
export function placeShowing(item: number, place: Place, heights: Heights): Place {
  if (item < place.item || (item === place.item && place.skipped > 0)) return { item, skipped: 0 };
  // Far below, nothing in between is looked at.
  const ending = placeEndingWith(item, heights);
  if (isBefore(ending, place)) return place;
  return isBefore({ item, skipped: 0 }, ending) ? { item, skipped: 0 } : ending;
}

/** Whether the end of the list is seen. */
export function isAtEnd(place: Place, heights: Heights): boolean {
  return !isBefore(place, placeAtEnd(heights));
}

/** Whether the last line of an item is above the lower edge. */
export function isEndSeen(item: number, place: Place, heights: Heights): boolean {
  return !isBefore(place, placeEndingWith(item, heights));
}

/** A place that is still one, whatever became of the list. */
export function kept(place: Place, heights: Heights): Place {
  if (heights.count === 0) return AT_TOP;
  const item = Math.min(place.item, heights.count - 1);
  const skipped = item === place.item ? Math.min(place.skipped, heights.heightOf(item) - 1) : 0;
  return earlier({ item, skipped }, placeAtEnd(heights));
}

function isBefore(a: Place, b: Place): boolean {
  return a.item < b.item || (a.item === b.item && a.skipped < b.skipped);
}

function earlier(a: Place, b: Place): Place {
  return isBefore(b, a) ? b : a;
}
