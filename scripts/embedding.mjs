// The files of examples/electron-chat as they stand in docs/embedding.md. `--check` only says whether they are the same, and all there.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = `${root}docs/embedding.md`;
const text = readFileSync(page, 'utf8');
const told = new Set();

const made = text.replaceAll(/<!-- (\S+) -->\n\n```\w+\n[\s\S]*?\n```\n/g, (_all, name) => {
  told.add(name);
  const content = readFileSync(`${root}examples/electron-chat/${name}`, 'utf8');
  return `<!-- ${name} -->\n\n\`\`\`${extname(name).slice(1)}\n${content}\`\`\`\n`;
});

// Whoever types what the page has would miss it.
const files = execFileSync('git', ['ls-files', '.'], { cwd: `${root}examples/electron-chat`, encoding: 'utf8' });
const untold = files.split('\n').filter((name) => name !== '' && name !== 'README.md' && !told.has(name));
if (untold.length > 0) {
  console.error(`docs/embedding.md lacks files of examples/electron-chat: ${untold.join(', ')}`);
  process.exit(1);
}

if (!process.argv.includes('--check')) writeFileSync(page, made);
else if (made !== text) {
  console.error('docs/embedding.md has other files than examples/electron-chat: node scripts/embedding.mjs');
  process.exit(1);
}
