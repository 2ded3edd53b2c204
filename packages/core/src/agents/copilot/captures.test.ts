import { testRecordings } from '../../../test/recordings.ts';
import { copilot } from './index.ts';

const envelope = { id: 'a', parentId: null, timestamp: '2026-11-15T07:00:00.000Z' };

testRecordings(copilot, {
  tokens: 'none',
  firstLine: true,
  invented: [
    { type: 'session.invented', data: { turnId: '0' }, ...envelope },
    { type: 'assistant.turn_bend', data: {}, agentId: 'b', ...envelope },
  ],
});
