// Several listeners in a process of their own. node clients.mjs PORT COUNT RECONNECTS EVENTS PACKAGES

import { createListener } from './client.mjs';

const [port, count, reconnects, expected, packages] = process.argv.slice(2);
let cuts = 0;
/** A replay leaves out deltas, so fewer events come than lines were written; those that are cut off early are not cut off more often. */
const eventsPerCut = (0.5 * Number(expected) * Number(count)) / Number(reconnects);
const onCut = () => cuts < Number(reconnects) && ++cuts > 0;
const listeners = await Promise.all(
  Array.from({ length: Number(count) }, () => createListener({ port, packages, eventsPerCut, onCut })),
);
process.send('ready');
const telling = setInterval(() => process.send({ turns: Math.min(...listeners.map(({ turns }) => turns)) }), 20);

process.on('message', async ({ runs, isLast }) => {
  if (!isLast) return;
  clearInterval(telling);
  const until = Date.now() + 60_000;
  while (listeners.some(({ turns }) => turns < runs) && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 100));
  const wrong = listeners.reduce((sum, one) => sum + one.wrong + Math.abs(one.turns - runs), 0);
  const events = listeners.reduce((sum, one) => sum + one.events, 0);
  for (const listener of listeners) listener.close();
  process.send({ wrong, events, cuts });
});
