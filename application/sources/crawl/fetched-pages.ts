import type { Fetched } from './fetch-stage.ts';

/**
 * What is extracted and committed together: each batch costs a transaction and a segment of the index, so pages go by
 * the hundred, and large documents, which take long to read, by the few.
 */
export const BATCH_PAGES = 128;
export const BATCH_BYTES = 8 * 1024 ** 2;

/** Fetched pages in memory that wait to be digested, the longest-waiting first. */
export interface FetchedPages {
  readonly add: (page: Fetched) => void;
  readonly count: () => number;
  /** Whether there is a whole batch. */
  readonly isBatch: () => boolean;
  /** False: there is as much as memory should hold. */
  readonly hasRoom: () => boolean;
  /** At most a batch, and at least one page where there is one. */
  readonly take: () => readonly Fetched[];
}

export const createFetchedPages = (): FetchedPages => {
  const waiting: Fetched[] = [];
  let bytes = 0;
  return {
    add: (page) => {
      waiting.push(page);
      bytes += bytesOf(page);
    },
    count: () => waiting.length,
    isBatch: () => waiting.length >= BATCH_PAGES || bytes >= BATCH_BYTES,
    hasRoom: () => waiting.length < 2 * BATCH_PAGES && bytes < 2 * BATCH_BYTES,
    take: () => {
      let [count, taken] = [0, 0];
      while (count < Math.min(waiting.length, BATCH_PAGES) && taken < BATCH_BYTES) {
        taken += bytesOf(waiting[count] as Fetched);
        count += 1;
      }
      bytes -= taken;
      return waiting.splice(0, count);
    },
  };
};

const bytesOf = ({ outcome }: Fetched): number => (outcome.kind === 'page' ? outcome.body.byteLength : 0);
