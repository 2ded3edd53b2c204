import { testRecordings } from '../../../test/recordings.ts';
import { gemini } from './index.ts';

testRecordings(gemini, {
  tokens: 'all',
  firstLine: true,
  invented: [
    { type: 'thought', timestamp: '2026-11-15T06:53:16.290Z', content: 'Hm.' },
    { type: 'message', timestamp: '2026-11-15T06:53:16.290Z', role: 'narrator', content: 'Once upon a time' },
  ],
});
