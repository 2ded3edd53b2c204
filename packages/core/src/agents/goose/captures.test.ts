import { testRecordings } from '../../../test/recordings.ts';
import { goose } from './index.ts';

testRecordings(goose, {
  tokens: 'main',
  untold: ['cacheReadTokens', 'cacheWriteTokens'],
  firstLine: true,
  invented: [{ type: 'model_change', model: 'gpt-4o', mode: 'lead' }],
});
