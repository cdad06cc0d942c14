import type { Result } from '../bench.ts';
import { percentile } from '../measuring/side-by-side.ts';
import type { sizesOf } from './engine.ts';
import type { Built } from './rivals.ts';

/** Against the first of the rivals, where it takes 2.6 ms: at most 10 ms. */
const TIME = 3.85;
const SEARCHES = 250;
const BYTES_PER_TEXT = 1.2;
const CONTENTS_PER_SECOND = 8_000;
const GROWTH = 4;

const LANCEDB = 'LanceDB: one pass of BM25 over stemmed words, in a process of its own, without HTTP';

export interface Times {
  readonly ours: readonly number[];
  readonly lancedb: readonly number[];
  readonly fts5: readonly number[];
}

export const timeLine = (
  measured: Result['measured'],
  { ours, lancedb, fts5 }: Times,
  contents: number,
): Result => {
  const ratio = median(ours) / median(lancedb);
  return {
    bench: 'search',
    ratio,
    ours: median(ours),
    rival: median(lancedb),
    unit: 'ms, p50',
    measured,
    target: measured === 'over HTTP' ? `<= ${TIME}` : 'none',
    met: measured === 'in process' || ratio <= TIME,
    p95: { ours: p95(ours), lancedb: p95(lancedb), fts5: p95(fts5) },
    fts5: hundredths(median(fts5)),
    contents,
    searches: ours.length,
    rival_is: LANCEDB,
    fts5_is: 'FTS5 of SQLite, in a process of its own: BM25 over stemmed words, any of which may occur',
  };
};

/** @param of `health`: milliseconds of `/healthz` meanwhile */
export const rateLine = (
  clients: number,
  { ours, health }: { readonly ours: readonly number[]; readonly health: readonly number[] },
  lancedb: readonly number[],
): Result => ({
  bench: `searches of ${clients} clients`,
  ratio: median(ours) / median(lancedb),
  ours: median(ours),
  rival: median(lancedb),
  unit: 'searches/s',
  measured: 'over HTTP',
  target: `>= ${SEARCHES}/s`,
  met: median(ours) >= SEARCHES,
  health_ms: { p50: hundredths(median(health)), p95: p95(health) },
  rival_is: LANCEDB,
});

export const sizeLine = (sizes: Awaited<ReturnType<typeof sizesOf>>, lancedb: Built, fts5: Built): Result => {
  const { bytes, textBytes, contents, tables } = sizes;
  return {
    bench: 'size of the search index',
    ratio: bytes / lancedb.bytes,
    ours: bytes / textBytes,
    rival: lancedb.bytes / textBytes,
    unit: 'bytes per byte of text',
    measured: 'in process',
    target: `<= ${BYTES_PER_TEXT} bytes`,
    met: bytes / textBytes <= BYTES_PER_TEXT,
    fts5: hundredths(fts5.bytes / textBytes),
    text_bytes: textBytes,
    contents,
    tables,
    rival_is: `${LANCEDB}, without positions`,
  };
};

export const buildLine = (ours: Omit<Built, 'bytes'>, lancedb: Built, fts5: Built): Result => ({
  bench: 'building the search index',
  ratio: rate(ours) / rate(lancedb),
  ours: rate(ours),
  rival: rate(lancedb),
  unit: 'contents/s',
  measured: 'in process',
  target: `>= ${CONTENTS_PER_SECOND}/s`,
  met: rate(ours) >= CONTENTS_PER_SECOND,
  fts5: Math.round(rate(fts5)),
  rival_is: `${LANCEDB}; both rivals index texts that they hold, ours writes these and all that lists and filters read too`,
});

export const growthLine = (
  measured: Result['measured'],
  small: { readonly contents: number; readonly times: readonly number[] },
  large: { readonly contents: number; readonly times: readonly number[] },
  texts: string,
): Result => {
  const ratio = median(large.times) / median(small.times);
  return {
    bench: 'growth of a search',
    ratio,
    ours: median(large.times),
    rival: median(small.times),
    unit: 'ms, p50',
    measured,
    target: `<= ${GROWTH}`,
    met: ratio <= GROWTH,
    p95: { ours: p95(large.times), rival: p95(small.times) },
    contents: large.contents,
    rival_is: `the same searches in ${small.contents} contents`,
    texts,
  };
};

const rate = ({ contents, ms }: Omit<Built, 'bytes'>): number => (1_000 * contents) / ms;
const median = (times: readonly number[]): number => percentile(times, 0.5);
const p95 = (times: readonly number[]): number => hundredths(percentile(times, 0.95));
const hundredths = (value: number): number => Math.round(value * 100) / 100;
