// Every program of the pages, through the compiler: under the strictest of settings, beside the packages as they were installed.
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Types that a reader installs beside the program; the workspace has them. */
const TYPES = ['node', 'react', 'react-dom', 'ws'];

const SETTINGS = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'nodenext',
  moduleDetection: 'force',
  jsx: 'react-jsx',
  types: ['node'],
  allowJs: true,
  checkJs: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: false,
};

/** The types of our packages need no others than those that come with them, and Node's. */
export async function checkEntries(stage, manifests) {
  linkTypes(stage, ['node', 'react']);
  const entries = manifests.flatMap(({ name, exports = {} }) =>
    Object.keys(exports)
      .filter((entry) => !entry.endsWith('.json'))
      .map((entry) => name + entry.slice(1)),
  );
  const imports = entries.map((entry, index) => `export type * as entry${index} from '${entry}';\n`);
  write(join(stage.folder, 'entries/all.ts'), imports.join(''));
  await compile(stage, 'entries', { ...SETTINGS, noEmit: true, skipLibCheck: false });
}

/** Gives where each of the programs is when it has been compiled. A fault has the page's name and line. */
export async function compilePrograms(stage, programs) {
  linkTypes(stage, TYPES);
  cpSync(join(stage.root, 'packages/electron/test/example/electron.d.ts'), join(stage.folder, 'pages/electron.d.ts'));
  const files = new Map();
  for (const { name, language, line, text } of programs) {
    const file = name.replace('.md ', '-');
    write(join(stage.folder, 'pages', `${file}.${language}`), '\n'.repeat(line) + text);
    files.set(name, join(stage.folder, 'compiled', `${file}.js`));
  }
  await compile(stage, 'pages', { ...SETTINGS, rootDir: '.', outDir: '../compiled', skipLibCheck: true });
  return files;
}

async function compile(stage, folder, compilerOptions) {
  write(join(stage.folder, folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
  await stage.run('npx', ['--no-install', 'tsc', '-p', join(stage.folder, folder)], { cwd: stage.root });
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function linkTypes({ root, folder }, names) {
  const types = join(folder, 'node_modules/@types');
  mkdirSync(types, { recursive: true });
  for (const name of names) {
    try {
      symlinkSync(join(root, 'node_modules/@types', name), join(types, name), 'junction');
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
}
