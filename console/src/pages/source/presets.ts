/** Rules that can be chosen without knowing RFC 5545. Times are in UTC. */
export interface Preset {
  readonly every: 'hour' | 'day' | 'weekday' | 'week' | 'month';
  /** `HH:MM`; an hour begins at its first minute. */
  readonly time: string;
  /** Of a week: `MO` to `SU`. */
  readonly day: string;
  /** Of a month: 1 to 28, which every month has. */
  readonly date: number;
}

export const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
const WEEKDAYS = DAYS.slice(0, 5).join(',');

export const ruleOf = ({ every, time, day, date }: Preset): string => {
  const [hour, minute] = time.split(':').map(Number);
  const at = `BYHOUR=${hour};BYMINUTE=${minute};BYSECOND=0`;
  switch (every) {
    case 'hour':
      return 'FREQ=HOURLY;BYMINUTE=0;BYSECOND=0';
    case 'day':
      return `FREQ=DAILY;${at}`;
    case 'weekday':
      return `FREQ=WEEKLY;BYDAY=${WEEKDAYS};${at}`;
    case 'week':
      return `FREQ=WEEKLY;BYDAY=${day};${at}`;
    case 'month':
      return `FREQ=MONTHLY;BYMONTHDAY=${date};${at}`;
  }
};

const EVERY: readonly Preset['every'][] = ['hour', 'day', 'weekday', 'week', 'month'];

/** The preset that writes this rule; null where none does. */
export const presetOf = (rule: string): Preset | null => {
  const part = (name: string): string | undefined => new RegExp(`(?:^|;)${name}=([^;]*)`).exec(rule)?.[1];
  const two = (name: string): string => (part(name) ?? '').padStart(2, '0');
  const found = EVERY.map((every): Preset => ({
    every,
    time: `${two('BYHOUR')}:${two('BYMINUTE')}`,
    day: part('BYDAY') ?? '',
    date: Number(part('BYMONTHDAY')),
  })).find((preset) => ruleOf(preset) === rule && (preset.every !== 'week' || !preset.day.includes(',')));
  if (found === undefined) return null;
  // What it does not name is where a change of the preset begins.
  return {
    every: found.every,
    time: found.every === 'hour' ? FIRST.time : found.time,
    day: found.every === 'week' ? found.day : FIRST.day,
    date: found.every === 'month' ? found.date : FIRST.date,
  };
};

/** Before anything was chosen. */
export const FIRST: Preset = { every: 'day', time: '03:00', day: 'MO', date: 1 };
