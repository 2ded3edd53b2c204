// Asks a large store what people ask, and prints the times. The store is made once and kept beside the other fixtures.

import { median } from '../rounds.mjs';
import { largeStore } from './large-store.mjs';

const { file, sessions, store: entry, repeats } = JSON.parse(process.argv[2]);
const store = await largeStore({ file, sessions, store: entry });
const { history } = store;
const ids = (await history.sessions({})).map(({ id }) => id);

const asked = {
  sessions: () => history.sessions({ limit: 50 }),
  'sessions of a project': () => history.sessions({ project: 'cache', limit: 50 }),
  show: async (round) => {
    const id = ids[(round * 991) % ids.length];
    const events = [];
    for await (const pieces of history.events(id)) events.push(...pieces);
    return [await history.session(id), await history.messages(id), events];
  },
};
// A word that is rare, one that is ranked, one too common for it, a part of one, a phrase, a path, CJK, several.
for (const words of ['pageToken94', 'getUser', 'piro', 'etUse', 'npm test', '"git log"', '検索', 'user file error'])
  asked[`search ${words}`] = () => history.search(words, { limit: 20 });

const times = {};
for (const [name, ask] of Object.entries(asked)) {
  const own = [];
  for (let round = 0; round < repeats; round++) {
    const start = performance.now();
    await ask(round);
    own.push(performance.now() - start);
  }
  times[name] = median(own);
}
await store.close();
process.stdout.write(`${JSON.stringify({ times, sessions: ids.length })}\n`);
