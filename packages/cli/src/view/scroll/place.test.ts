import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepPane, type Pane, paneAtEnd, paneAtTop, paneKey } from './pane.ts';
import { AT_TOP, type Heights, isAtEnd, moved, placeAtEnd, placeShowing, seenFrom } from './place.ts';

const anyHeights = fc
  .record({
    sizes: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 40 }),
    room: fc.integer({ min: 1, max: 15 }),
  })
  .map(({ sizes, room }): Heights => ({ count: sizes.length, room, heightOf: (item) => sizes[item] ?? 1 }));

/** Every line of the list, in order. */
function allLines({ count, heightOf }: Heights): readonly string[] {
  return Array.from({ length: count }, (_, item) =>
    Array.from({ length: heightOf(item) }, (__, line) => `${item}:${line}`),
  ).flat();
}

const names = (heights: Heights, place = AT_TOP): readonly string[] =>
  seenFrom(place, heights).map(({ item, line }) => `${item}:${line}`);

test('what is seen is a stretch of the list without a hole, as long as there is room', () => {
  fc.assert(
    fc.property(anyHeights, fc.array(fc.integer({ min: -30, max: 30 })), (heights, steps) => {
      const all = allLines(heights);
      let [place, at] = [AT_TOP, 0];
      const most = Math.max(0, all.length - heights.room);
      for (const by of steps) {
        place = moved(place, by, heights);
        at = Math.min(most, Math.max(0, at + by));
        expect(names(heights, place)).toEqual(all.slice(at, at + heights.room));
      }
    }),
  );
});

test('from the end the last line is seen, and only then', () => {
  fc.assert(
    fc.property(anyHeights, fc.integer({ min: 0, max: 200 }), (heights, by) => {
      const all = allLines(heights);
      expect(names(heights, placeAtEnd(heights)).at(-1)).toBe(all.at(-1));
      const place = moved(AT_TOP, by, heights);
      expect(isAtEnd(place, heights)).toBe(names(heights, place).at(-1) === all.at(-1));
    }),
  );
});

test('an item that is gone to is seen: whole where it fits, else from its beginning', () => {
  fc.assert(
    fc.property(anyHeights, fc.nat(), fc.nat({ max: 200 }), (heights, wanted, by) => {
      const item = wanted % heights.count;
      const seen = names(heights, placeShowing(item, moved(AT_TOP, by, heights), heights));
      const own = Array.from({ length: heights.heightOf(item) }, (_, line) => `${item}:${line}`);
      expect(seen).toEqual(expect.arrayContaining(own.slice(0, heights.room)));
    }),
  );
});

const KEYS = ['j', 'k', 'g', 'G', '<page-down>', '<page-up>', '<ctrl-d>', '<ctrl-u>', '<home>', '<end>'];

test('whatever keys do, what is chosen exists, and is on the screen where it fits', () => {
  fc.assert(
    fc.property(anyHeights, fc.array(fc.constantFrom(...KEYS)), (heights, keys) => {
      let pane: Pane = paneAtTop;
      for (const key of keys) {
        pane = paneKey(pane, key, heights) ?? pane;
        expect(pane.chosen).toBeGreaterThanOrEqual(0);
        expect(pane.chosen).toBeLessThan(heights.count);
        const seen = seenFrom(pane.place, heights).map(({ item }) => item);
        expect(seen).toContain(pane.chosen);
      }
    }),
  );
});

test('j reads everything to the last line, and k everything back', () => {
  fc.assert(
    fc.property(anyHeights, (heights) => {
      const seen = new Set<string>();
      let pane: Pane = paneAtTop;
      for (let count = 0; count < allLines(heights).length + heights.count; count++) {
        for (const name of names(heights, pane.place)) seen.add(name);
        pane = paneKey(pane, 'j', heights) ?? pane;
      }
      expect(seen.size).toBe(allLines(heights).length);
      expect(pane).toEqual(paneAtEnd(heights));
      for (let count = 0; count < allLines(heights).length + heights.count; count++)
        pane = paneKey(pane, 'k', heights) ?? pane;
      expect(pane).toEqual(paneAtTop);
    }),
  );
});

test('a list that has shrunk leaves nobody beyond its end', () => {
  fc.assert(
    fc.property(anyHeights, anyHeights, (before, after) => {
      const { place, chosen } = keepPane(paneAtEnd(before), after);
      expect(chosen).toBeLessThan(after.count);
      expect(seenFrom(place, after).length).toBe(Math.min(after.room, allLines(after).length));
    }),
  );
});
