// A long time of work in a short one: many runs of a real server, many clients that come and go. Nothing may be missing, and memory and
// handles stay what they were.

import { fileURLToPath } from 'node:url';
import { runChild } from '../rounds.mjs';

export async function soak({ quick, log }) {
  log('soak');
  const packages = fileURLToPath(new URL('../../packages/', import.meta.url));
  const size = quick ? { runs: 100, reconnects: 250 } : { runs: 2_000, reconnects: 5_000 };
  const result = runChild('soak/child.mjs', { ...size, linesPerRun: 864, packages }, ['--expose-gc']);
  const axis = `soak (${result.events.toLocaleString('en')} events, ${size.runs.toLocaleString('en')} runs, ${result.reconnects.toLocaleString('en')} reconnects, ${Math.round(result.seconds)} s)`;
  const row = (what, figure, field, value, most) => ({
    axis,
    what,
    figure,
    [field]: value,
    goals: [{ of: field, most }],
  });
  return {
    rows: [
      row(
        'memory that is kept for each 100,000 events, after the first quarter',
        `${(result.growthBytes / 1e6).toFixed(2)} MB (heap and buffers; RSS ${(result.rssGrowthBytes / 1e6).toFixed(2)} MB)`,
        'count',
        result.growthBytes / 1e6,
        1,
      ),
      row(
        'handles more than at the start',
        `${result.handles.end - result.handles.start} (${result.handles.start} at the start)`,
        'count',
        result.handles.end - result.handles.start,
        0,
      ),
      row('events that clients miss, or have twice', `${result.wrong}`, 'count', result.wrong, 0),
    ],
    results: result,
  };
}
