interface Filter {
  readonly from?: number;
  readonly to?: number;
  /** JSON: values by their pointers. */
  readonly where?: string;
  readonly [named: string]: unknown;
}

const stamp = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replaceAll(':', '');

/** Names a file by what its events were filtered by, and by when it was made: `events-tag-2026-05-31T093000Z.csv`. */
export const fileName = (
  { from, to, where, ...named }: Filter,
  format: string,
  now: number = Date.now(),
): string => {
  const parts = [
    'events',
    ...Object.values(named).flat(),
    ...Object.values(JSON.parse(where ?? '{}') as object).map(String),
    ...(from === undefined ? [] : [`from ${stamp(from * 1_000)}Z`]),
    ...(to === undefined ? [] : [`to ${stamp(to * 1_000)}Z`]),
  ];
  const told = parts.join('-').replaceAll(/[^\p{L}\p{N}_.]+/gu, '-');
  return `${told.slice(0, MOST).replace(/[-.]+$/, '')}-${stamp(now)}Z.${format}`;
};

/** Before the time; file systems take names of 255 bytes. */
const MOST = 120;
