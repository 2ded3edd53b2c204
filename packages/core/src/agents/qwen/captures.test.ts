import { testRecordings } from '../../../test/recordings.ts';
import { qwen } from './index.ts';

testRecordings(qwen, {
  tokens: 'all',
  firstLine: true,
  invented: [{ type: 'system', subtype: 'invented', data: { notice: 'made up' } }],
});
