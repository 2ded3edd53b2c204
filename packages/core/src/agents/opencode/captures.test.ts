import { testRecordings } from '../../../test/recordings.ts';
import { opencode } from './index.ts';

testRecordings(opencode, {
  tokens: 'main',
  firstLine: true,
  silent: ['incomplete'],
  // A tool that there is not, or an input that is no JSON, becomes a call of the tool that says so.
  printed: ({ name, input }) =>
    name === 'no_such_tool' || name === 'teleport' || typeof input === 'string' ? 'invalid' : name,
  invented: [
    { type: 'step_paused', timestamp: 1, sessionID: 'ses_1', part: { id: 'prt_1', type: 'step-paused' } },
    { type: 'text', timestamp: 1, sessionID: 'ses_1' },
  ],
});
