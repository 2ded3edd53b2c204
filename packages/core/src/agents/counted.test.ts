import { expect, test } from 'vitest';
import { countedTranscripts } from './counted.ts';
import { agents } from './registry.ts';

test('whoever can be counted is in both lists', () => {
  expect(countedTranscripts).toEqual(agents.flatMap(({ transcripts }) => (transcripts?.usage ? [transcripts] : [])));
});
