// Bars for days, each in the colours of its models. uPlot draws into a canvas; its colours are those of the page, also after a change.

import { type ReactElement, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useTheme } from '../shell/theme.ts';
import { type DayChart, stacked } from './day-chart.ts';
import { dateOf } from './usage-search.ts';

export interface StackedBarsProps {
  readonly chart: DayChart;
  /** What it shows, with its main figure. */
  readonly label: string;
}

const HEIGHT = 220;

export function StackedBars({ chart, label }: StackedBarsProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    const element = place.current;
    if (!element || chart.days.length === 0) return;
    const plot = new uPlot(optionsOf(chart, element.clientWidth), dataOf(chart), element);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    const system = matchMedia('(prefers-color-scheme: dark)');
    const redraw = (): void => plot.redraw(false);
    system.addEventListener('change', redraw);
    return () => {
      system.removeEventListener('change', redraw);
      observer.disconnect();
      plot.destroy();
    };
  }, [chart, theme]);
  return (
    <div ref={place} role="img" aria-label={label} className="min-w-0 overflow-hidden" style={{ height: HEIGHT }} />
  );
}

/** The colours of the series, by their places. */
export function seriesColour(index: number): string {
  return `var(--series-${index + 1})`;
}

/** The highest is drawn first, so that each lower one covers it. */
function dataOf({ days, series }: DayChart): uPlot.AlignedData {
  const drawn = [...stacked(series)].reverse();
  return [days.map((_, index) => index), ...drawn.map((values) => [...values])];
}

function optionsOf({ days, series }: DayChart, width: number): uPlot.Options {
  const colourOf = (name: string) => (): string => colour(name);
  const bars = uPlot.paths.bars?.({ size: [0.7, 48], radius: 0 });
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      // Half a bar stands beyond the first and the last.
      x: { time: false, range: [-0.6, days.length - 0.4] },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.05 : 1] },
    },
    axes: [
      {
        stroke: colourOf('--muted'),
        grid: { show: false },
        ticks: { show: false },
        font: FONT,
        size: 24,
        gap: 6,
        splits: () => labelled(days, width),
        values: (_, splits) => splits.map((index) => shortDay(days[index])),
      },
      {
        stroke: colourOf('--muted'),
        grid: { stroke: colourOf('--line'), width: 1 },
        ticks: { show: false },
        font: FONT,
        size: 52,
        gap: 6,
        values: (_, splits) =>
          splits.map((value) => `$${value >= 10 || value === 0 ? value.toFixed(0) : value.toFixed(2)}`),
      },
    ],
    series: [
      {},
      ...series.map((_, place) => ({
        ...(bars && { paths: bars }),
        points: { show: false },
        width: 0,
        fill: colourOf(`--series-${series.length - place}`),
      })),
    ],
  };
}

const FONT = '12px system-ui, sans-serif';
/** A label needs so much room. */
const LABEL_PIXELS = 72;

function labelled(days: readonly string[], width: number): number[] {
  const step = Math.max(1, Math.ceil((days.length * LABEL_PIXELS) / Math.max(width - 60, LABEL_PIXELS)));
  return days.flatMap((_, index) => (index % step === 0 ? index : []));
}

function shortDay(day: string | undefined): string {
  return day === undefined ? '' : dateOf(day).toLocaleDateString([], { month: 'short', day: 'numeric' });
}

/** The canvas knows no `light-dark()`: the browser is asked what it is now. */
function colour(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
