import { SECONDS_PER_DAY } from '../../domain/shared/civil-time.ts';

/** Converts between the instants and the local clock of one time zone, both in seconds since 1970-01-01T00:00. */
export interface ZoneClock {
  toLocal(instant: number): number;
  /** undefined: the zone's clock never shows that time; where it shows it twice, the first instant */
  toInstant(local: number): number | undefined;
}

/** Offset of the zone from UTC, in seconds, at an instant. */
function offsets(zone: string): (instant: number) => number {
  // "1 AM GMT+01:00", "1 AM GMT-00:44:30", "1 AM GMT"
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hour: 'numeric',
    timeZoneName: 'longOffset',
    numberingSystem: 'latn',
  });
  return (instant) => {
    const text = format.format(instant * 1000);
    const [hours = 0, minutes = 0, seconds = 0] = text
      .slice(text.indexOf('GMT') + 4)
      .split(':')
      .map(Number);
    const size = hours * 3600 + minutes * 60 + seconds;
    return text.includes('GMT-') ? -size : size;
  };
}

function remembered<Value>(find: (key: number) => Value): (key: number) => Value {
  const known = new Map<number, Value>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = find(key);
    known.set(key, value);
    return value;
  };
}

/** @param zone `UTC` or a name that `knownTimeZone` returned */
export function createZoneClock(zone: string): ZoneClock {
  if (zone === 'UTC') return { toLocal: (instant) => instant, toInstant: (local) => local };
  const offsetAt = offsets(zone);
  const offsetAtMidnight = remembered((day) => offsetAt(day * SECONDS_PER_DAY));
  // zones lie within 15 hours of UTC, so what a local day shows happens between these midnights in UTC
  const offsetsOfDay = remembered((day) => [
    ...new Set([day - 1, day, day + 1, day + 2].map(offsetAtMidnight)),
  ]);
  return {
    toLocal: (instant) => instant + offsetAt(instant),
    toInstant: (local) => {
      const [first = 0, ...others] = offsetsOfDay(Math.floor(local / SECONDS_PER_DAY));
      if (others.length === 0) return local - first;
      const instants = [first, ...others]
        .map((offset) => local - offset)
        .filter((instant) => instant + offsetAt(instant) === local);
      return instants.length === 0 ? undefined : Math.min(...instants);
    },
  };
}
