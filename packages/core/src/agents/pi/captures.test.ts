import { testRecordings } from '../../../test/recordings.ts';
import { pi } from './index.ts';

testRecordings(pi, {
  tokens: 'main',
  firstLine: true,
  takesNext: true,
  invented: [
    { type: 'agent_invented', messages: [] },
    { type: 'message_invented', message: { role: 'assistant' } },
  ],
});
