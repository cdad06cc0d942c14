import type { KnownItem, VisitedItem } from '../../../ports/item-store.ts';
import type { DocumentFact } from '../document-fact.ts';
import { visitAfter } from '../documents.ts';
import { lengthOf, type ReadOutcome } from '../read-documents.ts';
import type { FetchedItem, ListedItem } from './listed-source.ts';
import type { ListedDeps, ListedRun } from './listed-run.ts';
import { pipelined, type PipelinedWork, type ItemPipeline } from './item-pipeline.ts';
import { type FetchedItemOf, outcomeOf, rowsOf, type ItemVisit } from './item-visit.ts';
import type { Hash } from '../../../ports/identity.ts';

/** Longer locators do not fit into an index key. */
const LONGEST = 2_000;
const SHOWN = 200;

/** An item with an unusable locator, under a usable one. */
interface RefusedItem extends ListedItem {
  readonly fetched: Extract<FetchedItem, { kind: 'failed' }>;
}

const nameOf = ({ locator }: ListedItem): string => locator;

/**
 * Removes duplicate locators; the first wins. An empty or overlong locator is an error of its item, listed separately.
 */
export const usableItems = (
  hash: Hash,
  items: readonly ListedItem[],
): { readonly usable: readonly ListedItem[]; readonly refused: readonly RefusedItem[] } => {
  const firstOf = new Map(items.map(({ locator }, i) => [locator, i] as const).toReversed());
  const once = items.filter((item, i) => i === firstOf.get(item.locator));
  const usable = once.filter(({ locator }) => problemOf(locator) === null);
  const refused = once.flatMap((item): RefusedItem | [] => {
    const problem = problemOf(item.locator);
    if (problem === null) return [];
    const shown = item.locator.replaceAll('\0', '').slice(0, SHOWN);
    const locator = `${shown}…${hash.sha256(item.locator).slice(0, 16)}`;
    return { ...item, locator, fetched: { kind: 'failed', ...problem } };
  });
  return { usable, refused };
};

const problemOf = (locator: string): { readonly code: string; readonly message: string } | null => {
  if (locator === '') return { code: 'locator_empty', message: 'the provider returns no name for it' };
  if (locator.length > LONGEST)
    return { code: 'locator_too_long', message: `its name has more than ${LONGEST} characters` };
  // Postgres cannot store NUL in text.
  if (locator.includes('\0'))
    return { code: 'locator_invalid', message: 'its name contains a NUL character' };
  return null;
};

/** Limits of a batch that is fetched, read and committed together. */
const BATCH_UNITS = 128;
const BATCH_BYTES = 8 * 1024 ** 2;

/**
 * Fetches a batch from the start of the items: at least one, and fewer if they are large. Keeps `fetches` requests
 * running at a time. Results in the order of the items. @throws the first error, after all running fetches have ended
 */
const fetchBatch = async (
  { listing, fetches, ingestion }: Pick<ListedRun, 'listing' | 'fetches' | 'ingestion'>,
  items: readonly ListedItem[],
  signal: AbortSignal,
): Promise<readonly FetchedItemOf[]> => {
  const batch = items.slice(0, BATCH_UNITS);
  const fetched: FetchedItemOf[] = [];
  const failures: unknown[] = [];
  let [next, bytes] = [0, 0];
  const fetchOn = async (): Promise<void> => {
    for (;;) {
      await ingestion.job.yieldSlot();
      if (next >= batch.length || bytes >= BATCH_BYTES || failures.length > 0) return;
      const at = next++;
      const item = batch[at]!;
      const found = await listing.fetch(item, signal);
      fetched[at] = { item, fetched: found };
      bytes += found.kind === 'document' ? lengthOf(found.document) : 0;
    }
  };
  const failed = (error: unknown): void => void failures.push(error);
  await Promise.all(Array.from({ length: fetches }, () => fetchOn().catch(failed)));
  if (failures.length > 0) throw failures[0];
  return fetched;
};

/**
 * Visits items, each once per generation. Items with the fingerprint of their last success are not fetched; the others
 * are fetched and read. Writes the facts about documents first, then the item store: after a crash in between, the
 * items are visited again, which changes nothing.
 */
export const visitItems = (
  deps: ListedDeps,
  of: ListedRun,
  listed: readonly ListedItem[],
  signal: AbortSignal,
): Promise<void> => pipelined((pipeline) => queueVisits(deps, of, pipeline, listed, signal));

