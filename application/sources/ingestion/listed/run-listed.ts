import type { Parameters } from '../../../../domain/ingestion-setting/index.ts';
import type { ConnectorOutcome, Ingestion } from '../connector.ts';
import type { ListedDeps, ListedRun } from './listed-run.ts';
import { type ListedSource, type ListedItem, SourceUnavailable } from './listed-source.ts';
import { sweepUnlisted } from './sweep-unlisted.ts';
import { pipelined } from './item-pipeline.ts';
import { takeUp, visitItems } from './visit-items.ts';

const AT_ONCE = 100;

/**
 * Ends a listing of changes alone. Items that it did not name and that are pending (those that failed, say) are asked for
 * by their names; all others are taken for unchanged. What is there no more is left for the sweep.
 */
const carryOthers = async (
  deps: ListedDeps,
  of: ListedRun,
  gone: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> => {
  const { itemStore, clock } = deps;
  const { listing, run, ingestion } = of;
  if (listing.find === undefined)
    throw new Error('this provider lists changes, and cannot find items by their names');
  const except = new Set(gone);
  for (;;) {
    signal.throwIfAborted();
    const due = await itemStore.pending(run, except, AT_ONCE);
    if (due.length === 0) {
      ingestion.job.assertLeaseHeld();
      const rest = { except, mark: listing.mark?.() ?? null };
      // A caller may have taken a document out meanwhile.
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

/** Goes on where an attempt before it has stopped. @throws SourceRefused, SourceUnavailable, WorkLost, what stores throw */
export const runListed = async <P extends Parameters>(
  deps: ListedDeps,
  source: ListedSource<P>,
  { job, parameters, rulesChangedAt, documents }: Ingestion<P>,
  signal: AbortSignal,
): Promise<ConnectorOutcome> => {
  const { generation, locators, mode } = job.state;
  const run = { dataSourceId: job.dataSourceId, generation, rulesChangedAt };
  const { cursor, complete, mark = null } = await deps.itemStore.listing(run);
  // In the midst of a listing, what was so before it began says nothing.
  const trusts = cursor === null && !complete && mode === 'incremental';
  const opened = {
    tenant: job.tenant,
    dataSourceId: job.dataSourceId,
    mark: trusts ? mark : null,
    afresh: mode === 'full',
    known: (items: readonly string[]) => deps.itemStore.known(run, items),
  };
  const listing = await source.open(parameters, signal, opened);
  const of = { ingestion: { job, documents }, listing, run, fetches: source.fetches ?? FETCHES };
  try {
    await job.begin();
    if (locators !== undefined) await visitNamed(deps, of, locators, signal);
    else if (!(trusts && listing.unchanged === true && (await carriedOver(deps, of))))
      await visitAll(deps, of, signal);
    if (locators === undefined) await sweepUnlisted(deps, of, signal);
    return { kind: 'completed', counts: await deps.itemStore.counts(run), complete: locators === undefined };
  } finally {
    await listing.close?.();
  }
};

const carriedOver = ({ itemStore, clock }: ListedDeps, { ingestion, run }: ListedRun): Promise<boolean> => {
  ingestion.job.assertLeaseHeld();
  return itemStore.markAllUnchanged(run, clock.now());
};

/** Lists and fetches on while what it has fetched is read: a page is done when all before it is in the item store. */
const visitAll = (deps: ListedDeps, of: ListedRun, signal: AbortSignal): Promise<void> =>
  pipelined(async (pipeline) => {
    let { cursor, complete } = await deps.itemStore.listing(of.run);
    while (!complete) {
      signal.throwIfAborted();
      const { items, next, othersStay } = await of.listing.list(cursor, signal);
      await takeUp(deps, of, pipeline, items, signal);
      if (next === null && othersStay !== undefined) {
        await pipeline.drained();
        return carryOthers(deps, of, othersStay.without, signal);
      }
      if (next !== null && next === cursor)
        throw new SourceUnavailable('its list does not go on: it leads to itself');
      [cursor, complete] = [next, next === null];
      const listing = { cursor, complete, mark: complete ? (of.listing.mark?.() ?? null) : null };
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

/** Those that are not there any more are removed; all others stay as they are. */
const visitNamed = async (
  deps: ListedDeps,
  of: ListedRun,
  locators: readonly string[],
  signal: AbortSignal,
): Promise<void> => {
  if (of.listing.find === undefined) throw new Error('this provider cannot find items by their names');
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
