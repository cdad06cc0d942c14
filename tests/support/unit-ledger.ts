import type {
  KnownUnit,
  ListingState,
  UnitLedger,
  VisitedUnit,
} from '../../application/ports/unit-ledger.ts';
import { NO_COUNTS } from '../../domain/data-source/index.ts';

type Row = Omit<VisitedUnit, 'outcome'> & {
  readonly outcome: Exclude<VisitedUnit['outcome'], 'gone'>;
  readonly generation: number;
};

/**
 * What is known of the units of one data source, in memory, as the port says it. `catalog`: ids of the sources that the
 * catalog has.
 */
export const createMemoryUnitLedger = (catalog: () => readonly string[] = () => []) => {
  const rows = new Map<string, Row>();
  let listed: ListingState & { readonly generation: number } = {
    generation: 0,
    cursor: null,
    complete: false,
    mark: null,
  };
  const inOrder = () => [...rows.values()].toSorted((a, b) => (a.locator < b.locator ? -1 : 1));
  const fingerprintOf = ({ fingerprint, at }: Row, judgedSince: number) =>
    at < judgedSince ? null : fingerprint;
  const isOwed = (row: Row, judgedSince: number): boolean =>
    row.outcome === 'failed' || fingerprintOf(row, judgedSince) === null;
  const carry = (generation: number, except: ReadonlySet<string>, at: number): void => {
    for (const row of rows.values()) {
      if (row.generation === generation || except.has(row.locator)) continue;
      const outcome = row.outcome === 'skipped' ? 'skipped' : 'unchanged';
      rows.set(row.locator, { ...row, generation, outcome, at });
    }
  };
  const ledger: UnitLedger = {
    listing: async ({ generation }) => {
      const { mark = null } = listed;
      return generation === listed.generation ? listed : { cursor: null, complete: false, mark };
    },
    known: async ({ generation, judgedSince }, locators) =>
      new Map(
        locators.flatMap((locator): [string, KnownUnit][] => {
          const row = rows.get(locator);
          if (row === undefined) return [];
          const { code, message } = row;
          const skipped = row.outcome === 'skipped' ? { code: code ?? '', message: message ?? '' } : null;
          const [seen, failed] = [row.generation === generation, row.outcome === 'failed'];
          return [[locator, { seen, failed, skipped, fingerprint: fingerprintOf(row, judgedSince) }]];
        }),
      ),
    commit: async ({ generation }, visited, listing) => {
      for (const { outcome, ...unit } of visited) {
        if (outcome === 'gone') {
          rows.delete(unit.locator);
          continue;
        }
        const before = rows.get(unit.locator)?.fingerprint ?? null;
        const fingerprint = outcome === 'failed' ? before : unit.fingerprint;
        rows.set(unit.locator, { ...unit, outcome, generation, fingerprint });
      }
      // The mark counts from one complete listing to the next.
      const { mark = null } = listing?.complete === true ? listing : listed;
      if (listing !== undefined) listed = { ...listing, mark, generation };
    },
    carryOver: async ({ generation, judgedSince }, at) => {
      if ([...rows.values()].some((row) => isOwed(row, judgedSince))) return false;
      carry(generation, new Set(), at);
      listed = { ...listed, generation, cursor: null, complete: true };
      return true;
    },
    owed: async ({ generation, judgedSince }, except, limit) =>
      inOrder()
        .filter((row) => row.generation < generation && !except.has(row.locator) && isOwed(row, judgedSince))
        .map(({ locator }) => locator)
        .slice(0, limit),
    carryRest: async (run, { except, mark }, at) => {
      if ((await ledger.owed(run, except, 1)).length > 0) return false;
      carry(run.generation, except, at);
      listed = { generation: run.generation, cursor: null, complete: true, mark };
      return true;
    },
    heard: async () => {},
    heardAt: async () => 0,
    counts: async ({ generation }) => {
      const seen = [...rows.values()].filter(
        (row) => row.generation === generation && row.outcome !== 'row_failed',
      );
      const of = (outcome: Row['outcome']) => seen.filter((row) => row.outcome === outcome).length;
      const bytes = seen.reduce((sum, row) => sum + row.bytes, 0);
      const [indexed, unchanged] = [of('indexed'), of('unchanged')];
      const [skipped, failed] = [of('skipped'), of('failed')];
      return { ...NO_COUNTS, seen: seen.length, indexed, unchanged, skipped, failed, bytes };
    },
    unseen: async ({ generation }, limit) =>
      inOrder()
        .filter((row) => row.generation < generation && row.sourceId !== null)
        .map(({ locator, sourceId }) => ({ locator, sourceId: sourceId! }))
        .slice(0, limit),
    strays: async (_, after, limit) => {
      const known = new Set([...rows.values()].map(({ sourceId }) => sourceId));
      return catalog()
        .filter((id) => !known.has(id) && id > (after ?? ''))
        .toSorted()
        .slice(0, limit);
    },
    forget: async (_, locators) => {
      for (const locator of locators) rows.delete(locator);
    },
    forgetDocument: async ({ generation }, sourceId) => {
      for (const [locator, row] of rows)
        if (row.sourceId === sourceId && row.generation < generation)
          rows.set(locator, { ...row, fingerprint: null });
    },
    forgetRows: async (_, locator) => {
      for (const name of rows.keys()) if (name.startsWith(`${locator}#row=`)) rows.delete(name);
    },
    purge: async () => rows.clear(),
    errors: async (_, { limit, after = '' }) => {
      const failed = inOrder().filter(({ locator, code }) => code !== null && locator > after);
      const page = failed.slice(0, limit).map(({ locator, code, message, at, attempt }) => ({
        locator,
        code: code!,
        message: message ?? '',
        at,
        attempt,
      }));
      return { rows: page, hasMore: failed.length > limit, total: failed.length };
    },
  };
  return {
    ledger,
    /** Outcomes by locator. */
    outcomes: (): Readonly<Record<string, string>> =>
      Object.fromEntries(inOrder().map(({ locator, outcome }) => [locator, outcome])),
    rowOf: (locator: string) => rows.get(locator),
  };
};