/** Like `visitItems`, but fetched items may still be in the pipeline when it resolves. */
export const queueVisits = async (
  deps: ListedDeps,
  of: ListedRun,
  pipeline: ItemPipeline,
  listed: readonly ListedItem[],
  signal: AbortSignal,
): Promise<void> => {
  const { usable, refused } = usableItems(deps.hash, listed);
  const names = [...usable, ...refused].map(nameOf);
  if (pipeline.hasPending(names)) await pipeline.drain();
  const known = await deps.itemStore.known(of.run, names);
  const isDue = (item: ListedItem): boolean => {
    const before = known.get(item.locator);
    return before?.seen !== true || (of.again === true && !isSame(of, item, before));
  };
  const due = usable.filter(isDue);
  const settled = [
    ...refused.filter(isDue).map((item): ItemVisit => ({ item, fetched: item.fetched, known: undefined })),
    ...due.flatMap((item): ItemVisit | [] =>
      isSame(of, item, known.get(item.locator))
        ? { item, fetched: null, known: known.get(item.locator) }
        : [],
    ),
  ];
  if (settled.length > 0)
    await pipeline.add(workOn(deps, of, settled.map(nameOfVisit), 0, async () => settled, signal));
  const changed = due.filter((item) => !isSame(of, item, known.get(item.locator)));
  if (changed.length > 0) await of.listing.prepare?.(changed, signal);
  for (let next = 0; next < changed.length;) {
    signal.throwIfAborted();
    const batch = await fetchBatch(of, changed.slice(next), signal);
    next += batch.length;
    await pipeline.add(
      workOn(
        deps,
        of,
        batch.map(nameOfVisit),
        bytesOf(batch),
        () => readBatch(of, batch, known, signal),
        signal,
      ),
    );
  }
};

const bytesOf = (batch: readonly FetchedItemOf[]): number =>
  batch.reduce((sum, { fetched }) => sum + (fetched.kind === 'document' ? lengthOf(fetched.document) : 0), 0);

const nameOfVisit = ({ item }: { readonly item: ListedItem }): string => item.locator;

const workOn = (
  deps: ListedDeps,
  of: ListedRun,
  locators: readonly string[],
  bytes: number,
  read: () => Promise<readonly ItemVisit[]>,
  signal: AbortSignal,
): PipelinedWork<readonly ItemVisit[]> => ({
  locators,
  bytes,
  read,
  commit: async (visits) => {
    signal.throwIfAborted();
    await commit(deps, of, visits);
  },
});

const isSame = ({ ingestion }: ListedRun, item: ListedItem, known: KnownItem | undefined): boolean =>
  ingestion.job.state.mode === 'incremental' &&
  known !== undefined &&
  !known.failed &&
  known.fingerprint === item.fingerprint;

const readBatch = async (
  of: ListedRun,
  batch: readonly FetchedItemOf[],
  known: ReadonlyMap<string, KnownItem>,
  signal: AbortSignal,
): Promise<readonly ItemVisit[]> => {
  const documents = batch.flatMap(({ fetched }) => (fetched.kind === 'document' ? [fetched] : []));
  const read = await of.ingestion.documents.read(
    documents.map(({ document }) => document),
    signal,
  );
  const called = batch.flatMap(({ fetched }) => {
    const words = providerWords(fetched);
    return words === undefined ? [] : [{ fetched, words }];
  });
  const hidden = await of.ingestion.documents.hidden(called.map(({ words }) => words));
  const byItem = new Map<FetchedItem, string>(called.map(({ fetched }, i) => [fetched, hidden[i]!]));
  const byDocument = new Map<FetchedItem, ReadOutcome>(documents.map((one, i) => [one, read[i]!]));
  return batch.map(({ item, fetched }): ItemVisit => {
    const [was, words] = [byDocument.get(fetched), byItem.get(fetched)];
    return {
      item,
      fetched,
      known: known.get(item.locator),
      ...(was !== undefined && { read: was }),
      ...(words !== undefined && { [fetched.kind === 'document' ? 'author' : 'title']: words }),
    };
  });
};

/** Words of the provider that are stored after redaction. */
const providerWords = (fetched: FetchedItem): string | undefined => {
  if (fetched.kind === 'document') return fetched.metadata?.author ?? undefined;
  return fetched.kind === 'gone' ? undefined : fetched.title;
};

const commit = async (deps: ListedDeps, of: ListedRun, visits: readonly ItemVisit[]): Promise<void> => {
  const { job, documents } = of.ingestion;
  const at = deps.clock.now();
  const outcomes = visits.map((visit) => outcomeOf(visit, documents.idOf, at, job.state.attempt));
  const facts = outcomes.flatMap(({ fact }): readonly DocumentFact[] => (fact === null ? [] : [fact]));
  const recorded = await documents.record(facts);
  const results = new Map(facts.map(({ locator }, i) => [locator, recorded[i]]));
  job.assertLeaseHeld();
  const items = outcomes.map(({ visited }): VisitedItem => visitAfter(visited, results.get(visited.locator)));
  const names = new Set(items.map(({ locator }) => locator));
  const rows = visits.flatMap((visit) => rowsOf(visit, at, job.state.attempt));
  await deps.itemStore.commit(of.run, [...items, ...rows.filter(({ locator }) => !names.has(locator))]);
  await job.progress(await deps.itemStore.counts(of.run));
};
