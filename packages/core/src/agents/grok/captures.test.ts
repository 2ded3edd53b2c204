import { testRecordings } from '../../../test/recordings.ts';
import { grok } from './index.ts';

testRecordings(grok, {
  tokens: 'main',
  firstLine: true,
  invented: [{ type: 'tool_call_invented', toolCallId: 'c-1' }],
});
