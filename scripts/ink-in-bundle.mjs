// Ink, made fit for the bundle of the command, which is CommonJS: there nothing can wait while it is loaded. Its layout engine is loaded
// when the view asks for it, its tools for developers stay out, and what it takes for a CI job is a terminal all the same.

const YOGA = /yoga-layout\/dist\/src\/index\.js$/;
const RECONCILER = /ink\/build\/reconciler\.js$/;
const OUTPUT = /ink\/build\/output\.js$/;
const WIDEST = /\/widest-line\/index\.js$/;
const ENGINE = /cli\/src\/view\/layout-engine\.ts$/;
const IN_CI = /is-in-ci\/index\.js$/;

/** The engine as an object that is filled later: ink reads from it only when it draws. */
const LATER = `
import loadYoga from '../binaries/yoga-wasm-base64-esm.js';
import wrapAssembly from './wrapAssembly.js';
const Yoga = {};
export const load = async () => Object.assign(Yoga, wrapAssembly(await loadYoga()));
export default Yoga;
export * from './generated/YGEnums.js';
`;

/** A plugin for rolldown. Throws where ink is not what it was. */
export function inkInBundle() {
  return {
    name: 'ink-in-bundle',
    load(id) {
      if (YOGA.test(id)) return LATER;
      if (ENGINE.test(id)) return "import { load } from 'yoga-layout';\nexport const layoutEngine = load();\n";
      if (IN_CI.test(id)) return 'export default false;\n';
      return null;
    },
    transform(code, id) {
      if (OUTPUT.test(id)) return remember(code);
      if (WIDEST.test(id)) return rememberWidths(code);
      if (!RECONCILER.test(id)) return null;
      const start = code.indexOf('if (isDev()) {');
      const end = code.indexOf('const diff =');
      const named = '? await loadPackageJson()\n    : { name';
      if (start < 0 || end < start || !code.includes(named)) throw new Error('ink/build/reconciler.js is another one');
      return (code.slice(0, start) + code.slice(end)).replace(named, '? {}\n    : { name');
    },
  };
}

/** Ink takes every line of every frame apart; most of them were in the frame before. */
function remember(code) {
  const own = 'caches = new OutputCaches();';
  const start = 'class OutputCaches {';
  if (!code.includes(own) || !code.includes(start)) throw new Error('ink/build/output.js is another one');
  return code.replace(own, 'caches = OutputCaches.shared();').replace(
    start,
    `${start}
    static last = new OutputCaches();
    static shared() {
        if (OutputCaches.last.styledChars.size + OutputCaches.last.widths.size > 2000) OutputCaches.last = new OutputCaches();
        return OutputCaches.last;
    }`,
  );
}

/** And it measures all of them. */
function rememberWidths(code) {
  const own = 'export default function widestLine(string) {';
  if (!code.includes(own)) throw new Error('widest-line is another one');
  return code.replace(
    own,
    `const known = new Map();
export default function remembered(string) {
    let width = known.get(string);
    if (width === undefined) {
        width = widestLine(string);
        if (known.size > 2000) known.clear();
        known.set(string, width);
    }
    return width;
}
function widestLine(string) {`,
  );
}
