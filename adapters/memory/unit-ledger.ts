import { type Page, unknownCursor } from '../../application/ports/page.ts';
import type { UnitError, UnitLedger, UnitRun, VisitedUnit } from '../../application/ports/item-store.ts';
import { listingsIn, moveListing } from './unit-ledger-listing.ts';
import {
  compareLocators,
  createUnitRows,
  inOrder,
  isIncomplete,
  type UnitRow,
  type UnitRows,
} from './unit-rows.ts';

export interface MemoryUnitLedger extends UnitLedger {
  /** All that is kept of the units of a data source, in the order of their locators, rows among them. */
  readonly unitsOf: (dataSourceId: string) => readonly UnitRow[];
}

/**
 * Units in memory, gone with the process: for tests. Of documents that callers take out it knows what `forgetDocument`
 * tells. @param catalog ids of sources that the catalog has of a data source
 */
export const createMemoryUnitLedger = (
  catalog: (dataSourceId: string) => readonly string[] = () => [],
): MemoryUnitLedger => {
  const all = createUnitRows();
  return {
    ...listingsIn(all, catalog),
    unitsOf: (dataSourceId) => inOrder(all.of(dataSourceId)),
    known: async ({ dataSourceId, generation, judgedSince }, locators) =>
      new Map(
        locators.flatMap((locator) => {
          const unit = all.of(dataSourceId).units.get(locator);
          if (unit === undefined) return [];
          const { outcome, code, message } = unit;
          const known = {
            seen: unit.generation >= generation,
            fingerprint: unit.at < judgedSince ? null : unit.fingerprint,
            failed: outcome === 'failed',
            skipped: outcome === 'skipped' ? { code: code ?? '', message: message ?? '' } : null,
          };
          return [[locator, known] as const];
        }),
      ),
    commit: async (run, visited, listing) => {
      const rows = all.of(run.dataSourceId);
      for (const visit of visited) record(rows, run, visit);
      if (listing !== undefined) moveListing(rows, run, listing);
    },
    heard: async ({ dataSourceId }, at) => {
      const rows = all.of(dataSourceId);
      rows.heardAt = Math.max(rows.heardAt, at);
    },
    heardAt: async (dataSourceId) => all.of(dataSourceId).heardAt,
    counts: async ({ dataSourceId, generation }) => {
      const own = inOrder(all.of(dataSourceId)).filter((unit) => unit.generation === generation);
      const many = (wanted: string): number => own.filter(({ outcome }) => outcome === wanted).length;
      const [indexed, unchanged] = [many('indexed'), many('unchanged')];
      const [skipped, failed] = [many('skipped'), many('failed')];
      const bytes = own.reduce((sum, unit) => sum + unit.bytes, 0);
      return { seen: indexed + unchanged + skipped + failed, indexed, unchanged, skipped, failed, bytes };
    },
    forget: async ({ dataSourceId, generation }, locators) => {
      const { units } = all.of(dataSourceId);
      for (const locator of locators)
        if ((units.get(locator)?.generation ?? generation) < generation) units.delete(locator);
    },
    forgetRows: async ({ dataSourceId }, locator) => {
      const { units } = all.of(dataSourceId);
      for (const { locator: name, outcome } of units.values())
        if (outcome === 'row_failed' && /^(.*)#row=\d+$/s.exec(name)?.[1] === locator) units.delete(name);
    },
    forgetDocument: async ({ dataSourceId, generation }, sourceId) => {
      const { units } = all.of(dataSourceId);
      for (const unit of units.values())
        if (unit.sourceId === sourceId && unit.generation < generation)
          units.set(unit.locator, { ...unit, fingerprint: null });
    },
    purge: async (dataSourceId) => all.purge(dataSourceId),
    errors: async (dataSourceId, { limit, after }): Promise<Page<UnitError>> => {
      const rows = all.of(dataSourceId);
      if (after !== undefined && !rows.units.has(after)) throw unknownCursor(after);
      const units = inOrder(rows);
      const newest = Math.max(...units.map(({ generation }) => generation));
      const wrong = units.filter((unit) => unit.generation === newest && isWrong(unit));
      const left = wrong
        .filter(({ locator }) => compareLocators(locator, after ?? '') > 0)
        .map(({ locator, code, message, at, attempt }): UnitError => ({
          locator,
          code: code ?? '',
          message: message ?? '',
          at,
          attempt,
        }));
      return { rows: left.slice(0, limit), hasMore: left.length > limit, total: wrong.length };
    },
  };
};

const record = ({ units }: UnitRows, { generation }: UnitRun, visit: VisitedUnit): void => {
  const before = units.get(visit.locator);
  if (visit.outcome === 'gone') {
    units.delete(visit.locator);
    return;
  }
  if (before !== undefined && before.generation > generation) return;
  if (before !== undefined && visit.outcome === 'row_failed' && before.outcome !== 'row_failed') return;
  const fingerprint = visit.outcome === 'failed' ? (before ?? visit).fingerprint : visit.fingerprint;
  units.set(visit.locator, { ...visit, fingerprint, generation });
};

/** Failed, a row of it did, or indexed with something missing. */
const isWrong = (unit: UnitRow): boolean =>
  unit.outcome === 'failed' || unit.outcome === 'row_failed' || isIncomplete(unit);
