import type { KnownUnit, VisitedUnit } from '../../ports/unit-ledger.ts';
import type { DocumentFact } from '../document-fact.ts';
import { lengthOf, type ReadDocument } from '../read-documents.ts';
import type { FetchedUnit, ListedUnit } from './listed-source.ts';
import { nameOf, usableUnits } from './locators.ts';
import type { ListedDeps, ListedRun } from './listed-run.ts';
import { type FetchedUnitOf, outcomeOf, rowsOf, type UnitVisit } from './unit-visit.ts';

/** What is fetched, read and committed together at most. */
const BATCH_UNITS = 64;
const BATCH_BYTES = 8 * 1024 ** 2;

/**
 * Looks at units, each once in a generation: those whose fingerprint is that of their last success are left as they are,
 * the others are fetched and read. First the facts about documents, then the ledger: a crash in between leaves units to
 * be looked at once more, which changes nothing.
 */
export const visitUnits = async (
  deps: ListedDeps,
  of: ListedRun,
  listed: readonly ListedUnit[],
  signal: AbortSignal,
): Promise<void> => {
  const { usable, refused } = usableUnits(deps.hash, listed);
  const known = await deps.ledger.known(of.run, [...usable, ...refused].map(nameOf));
  const isOwed = (unit: ListedUnit): boolean => {
    const before = known.get(unit.locator);
    return before?.seen !== true || (of.again === true && !isSame(of, unit, before));
  };
  const owed = usable.filter(isOwed);
  await commit(deps, of, [
    ...refused.filter(isOwed).map((unit): UnitVisit => ({ unit, fetched: unit.fetched, known: undefined })),
    ...owed.flatMap((unit): UnitVisit | [] =>
      isSame(of, unit, known.get(unit.locator))
        ? { unit, fetched: null, known: known.get(unit.locator) }
        : [],
    ),
  ]);
  const changed = owed.filter((unit) => !isSame(of, unit, known.get(unit.locator)));
  if (changed.length > 0) await of.listing.prepare?.(changed, signal);
  for (let next = 0; next < changed.length;) {
    signal.throwIfAborted();
    const batch = await fetchBatch(of, changed.slice(next, next + BATCH_UNITS), signal);
    next += batch.length;
    await commitRead(deps, of, batch, known, signal);
  }
};

const isSame = ({ ingestion }: ListedRun, unit: ListedUnit, known: KnownUnit | undefined): boolean =>
  ingestion.job.job.mode === 'incremental' &&
  known !== undefined &&
  !known.failed &&
  known.fingerprint === unit.fingerprint;

/** Some of the first of them, at least one: fewer where they are large. Answers in their order. */
const fetchBatch = async (
  { listing, fetches }: ListedRun,
  units: readonly ListedUnit[],
  signal: AbortSignal,
): Promise<readonly FetchedUnitOf[]> => {
  const done: FetchedUnitOf[] = [];
  let bytes = 0;
  while (done.length < units.length && bytes < BATCH_BYTES) {
    const some = units.slice(done.length, done.length + fetches);
    const fetched = await Promise.all(some.map((unit) => listing.fetch(unit, signal)));
    for (const [i, one] of fetched.entries()) {
      done.push({ unit: some[i] as ListedUnit, fetched: one });
      bytes += one.kind === 'document' ? lengthOf(one.document) : 0;
    }
  }
  return done;
};

const commitRead = async (
  deps: ListedDeps,
  of: ListedRun,
  batch: readonly FetchedUnitOf[],
  known: ReadonlyMap<string, KnownUnit>,
  signal: AbortSignal,
): Promise<void> => {
  const documents = batch.flatMap(({ fetched }) => (fetched.kind === 'document' ? [fetched] : []));
  const read = await of.ingestion.documents.read(
    documents.map(({ document }) => document),
    signal,
  );
  const byDocument = new Map<FetchedUnit, ReadDocument>(documents.map((one, i) => [one, read[i]!]));
  signal.throwIfAborted();
  const visits = batch.map(({ unit, fetched }): UnitVisit => {
    const was = byDocument.get(fetched);
    return { unit, fetched, known: known.get(unit.locator), ...(was !== undefined && { read: was }) };
  });
  await commit(deps, of, visits);
};

const commit = async (deps: ListedDeps, of: ListedRun, visits: readonly UnitVisit[]): Promise<void> => {
  if (visits.length === 0) return;
  const { job, documents } = of.ingestion;
  const at = deps.clock.now();
  const outcomes = visits.map((visit) => outcomeOf(visit, documents.idOf, at, job.job.attempt));
  const facts = outcomes.flatMap(({ fact }): readonly DocumentFact[] => (fact === null ? [] : [fact]));
  const recorded = await documents.record(facts);
  const same = new Set(facts.filter((_, i) => recorded[i]!.same).map(({ locator }) => locator));
  job.stillOurs();
  const units = outcomes.map(({ visited }): VisitedUnit =>
    same.has(visited.locator) && visited.outcome === 'indexed'
      ? { ...visited, outcome: 'unchanged' }
      : visited,
  );
  const names = new Set(units.map(({ locator }) => locator));
  const rows = visits.flatMap((visit) => rowsOf(visit, at, job.job.attempt));
  await deps.ledger.commit(of.run, [...units, ...rows.filter(({ locator }) => !names.has(locator))]);
  await job.progress(await deps.ledger.counts(of.run));
};
