import { lengthOf } from '../read-documents.ts';
import type { ListedRun } from './listed-run.ts';
import type { ListedUnit } from './listed-source.ts';
import type { FetchedUnitOf } from './unit-visit.ts';

/** What is fetched, read and committed together at most. */
const BATCH_UNITS = 128;
const BATCH_BYTES = 8 * 1024 ** 2;

/**
 * Fetches some of the first of the units, at least one: fewer where they are large. As soon as one has come the next one is
 * asked for, `fetches` at a time. Answers in their order. @throws what the first that failed throws, when none is under way
 */
export const fetchBatch = async (
  { listing, fetches }: Pick<ListedRun, 'listing' | 'fetches'>,
  units: readonly ListedUnit[],
  signal: AbortSignal,
): Promise<readonly FetchedUnitOf[]> => {
  const batch = units.slice(0, BATCH_UNITS);
  const fetched: FetchedUnitOf[] = [];
  const failures: unknown[] = [];
  let [next, bytes] = [0, 0];
  const fetchOn = async (): Promise<void> => {
    while (next < batch.length && bytes < BATCH_BYTES && failures.length === 0) {
      const at = next++;
      const unit = batch[at]!;
      const found = await listing.fetch(unit, signal);
      fetched[at] = { unit, fetched: found };
      bytes += found.kind === 'document' ? lengthOf(found.document) : 0;
    }
  };
  const failed = (error: unknown): void => void failures.push(error);
  await Promise.all(Array.from({ length: fetches }, () => fetchOn().catch(failed)));
  if (failures.length > 0) throw failures[0];
  return fetched;
};
