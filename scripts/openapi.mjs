// docs/openapi.json, from what the routes of the server declare. `--check` only says whether it is up to date.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApi } from '../packages/server/dist/http/routes.js';

const file = fileURLToPath(new URL('../docs/openapi.json', import.meta.url));
const biome = fileURLToPath(new URL('../node_modules/@biomejs/biome/bin/biome', import.meta.url));

// Laid out as every other file is.
const made = execFileSync(process.execPath, [biome, 'format', `--stdin-file-path=${file}`], {
  input: JSON.stringify(openApi(), undefined, 2),
  encoding: 'utf8',
});

if (process.argv.includes('--check')) {
  if (made !== read()) {
    console.error('docs/openapi.json is not what the routes declare: node scripts/openapi.mjs');
    process.exit(1);
  }
} else writeFileSync(file, made);

function read() {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
