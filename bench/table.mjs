// Rows → a table in markdown and a closing sentence.

/** Of goals that are no ratios. */
const UNITS = { growth: '', count: '', linesPerSecond: ' lines/s', milliseconds: ' ms', seconds: ' s' };

/** Says of each goal of a row whether it holds. A goal is `{ of: field, least }` or `{ of: field, most }`. */
export function judge(row) {
  return row.goals.map((goal) => {
    const value = row[goal.of];
    const holds = goal.least === undefined ? value <= goal.most : value >= goal.least;
    const bound = goal.least === undefined ? `≤ ${goal.most}` : `≥ ${goal.least}`;
    const unit = UNITS[goal.of] ?? `× ${goal.of}`;
    return { axis: row.axis, value, holds, text: `${bound}${unit}` };
  });
}

export function renderTable(rows) {
  const head = ['axis', 'what', 'median', 'to the limit', 'to readline', 'goal', 'holds'];
  const body = rows.map((row) => {
    const verdicts = judge(row);
    return [
      row.axis,
      row.what,
      row.figure,
      ratio(row.limit, row.limitWall),
      ratio(row.readline, row.readlineWall),
      verdicts.map(({ text }) => text).join(', '),
      verdicts.map(({ holds }) => (holds ? 'yes' : '**no**')).join(', '),
    ];
  });
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function ratio(value, wall) {
  if (value === undefined) return '';
  return wall === undefined ? `${value.toFixed(2)}×` : `${value.toFixed(2)}× (wall ${wall.toFixed(2)}×)`;
}

export function closingLine(rows) {
  const verdicts = rows.flatMap(judge);
  const missed = verdicts.filter(({ holds }) => !holds);
  if (missed.length === 0) return `All ${verdicts.length} goals hold.`;
  const list = missed.map(({ axis, text, value }) => `${axis}: ${value.toFixed(2)} instead of ${text}`);
  return `${verdicts.length - missed.length} of ${verdicts.length} goals hold. MISSED: ${list.join('; ')}.`;
}
