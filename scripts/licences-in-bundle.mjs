// The licences of the packages that a bundle has in it: whoever gets the bundle gets them with it, as most of them ask for.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const NOTICE = /^(licen[cs]e|copying|notice)/i;

/** A plugin for rolldown and Vite that writes them into one file of the bundle. Throws where a package tells none. */
export function licencesInBundle() {
  return {
    name: 'licences-in-bundle',
    generateBundle(_options, bundle) {
      const folders = new Set(
        Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds.map(folderOf).filter(Boolean)),
      );
      const notices = [...new Set([...folders].map(noticeOf))].sort();
      this.emitFile({ type: 'asset', fileName: 'licences.txt', source: `${notices.join(`\n${'─'.repeat(80)}\n\n`)}` });
    },
  };
}

/** The folder of the package that a module is from; nothing of our own. */
function folderOf(id) {
  return /^\0?(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\@][^/\\]*)[/\\]/.exec(id)?.[1];
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => NOTICE.test(file) && !/\.(js|json|md\.d)$/.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0 && typeof license !== 'string') throw new Error(`${name} tells no licence: ${folder}`);
  return `${name} ${version}, ${license ?? 'licence below'}\n\n${texts.length > 0 ? texts.join('\n\n') : readmeNote(folder)}\n`;
}

/** Some write it in their README only. */
function readmeNote(folder) {
  const readme = readdirSync(folder).find((file) => /^readme/i.test(file));
  const text = readme && existsSync(join(folder, readme)) ? readFileSync(join(folder, readme), 'utf8') : '';
  return /^#+ licen[cs]e\s+([\s\S]*?)(?=^#|(?![\s\S]))/im.exec(text)?.[1]?.trim() ?? '(no text comes with it)';
}
