import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

/** What the guard's program is as one text. */
async function bundleGuard(): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('./guard-program.ts', import.meta.url)),
    // Else the text would depend on where the tests are started.
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    platform: 'node',
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({
    format: 'cjs',
    comments: { legal: false, annotation: false, jsdoc: false },
  });
  await bundle.close();
  return output[0].code.replaceAll(/^\/\/#(end)?region.*\n/gm, '');
}

test('the text that the guard runs is made from its program (`vitest run -u` makes it anew)', async () => {
  const text = (await bundleGuard()).replaceAll(/[\\`]|\$\{/g, (found) => `\\${found}`);
  const file = `// Made from guard-program.ts by guard-text.test.ts.\n\nexport const GUARD_TEXT: string = \`${text}\`;\n`;
  await expect(file).toMatchFileSnapshot('./guard-text.ts');
});

test('the text is short enough for a command line on Windows', async () => {
  expect((await bundleGuard()).length).toBeLessThan(20_000);
});
