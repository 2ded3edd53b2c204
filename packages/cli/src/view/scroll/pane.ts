// A list that is looked through: where it is on the screen, which item is chosen, and what keys do to that. Pure, as all of it can be.

import type { KeyName } from '../keys.ts';
import {
  AT_TOP,
  type Heights,
  isEndSeen,
  kept,
  moved,
  type Place,
  placeAtEnd,
  placeShowing,
  seenFrom,
} from './place.ts';

export interface Pane {
  readonly place: Place;
  readonly chosen: number;
}

export const paneAtTop: Pane = { place: AT_TOP, chosen: 0 };

/** The end of the list, and its last item. */
export function paneAtEnd(heights: Heights): Pane {
  return { place: placeAtEnd(heights), chosen: Math.max(0, heights.count - 1) };
}

/** The same pane over what became of the list. */
export function keepPane({ place, chosen }: Pane, heights: Heights): Pane {
  return { place: kept(place, heights), chosen: Math.max(0, Math.min(chosen, heights.count - 1)) };
}

/** Goes to an item. */
export function choose(pane: Pane, item: number, heights: Heights): Pane {
  const chosen = Math.max(0, Math.min(item, heights.count - 1));
  return { chosen, place: kept(placeShowing(chosen, pane.place, heights), heights) };
}

/** What a key does; nothing where it is none of a list. */
export function paneKey(given: Pane, key: KeyName, heights: Heights): Pane | undefined {
  const pane = keepPane(given, heights);
  const { place, chosen } = pane;
  const page = Math.max(1, heights.room - 1);
  switch (key) {
    case 'j':
    case '<down>':
      // What is longer than the screen is read to its end first.
      if (!isEndSeen(chosen, place, heights)) return { ...pane, place: moved(place, Math.ceil(page / 2), heights) };
      return chosen >= heights.count - 1 ? pane : choose(pane, chosen + 1, heights);
    case 'k':
    case '<up>':
      return place.item === chosen && place.skipped > 0
        ? { ...pane, place: moved(place, -Math.min(place.skipped, Math.ceil(page / 2)), heights) }
        : choose(pane, chosen - 1, heights);
    case '<page-down>':
    case '<ctrl-f>':
    case '<ctrl-d>':
      return scroll(pane, key === '<ctrl-d>' ? Math.ceil(page / 2) : page, heights);
    case '<page-up>':
    case '<ctrl-b>':
    case '<ctrl-u>':
      return scroll(pane, -(key === '<ctrl-u>' ? Math.ceil(page / 2) : page), heights);
    case 'g':
    case '<home>':
      return paneAtTop;
    case 'G':
    case '<end>':
      return paneAtEnd(heights);
    default:
      return undefined;
  }
}

/** By lines; what is chosen stays on the screen. */
function scroll(pane: Pane, by: number, heights: Heights): Pane {
  const place = moved(pane.place, by, heights);
  const seen = seenFrom(place, heights);
  const first = seen.find(({ line }) => line === 0)?.item ?? seen[0]?.item ?? 0;
  const last = seen.at(-1)?.item ?? 0;
  // At an end there is nothing more to scroll: then it is the last or the first one that is meant.
  const isStuck = place.item === pane.place.item && place.skipped === pane.place.skipped;
  const chosen = isStuck ? (by > 0 ? heights.count - 1 : 0) : Math.min(Math.max(pane.chosen, first), last);
  return { place, chosen: Math.max(0, chosen) };
}
