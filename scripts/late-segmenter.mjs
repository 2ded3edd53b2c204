// The table of widths makes a segmenter when it is loaded, which takes ten milliseconds. Most streams never ask for it, or late.

const WIDTHS = /\/string-width\/index\.js$/;
const NOW = 'const segmenter = new Intl.Segmenter();';
const LATER = 'let made;\nconst segmenter = { segment: (text) => (made ??= new Intl.Segmenter()).segment(text) };';

/** A plugin for rolldown. Throws where the table is not what it was. */
export function lateSegmenter() {
  return {
    name: 'late-segmenter',
    transform(code, id) {
      if (!WIDTHS.test(id)) return null;
      if (!code.includes(NOW)) throw new Error(`${id} is another one`);
      return code.replace(NOW, LATER);
    },
  };
}
