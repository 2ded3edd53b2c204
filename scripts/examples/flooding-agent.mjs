// Plays an agent that says more than anybody should keep: 128 MB. For each line that was taken from it, it adds a character to a file.
import { appendFileSync } from 'node:fs';

const [, , file] = process.argv;
const say = (line) => new Promise((taken) => process.stdout.write(`${JSON.stringify(line)}\n`, taken));

await say({ type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: [] });
const content = [{ type: 'text', text: 'x'.repeat(100_000) }];
for (let number = 0; number < 1_280; number += 1) {
  await say({ type: 'assistant', session_id: 's', message: { id: `m${number}`, role: 'assistant', content } });
  appendFileSync(file, '.');
}
