// Which day, week and month a time is in, in some time zone, also where clocks are put forward and back.

export interface Zone {
  /** `2026-11-15`. */
  dayOf(time: number): string;
  /** The beginning of the day, in epoch milliseconds. */
  beginOf(day: string): number;
}

const DAY_MS = 86_400_000;
/** No zone begins its day, or changes its clocks, between two of these. */
const SLOT_MS = 900_000;

/** Days in a time zone of the IANA's names; without one in that of this machine. Throws a RangeError for one that is not there. */
export function createZone(name?: string): Zone {
  const offsetOf = name === undefined ? localOffset : name === 'UTC' ? () => 0 : offsetIn(name);
  /** The offset of a whole day of UTC, where it is one; else it is asked for each slot. */
  const ofDay = new Map<number, number | undefined>();
  const ofSlot = new Map<number, number>();

  let lastDay = { day: Number.NaN, offset: 0 };

  function offsetAt(time: number): number {
    const day = Math.floor(time / DAY_MS);
    if (day === lastDay.day) return lastDay.offset;
    let whole = ofDay.get(day);
    if (whole === undefined && !ofDay.has(day)) {
      const [begin, end] = [offsetOf(day * DAY_MS), offsetOf((day + 1) * DAY_MS - 1)];
      whole = begin === end ? begin : undefined;
      ofDay.set(day, whole);
    }
    if (whole !== undefined) {
      lastDay = { day, offset: whole };
      return whole;
    }
    const slot = Math.floor(time / SLOT_MS);
    const known = ofSlot.get(slot) ?? offsetOf(slot * SLOT_MS);
    ofSlot.set(slot, known);
    return known;
  }

  let last = { number: Number.NaN, name: '' };
  const zone: Zone = {
    dayOf(time) {
      const number = Math.floor((time + offsetAt(time)) / DAY_MS);
      if (number !== last.number) last = { number, name: nameOf(number) };
      return last.name;
    },
    beginOf(day) {
      const start = Date.parse(`${day}T00:00:00.000Z`);
      // The first slot of that day: offsets are between a day before and a day after UTC.
      let slot = start - DAY_MS;
      while (zone.dayOf(slot) < day && slot < start + DAY_MS) slot += SLOT_MS;
      return slot;
    },
  };
  return zone;
}

function nameOf(dayNumber: number): string {
  return new Date(dayNumber * DAY_MS).toISOString().slice(0, -'T00:00:00.000Z'.length);
}

/** How far clocks here are ahead of UTC. */
function localOffset(time: number): number {
  return -new Date(time).getTimezoneOffset() * 60_000;
}

function offsetIn(name: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (time) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return shown - Math.floor(time / 1000) * 1000;
  };
}

/** The Monday of the week that a day is in. */
export function weekOf(day: string): string {
  const number = Math.floor(Date.parse(`${day}T00:00:00.000Z`) / DAY_MS);
  // The day of the epoch was a Thursday.
  return nameOf(number - ((((number + 3) % 7) + 7) % 7));
}

export function dayAfter(day: string): string {
  return nameOf(Math.floor(Date.parse(`${day}T00:00:00.000Z`) / DAY_MS) + 1);
}

/** How many days a month of a day has. */
export function daysInMonth(day: string): number {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
