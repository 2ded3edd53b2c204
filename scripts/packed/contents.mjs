// What is in the packages, and what came with them.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';

/** Beside `dist` nothing else is packed; the schema is one of the protocol's entries. */
const BESIDE = new Set(['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'schema.json']);
/** Asked for by what is in the command's bundle, in a `try`: faster parts that nobody needs. */
const OPTIONAL = new Set(['bufferutil', 'utf-8-validate']);
const IMPORTS = [
  /\bfrom\s*["']([^"'\s]+)["']/g,
  /\bimport\s*\(?\s*["']([^"'\s]+)["']/g,
  /\brequire\(\s*["']([^"'\s]+)["']\s*\)/g,
];
const BUILTIN = new Set(builtinModules);

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const filesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** A package as it was installed: only what belongs there, all that it names, nothing of this machine. */
export function checkContents(folder, root) {
  const manifest = readJson(join(folder, 'package.json'));
  const faults = [];
  for (const entry of entriesOf(manifest))
    if (!existsSync(join(folder, entry))) faults.push(`${entry} is named and is not there`);
  for (const name of ['README.md', 'LICENSE']) if (!existsSync(join(folder, name))) faults.push(`it has no ${name}`);
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
    if (manifest.scripts?.[script]) faults.push(`it has a script ${script}`);
  const declared = new Set([manifest.name, ...Object.keys(declaredBy(manifest))]);
  for (const file of filesOf(folder)) {
    const path = relative(folder, file).replaceAll(sep, '/');
    if (!path.startsWith('dist/') && !BESIDE.has(path)) faults.push(`${path} does not belong into it`);
    if (/\.(map|tsbuildinfo|tsx?)$/.test(path) && !path.endsWith('.d.ts')) faults.push(`${path} is nothing for others`);
    if (/\.test\b/.test(path)) faults.push(`${path} is a test`);
    const text = readFileSync(file, 'utf8');
    const map = /\/\/# sourceMappingURL=(\S+)/.exec(text)?.[1];
    if (map !== undefined && !existsSync(join(dirname(file), map)))
      faults.push(`${path} names a map that is not there`);
    for (const place of [root, `${homedir()}/`])
      if (text.includes(place)) faults.push(`${path} tells of a folder of this machine`);
    if (/^dist\/(?!page\/|assets\/).*\.(js|d\.ts)$/.test(path))
      for (const name of importsIn(text))
        if (name.startsWith('.')) {
          if (!isThere(dirname(file), name)) faults.push(`${path} needs ${name}, which was not packed`);
        } else if (!declared.has(packageOf(name)) && !OPTIONAL.has(name))
          faults.push(`${path} needs ${name}, which is not declared`);
  }
  assert.deepEqual([...new Set(faults)], [], manifest.name);
}

/** Every file that a manifest leads to. */
function entriesOf({ exports = {}, bin = {}, main, types }) {
  const found = [];
  const walk = (value) => {
    if (typeof value === 'string') found.push(value);
    else if (value) Object.values(value).forEach(walk);
  };
  walk([exports, bin, main, types]);
  return found;
}

function declaredBy({ dependencies, optionalDependencies, peerDependencies }) {
  return { ...dependencies, ...optionalDependencies, ...peerDependencies };
}

/** What a file imports, but for parts of Node. What stands in a comment is an example. */
function importsIn(text) {
  const code = text.replaceAll(/\/\*\*\s[\s\S]*?\*\//g, '');
  const names = IMPORTS.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name]) => name));
  return names.filter((name) => /^[@a-z.]/.test(name) && !name.startsWith('node:') && !BUILTIN.has(name));
}

function packageOf(name) {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Types name each other as their sources do. */
function isThere(folder, name) {
  return existsSync(join(folder, name)) || existsSync(join(folder, name.replace(/\.ts$/, '.d.ts')));
}

/** Whatever is installed was asked for, by the project or by a package that is there; a need of development never is. */
export function checkTree(project) {
  const { packages } = readJson(join(project, 'node_modules/.package-lock.json'));
  const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const asked = new Set(Object.keys(readJson(join(project, 'package.json')).dependencies));
  for (const path of Object.keys(packages))
    for (const name of Object.keys(declaredBy(readJson(join(project, path, 'package.json'))))) asked.add(name);
  const unasked = Object.keys(packages).filter((path) => !asked.has(nameOf(path)));
  assert.deepEqual(unasked, [], 'installed, and nobody asks for it');
  const bundled = Object.keys(packages).filter((path) =>
    /^node_modules\/(@tailrace\/[^/]+|tailrace)\/node_modules/.test(path),
  );
  assert.deepEqual(bundled, [], 'a second copy inside one of ours');
  const links = Object.keys(packages).filter((path) => packages[path].link);
  assert.deepEqual(links, [], 'a link is no package');
}
