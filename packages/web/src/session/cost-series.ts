// What a session has come to over time, as points of a line: each adds up everything until then.

export interface Spent {
  readonly at: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number | null;
}

export interface CostPoint {
  readonly at: number;
  readonly costUsd: number;
  readonly tokens: number;
}

/** What has no time counts with what was before it. When the session began, nothing was spent. */
export function costSeries(spent: readonly Spent[], begunAt: number | null = null): readonly CostPoint[] {
  const first = spent.find(({ at }) => at !== null)?.at ?? null;
  const hasBegin = begunAt !== null && first !== null && begunAt < first;
  const points: CostPoint[] = hasBegin ? [{ at: begunAt, costUsd: 0, tokens: 0 }] : [];
  let costUsd = 0;
  let tokens = 0;
  for (const one of spent) {
    costUsd += one.costUsd ?? 0;
    tokens += one.inputTokens + one.outputTokens;
    const at = one.at ?? points.at(-1)?.at;
    if (at === undefined) continue;
    const last = points.at(-1);
    if (last && last.at >= at) points[points.length - 1] = { at: last.at, costUsd, tokens };
    else points.push({ at, costUsd, tokens });
  }
  return points;
}

/** At most so many of the points, the last one among them: a small picture shows no more. */
export function thinOut(points: readonly CostPoint[], most: number): readonly CostPoint[] {
  if (points.length <= most) return points;
  const thin: CostPoint[] = [];
  for (let index = 0; index < most; index++) {
    const point = points[Math.round((index * (points.length - 1)) / (most - 1))];
    if (point) thin.push(point);
  }
  return thin;
}

/** The points as a path of steps in a box; nothing below two points. */
export function stepsPath(
  points: readonly CostPoint[],
  figureOf: (point: CostPoint) => number,
  width: number,
  height: number,
): string {
  const last = points.at(-1);
  if (!last || points.length < 2) return '';
  const places = placesOf(points);
  const span = places.at(-1) || 1;
  const top = figureOf(last) || 1;
  const steps = points.map((point, index) => {
    const x = (((places[index] ?? 0) / span) * width).toFixed(1);
    const y = (height - (figureOf(point) / top) * height).toFixed(1);
    return index === 0 ? `M${x} ${y}` : `H${x}V${y}`;
  });
  return steps.join('');
}

/** A gap counts for no more than so many usual ones: over a night in which nothing happened, the day would not be seen. */
const LONGEST_GAPS = 4;

/** How far from the first each point stands. */
function placesOf(points: readonly CostPoint[]): readonly number[] {
  const gaps = points.map(({ at }, index) => at - (points[index - 1]?.at ?? at));
  const usual = [...gaps.slice(1)].sort((a, b) => a - b)[Math.floor((gaps.length - 1) / 2)] ?? 0;
  let place = 0;
  return gaps.map((gap) => {
    place += Math.min(gap, usual * LONGEST_GAPS);
    return place;
  });
}
