import type { Parameters } from '../../../../domain/ingestion-setting/index.ts';
import type { JobErrorTitle } from '../../../../domain/data-source/index.ts';
import type { ConnectorOutcome, Ingestion } from '../connector.ts';
import { titleOfReadFailure } from '../read-documents.ts';
import type { ListedDeps, ListedRun } from './listed-run.ts';
import { type ListedSource, type ListedItem, SourceUnavailable } from './listed-source.ts';
import { sweepUnlisted } from './sweep-unlisted.ts';
import { pipelined } from './item-pipeline.ts';
import { queueVisits, visitItems } from './visit-items.ts';

const AT_ONCE = 100;

/**
 * Completes a listing of changes. Items that it did not mention and that are pending (such as failed ones) are found by
 * name; all others are recorded as unchanged. The sweep removes deleted items.
 */
const completeChangeListing = async (
  deps: ListedDeps,
  of: ListedRun,
  gone: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> => {
  const { itemStore, clock } = deps;
  const { listing, run, ingestion } = of;
  if (listing.find === undefined) throw new Error('a provider that lists only changes must implement find');
  const except = new Set(gone);
  for (;;) {
    signal.throwIfAborted();
    const due = await itemStore.pending(run, except, AT_ONCE);
    if (due.length === 0) {
      ingestion.job.assertLeaseHeld();
      const rest = { except, syncToken: listing.syncToken?.() ?? null };
      // False if a caller has removed a document meanwhile.
      if (await itemStore.markRestUnchanged(run, rest, clock.now())) return;
      continue;
    }
    const found = await listing.find(due, signal);
    for (const [i, locator] of due.entries()) if (found[i]?.locator !== locator) except.add(locator);
    const there = found.filter((item): item is ListedItem => item !== null);
    await visitItems(deps, of, there, signal);
  }
};

const FETCHES = 4;

/**
 * Runs a job from where the last attempt stopped. @throws SourceRefused, SourceUnavailable, WorkLost, what stores throw
 */
export const runListed = async <P extends Parameters>(
  deps: ListedDeps,
  source: ListedSource<P>,
  { job, parameters, rulesChangedAt, documents }: Ingestion<P>,
  signal: AbortSignal,
): Promise<ConnectorOutcome> => {
  const { generation, locators, mode } = job.state;
  const run = { dataSourceId: job.dataSourceId, generation, rulesChangedAt };
  const { cursor, complete, syncToken = null } = await deps.itemStore.listing(run);
  // While a listing is incomplete, the state before it says nothing.
  const trusts = cursor === null && !complete && mode === 'incremental';
  const opened = {
    tenant: job.tenant,
    dataSourceId: job.dataSourceId,
    syncToken: trusts ? syncToken : null,
    readAll: mode === 'full',
    known: (items: readonly string[]) => deps.itemStore.known(run, items),
  };
  const listing = await source.open(parameters, signal, opened);
  const of = { ingestion: { job, documents }, listing, run, fetches: source.fetches ?? FETCHES };
  try {
    await job.begin();
    if (locators !== undefined) await visitNamed(deps, of, locators, signal);
    else if (!(trusts && listing.unchanged === true && (await markAllUnchanged(deps, of))))
      await visitAll(deps, of, signal);
    const isWhole = locators === undefined;
    if (isWhole) await sweepUnlisted(deps, of, signal);
    const counts = await deps.itemStore.counts(run);
    if (isWhole && counts.seen > 0 && counts.failed === counts.seen) return allFailed(deps, run.dataSourceId);
    return { kind: 'completed', counts, complete: isWhole };
  } finally {
    await listing.close?.();
  }
};

/**
 * A job over all items of which every one failed has failed, for the reason of the first of them. One over named items
 * is no verdict on the data source.
 */
const allFailed = async ({ itemStore }: ListedDeps, dataSourceId: string): Promise<ConnectorOutcome> => {
  const { rows, total } = await itemStore.errors(dataSourceId, { limit: 1 });
  const { locator = '', code = 'failed', message = '' } = rows[0] ?? {};
  const error = {
    title: titleOfReadFailure(code) ?? TITLES.get(code) ?? 'Unexpected error',
    message: `${total > 1 ? `none of ${total} could be read; the first, ` : ''}${locator}: ${message}`,
  } as const;
  return { kind: 'failed', code, error };
};

const TITLES: ReadonlyMap<string, JobErrorTitle> = new Map([
  ['timed_out', 'Timed out'],
  ['too_large', 'Too large'],
  ['not_answered', 'Provider not reachable'],
  ['refused', 'Not found at the provider'],
  ['not_shared', 'Not found at the provider'],
  ['bytes_missing', 'Storage not available'],
]);

const markAllUnchanged = (
  { itemStore, clock }: ListedDeps,
  { ingestion, run }: ListedRun,
): Promise<boolean> => {
  ingestion.job.assertLeaseHeld();
  return itemStore.markAllUnchanged(run, clock.now());
};

/**
 * Lists and fetches further items while fetched ones are read. A page is complete when everything before it is in the
 * item store.
 */
const visitAll = (deps: ListedDeps, of: ListedRun, signal: AbortSignal): Promise<void> =>
  pipelined(async (pipeline) => {
    let { cursor, complete } = await deps.itemStore.listing(of.run);
    while (!complete) {
      signal.throwIfAborted();
      const { items, next, othersUnchanged } = await of.listing.list(cursor, signal);
      await queueVisits(deps, of, pipeline, items, signal);
      if (next === null && othersUnchanged !== undefined) {
        await pipeline.drain();
        return completeChangeListing(deps, of, othersUnchanged.without, signal);
      }
      if (next !== null && next === cursor)
        throw new SourceUnavailable('its listing does not advance: a page names itself as the next one');
      [cursor, complete] = [next, next === null];
      const listing = { cursor, complete, syncToken: complete ? (of.listing.syncToken?.() ?? null) : null };
      await pipeline.add({
        locators: [],
        bytes: 0,
        read: async () => {},
        commit: async () => {
          signal.throwIfAborted();
          of.ingestion.job.assertLeaseHeld();
          await deps.itemStore.commit(of.run, [], listing);
        },
      });
    }
  });

/** Visits the named items and removes those that no longer exist. All other items stay unchanged. */
const visitNamed = async (
  deps: ListedDeps,
  of: ListedRun,
  locators: readonly string[],
  signal: AbortSignal,
): Promise<void> => {
  if (of.listing.find === undefined) throw new Error('a provider of named items must implement find');
  const found = await of.listing.find(locators, signal);
  const there = found.filter((item): item is ListedItem => item !== null);
  await visitItems(deps, of, there, signal);
  const gone = locators.filter((_, i) => found[i] === null);
  const at = deps.clock.now();
  const { documents, job } = of.ingestion;
  const known = await deps.itemStore.known(of.run, gone);
  const facts = gone
    .filter((locator) => known.has(locator))
    .map((locator) => ({ kind: 'gone', locator, firstSeen: false, at }) as const);
  await documents.record(facts);
  job.assertLeaseHeld();
  await deps.itemStore.commit(
    of.run,
    facts.map(({ locator }) => ({
      locator,
      outcome: 'gone',
      sourceId: null,
      fingerprint: null,
      code: null,
      message: null,
      bytes: 0,
      at,
      attempt: job.state.attempt,
    })),
  );
};
