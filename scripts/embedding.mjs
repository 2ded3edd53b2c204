// The files of examples/electron-chat as they stand in docs/embedding.md. `--check` only says whether they are the same.
import { readFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = `${root}docs/embedding.md`;
const text = readFileSync(page, 'utf8');

const made = text.replaceAll(/<!-- (\S+) -->\n\n```\w+\n[\s\S]*?\n```\n/g, (_all, name) => {
  const content = readFileSync(`${root}examples/electron-chat/${name}`, 'utf8');
  return `<!-- ${name} -->\n\n\`\`\`${extname(name).slice(1)}\n${content}\`\`\`\n`;
});

if (!process.argv.includes('--check')) writeFileSync(page, made);
else if (made !== text) {
  console.error('docs/embedding.md has other files than examples/electron-chat: node scripts/embedding.mjs');
  process.exit(1);
}
