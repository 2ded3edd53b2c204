import { parseArgs } from 'node:util';
import type { Command } from '../command.ts';
import { examine, type Finding } from '../history/examine.ts';
import { loadStore, storeFile } from '../history/open.ts';
import { writeOut } from '../input/write.ts';
import { tellPlainly } from '../printer/hidden.ts';
import { createPalette, type Palette } from '../printer/palette.ts';

/** `tailrace doctor`: what is installed, where data is, what is wrong; with `--repair` a damaged store is mended. */
export const command: Command = async (words) => {
  const { values } = parseArgs({
    args: [...words],
    options: { repair: { type: 'boolean' }, json: { type: 'boolean' }, plain: { type: 'boolean' } },
  });
  const palette = createPalette(values.plain ? false : undefined);
  const findings = await examine();
  const isDamaged = findings.some(({ code }) => code === 'corrupt');
  const repair = values.repair && isDamaged ? await mend() : undefined;
  if (values.json) await writeOut(`${JSON.stringify({ findings, repair: repair ?? null })}\n`);
  else {
    await writeOut(findings.map((finding) => describe(finding, palette)).join(''));
    if (repair) await writeOut(describeRepair(repair, palette));
    else if (values.repair) await writeOut('\nthere is nothing to repair\n');
  }
  const left = findings.some(({ level, code }) => level === 'problem' && !(repair && code === 'corrupt'));
  return left || (repair && repair.holes.length > 0) ? 1 : 0;
};

type Repair = Awaited<ReturnType<typeof mend>>;

async function mend() {
  const { repairStore } = await loadStore();
  return repairStore(storeFile());
}

function describe({ level, name, text }: Finding, palette: Palette): string {
  const sign = { good: palette.good('✓'), note: palette.dim('·'), problem: palette.bad('✖') }[level];
  return `${sign} ${palette.dim(name.padEnd(12))} ${tellPlainly(text)}\n`;
}

function describeRepair({ lines, streams, holes, keptAs, nameless, lostTables }: Repair, palette: Palette): string {
  const missing = holes.reduce((sum, { fromSeq, toSeq }) => sum + (toSeq - fromSeq + 1), 0);
  const rows = [
    palette.good(`repaired: ${lines} lines of ${streams} streams are there`),
    missing > 0 ? palette.bad(`${missing} lines could not be read, in ${holes.length} places`) : '',
    nameless > 0 ? palette.bad(`of ${nameless} streams only the lines were found`) : '',
    lostTables.length > 0 ? palette.bad(`not whole: ${lostTables.join(', ')}`) : '',
    `the damaged file is kept as ${tellPlainly(keptAs)}`,
  ];
  return `\n${rows.filter(Boolean).join('\n')}\n`;
}
