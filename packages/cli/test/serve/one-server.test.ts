// The place of the one server: several processes reach for it at the same moment, where one that died has left its sign.

import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { createPlace, until } from './served.ts';

const taker = fileURLToPath(new URL('place-taker.mjs', import.meta.url));
const TAKERS = 4;
const sign = (token: string): string => JSON.stringify({ token, pid: 2 ** 22 + 1, start: '1', place: 'gone', at: 1 });

/** What is left when one dies: after its sign was up, before it was told to be the next, and in the middle of writing. */
const LEFT: readonly (readonly [name: string, text: string])[][] = [
  [['server.json', sign('dead')]],
  [
    ['server.json', sign('dead')],
    ['server.json.after-dead', sign('heir')],
  ],
  [['server.json.draft', sign('draft')]],
  [['server.json', '{']],
];

test(`of ${TAKERS} exactly one has it, ${counts.placeRaces} times, and nothing of the dead is left`, async () => {
  const { folder } = createPlace();
  const rounds = Array.from({ length: counts.placeRaces }, (_, index) => {
    const path = join(folder, `round-${index}`);
    mkdirSync(path, { mode: 0o700 });
    for (const [name, text] of LEFT[index % LEFT.length] ?? []) writeFileSync(join(path, name), text, { mode: 0o600 });
    return path;
  });
  const said = Array.from({ length: TAKERS }, () => {
    const child = spawn(process.execPath, [taker, ...rounds], { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines = { text: '' };
    child.stdout.on('data', (bytes: Buffer) => {
      lines.text += bytes.toString();
    });
    return () => lines.text.split('\n').slice(0, -1);
  });
  const others = Array.from({ length: TAKERS - 1 }, () => 'taken');
  for (const [index, path] of rounds.entries()) {
    writeFileSync(join(path, 'go'), '');
    await until(() => said.every((lines) => lines().length > index));
    expect(said.map((lines) => lines()[index]).sort(), path).toEqual(['ours', ...others]);
    expect(readdirSync(path).sort(), path).toEqual(['go', 'server.json']);
  }
});
