import type { ListingState, UnitLedger, UnitRun } from '../../application/ports/item-store.ts';
import { type AllUnitRows, inOrder, isIncomplete, type UnitRow, type UnitRows } from './unit-rows.ts';

/** What providers that list their units ask of a ledger. */
export type UnitListings = Pick<
  UnitLedger,
  'listing' | 'carryOver' | 'owed' | 'carryRest' | 'unseen' | 'strays'
>;

/** @param catalog ids of sources that the catalog has of a data source */
export const listingsIn = (
  all: AllUnitRows,
  catalog: (dataSourceId: string) => readonly string[],
): UnitListings => ({
  listing: async ({ dataSourceId, generation }) => {
    const { listing } = all.of(dataSourceId);
    const mark = listing?.mark ?? null;
    if (listing?.generation !== generation) return { cursor: null, complete: false, mark };
    return { cursor: listing.cursor, complete: listing.complete, mark };
  },
  carryOver: async (run, at) => {
    const rows = all.of(run.dataSourceId);
    const { listing } = rows;
    if (listing === null || listing.mark === null) return false;
    const { markGeneration } = listing;
    if (markGeneration === null || markGeneration >= run.generation) return false;
    const units = inOrder(rows);
    if (units.some((unit) => unit.generation !== markGeneration || mustBeSeen(unit, run))) return false;
    carry(rows, units, run, at);
    rows.listing = {
      ...DONE,
      generation: run.generation,
      mark: listing.mark,
      markGeneration: run.generation,
    };
    return true;
  },
  owed: async (run, except, limit) => owed(all.of(run.dataSourceId), run, except).slice(0, limit),
  carryRest: async (run, { except, mark }, at) => {
    const rows = all.of(run.dataSourceId);
    if (owed(rows, run, except).length > 0) return false;
    carry(rows, restOf(rows, run, except), run, at);
    const { generation } = run;
    if (rows.listing !== null && rows.listing.generation <= generation)
      rows.listing = { ...DONE, generation, mark, markGeneration: generation };
    return true;
  },
  unseen: async ({ dataSourceId, generation }, limit) =>
    inOrder(all.of(dataSourceId))
      .flatMap(({ locator, sourceId, generation: last }) =>
        sourceId !== null && last < generation ? [{ locator, sourceId }] : [],
      )
      .slice(0, limit),
  strays: async ({ dataSourceId }, after, limit) => {
    const known = new Set(inOrder(all.of(dataSourceId)).map(({ sourceId }) => sourceId));
    return catalog(dataSourceId)
      .filter((id) => !known.has(id) && id > (after ?? ''))
      .toSorted()
      .slice(0, limit);
  },
});

const DONE = { cursor: null, complete: true } as const;

/** How far a listing has come; its mark counts from one complete listing to the next. */
export const moveListing = (
  rows: UnitRows,
  { generation }: UnitRun,
  { cursor, complete, mark = null }: ListingState,
): void => {
  const before = rows.listing;
  if (before !== null && before.generation > generation) return;
  const marked = complete
    ? { mark, markGeneration: generation }
    : { mark: before?.mark ?? null, markGeneration: before?.markGeneration ?? null };
  rows.listing = { generation, cursor, complete, ...marked };
};

/** What an earlier job knows of the unit does not do: it failed, something of it is missing, or it is not trusted. */
const mustBeSeen = (unit: UnitRow, { judgedSince }: UnitRun): boolean =>
  unit.outcome === 'failed' || unit.fingerprint === null || isIncomplete(unit) || unit.at < judgedSince;

/** What the listing that left the mark did not come by is no rest: it is gone, and its sweep was broken off. */
const restOf = (rows: UnitRows, { generation }: UnitRun, except: ReadonlySet<string>): readonly UnitRow[] =>
  inOrder(rows).filter(
    (unit) =>
      unit.generation < generation &&
      unit.outcome !== 'row_failed' &&
      rows.listing !== null &&
      unit.generation >= (rows.listing.markGeneration ?? 0) &&
      !except.has(unit.locator),
  );

/** Where rows of a unit failed, the unit is owed: they are no units themselves. */
const owed = (rows: UnitRows, run: UnitRun, except: ReadonlySet<string>): readonly string[] => {
  const ofRows = inOrder(rows)
    .filter(({ outcome }) => outcome === 'row_failed')
    .map(({ locator, generation }) => `${generation} ${locator.replace(/#row=\d+$/, '')}`);
  const broken = new Set(ofRows);
  return restOf(rows, run, except)
    .filter((unit) => mustBeSeen(unit, run) || broken.has(`${unit.generation} ${unit.locator}`))
    .map(({ locator }) => locator);
};

/** Takes these for seen by this generation, and as they were. */
const carry = (rows: UnitRows, units: readonly UnitRow[], { generation }: UnitRun, at: number): void => {
  for (const unit of units) {
    const outcome = unit.outcome === 'skipped' ? 'skipped' : 'unchanged';
    rows.units.set(unit.locator, { ...unit, generation, outcome, bytes: 0, at, attempt: 1 });
  }
};
