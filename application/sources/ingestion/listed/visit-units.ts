import type { KnownUnit, VisitedUnit } from '../../../ports/item-store.ts';
import type { DocumentFact } from '../document-fact.ts';
import { lengthOf, type ReadDocument } from '../read-documents.ts';
import type { FetchedUnit, ListedUnit } from './listed-source.ts';
import type { ListedDeps, ListedRun } from './listed-run.ts';
import { pipelined, type PipelinedWork, type UnitPipeline } from './unit-pipeline.ts';
import { type FetchedUnitOf, outcomeOf, rowsOf, type UnitVisit } from './unit-visit.ts';
import type { Hash } from '../../../ports/identity.ts';

/** Above, a locator is no key of an index any more. */
const LONGEST = 2_000;
const SHOWN = 200;

/** A unit whose name cannot be used, under one that can. */
interface RefusedUnit extends ListedUnit {
  readonly fetched: Extract<FetchedUnit, { kind: 'failed' }>;
}

const nameOf = ({ locator }: ListedUnit): string => locator;

/** Each locator once: the first wins. Empty and over-long ones are errors of their unit, each listed on its own. */
export const usableUnits = (
  hash: Hash,
  units: readonly ListedUnit[],
): { readonly usable: readonly ListedUnit[]; readonly refused: readonly RefusedUnit[] } => {
  const firstOf = new Map(units.map(({ locator }, i) => [locator, i] as const).toReversed());
  const once = units.filter((unit, i) => i === firstOf.get(unit.locator));
  const usable = once.filter(({ locator }) => problemOf(locator) === null);
  const refused = once.flatMap((unit): RefusedUnit | [] => {
    const problem = problemOf(unit.locator);
    if (problem === null) return [];
    const shown = unit.locator.replaceAll('\0', '').slice(0, SHOWN);
    const locator = `${shown}…${hash.sha256(unit.locator).slice(0, 16)}`;
    return { ...unit, locator, fetched: { kind: 'failed', ...problem } };
  });
  return { usable, refused };
};

const problemOf = (locator: string): { readonly code: string; readonly message: string } | null => {
  if (locator === '') return { code: 'locator_empty', message: 'the provider gives it no name' };
  if (locator.length > LONGEST)
    return { code: 'locator_too_long', message: `its name has more than ${LONGEST} characters` };
  // Postgres keeps no text with it.
  if (locator.includes('\0')) return { code: 'locator_invalid', message: 'its name holds a NUL character' };
  return null;
};

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

/**
 * Looks at units, each once in a generation: those whose fingerprint is that of their last success are left as they are,
 * the others are fetched and read. First the facts about documents, then the ledger: a crash in between leaves units to
 * be looked at once more, which changes nothing.
 */
export const visitUnits = (
  deps: ListedDeps,
  of: ListedRun,
  listed: readonly ListedUnit[],
  signal: AbortSignal,
): Promise<void> => pipelined((pipeline) => takeUp(deps, of, pipeline, listed, signal));

/** The same, but that units which it has fetched may still be on their way to the ledger when it resolves. */
export const takeUp = async (
  deps: ListedDeps,
  of: ListedRun,
  pipeline: UnitPipeline,
  listed: readonly ListedUnit[],
  signal: AbortSignal,
): Promise<void> => {
  const { usable, refused } = usableUnits(deps.hash, listed);
  const names = [...usable, ...refused].map(nameOf);
  if (pipeline.holds(names)) await pipeline.drained();
  const known = await deps.ledger.known(of.run, names);
  const isOwed = (unit: ListedUnit): boolean => {
    const before = known.get(unit.locator);
    return before?.seen !== true || (of.again === true && !isSame(of, unit, before));
  };
  const owed = usable.filter(isOwed);
  const settled = [
    ...refused.filter(isOwed).map((unit): UnitVisit => ({ unit, fetched: unit.fetched, known: undefined })),
    ...owed.flatMap((unit): UnitVisit | [] =>
      isSame(of, unit, known.get(unit.locator))
        ? { unit, fetched: null, known: known.get(unit.locator) }
        : [],
    ),
  ];
  if (settled.length > 0)
    await pipeline.add(workOn(deps, of, settled.map(nameOfVisit), 0, async () => settled, signal));
  const changed = owed.filter((unit) => !isSame(of, unit, known.get(unit.locator)));
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

const bytesOf = (batch: readonly FetchedUnitOf[]): number =>
  batch.reduce((sum, { fetched }) => sum + (fetched.kind === 'document' ? lengthOf(fetched.document) : 0), 0);

const nameOfVisit = ({ unit }: { readonly unit: ListedUnit }): string => unit.locator;

const workOn = (
  deps: ListedDeps,
  of: ListedRun,
  locators: readonly string[],
  bytes: number,
  read: () => Promise<readonly UnitVisit[]>,
  signal: AbortSignal,
): PipelinedWork<readonly UnitVisit[]> => ({
  locators,
  bytes,
  read,
  commit: async (visits) => {
    signal.throwIfAborted();
    await commit(deps, of, visits);
  },
});

const isSame = ({ ingestion }: ListedRun, unit: ListedUnit, known: KnownUnit | undefined): boolean =>
  ingestion.job.job.mode === 'incremental' &&
  known !== undefined &&
  !known.failed &&
  known.fingerprint === unit.fingerprint;

const readBatch = async (
  of: ListedRun,
  batch: readonly FetchedUnitOf[],
  known: ReadonlyMap<string, KnownUnit>,
  signal: AbortSignal,
): Promise<readonly UnitVisit[]> => {
  const documents = batch.flatMap(({ fetched }) => (fetched.kind === 'document' ? [fetched] : []));
  const read = await of.ingestion.documents.read(
    documents.map(({ document }) => document),
    signal,
  );
  const called = batch.flatMap(({ fetched }) =>
    fetched.kind === 'skipped' && fetched.title !== undefined ? [{ fetched, title: fetched.title }] : [],
  );
  const titles = await of.ingestion.documents.hidden(called.map(({ title }) => title));
  const byOmission = new Map<FetchedUnit, string>(called.map(({ fetched }, i) => [fetched, titles[i]!]));
  const byDocument = new Map<FetchedUnit, ReadDocument>(documents.map((one, i) => [one, read[i]!]));
  return batch.map(({ unit, fetched }): UnitVisit => {
    const [was, title] = [byDocument.get(fetched), byOmission.get(fetched)];
    return {
      unit,
      fetched,
      known: known.get(unit.locator),
      ...(was !== undefined && { read: was }),
      ...(title !== undefined && { title }),
    };
  });
};

const commit = async (deps: ListedDeps, of: ListedRun, visits: readonly UnitVisit[]): Promise<void> => {
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
