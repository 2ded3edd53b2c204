// Takes the place of the server in one folder after the other, each as soon as its file `go` is there, and says what became of it.
import { existsSync } from 'node:fs';
import { takePlace } from '@tailrace/server';

for (const folder of process.argv.slice(2)) {
  while (!existsSync(`${folder}/go`));
  const said = await takePlace(folder).then(
    (place) => ('pid' in place ? 'taken' : 'ours'),
    (error) => error.message,
  );
  process.stdout.write(`${said}\n`);
}
// It lives until it is ended: otherwise the next one would be right to take its place.
process.stdin.resume();
