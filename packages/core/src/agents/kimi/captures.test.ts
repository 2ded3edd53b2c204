import { testRecordings } from '../../../test/recordings.ts';
import { kimi } from './index.ts';

testRecordings(kimi, {
  tokens: 'none',
  firstLine: true,
  silent: ['incomplete'],
  invented: [
    { role: 'meta', type: 'session.invented' },
    { role: 'narrator', content: 'Once upon a time' },
  ],
});
