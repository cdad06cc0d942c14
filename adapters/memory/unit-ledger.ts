import { type Page, unknownCursor } from '../../application/page.ts';
import type { UnitError } from '../../application/ports/unit-error.ts';
import type { UnitLedger, UnitRun, VisitedUnit } from '../../application/ports/unit-ledger.ts';

/** What pushes ask of a ledger: nobody lists their documents. */
export type PushLedger = Pick<
  UnitLedger,
  | 'known'
  | 'commit'
  | 'heard'
  | 'heardAt'
  | 'counts'
  | 'forget'
  | 'forgetRows'
  | 'forgetDocument'
  | 'purge'
  | 'errors'
>;

interface Unit extends VisitedUnit {
  readonly generation: number;
}

/** Units in memory, gone with the process: for tests. */
export const createMemoryUnitLedger = (): PushLedger => {
  const units = new Map<string, Map<string, Unit>>();
  const heard = new Map<string, number>();
  const of = (dataSourceId: string): Map<string, Unit> => {
    const known = units.get(dataSourceId) ?? new Map<string, Unit>();
    units.set(dataSourceId, known);
    return known;
  };
  const record = (run: UnitRun, visit: VisitedUnit): void => {
    const known = of(run.dataSourceId);
    const before = known.get(visit.locator);
    if (visit.outcome === 'gone') {
      known.delete(visit.locator);
      return;
    }
    if (before !== undefined && before.generation > run.generation) return;
    if (before !== undefined && visit.outcome === 'row_failed' && before.outcome !== 'row_failed') return;
    const fingerprint = visit.outcome === 'failed' ? (before ?? visit).fingerprint : visit.fingerprint;
    known.set(visit.locator, { ...visit, fingerprint, generation: run.generation });
  };
  return {
    known: async ({ dataSourceId, generation, judgedSince }, locators) =>
      new Map(
        locators.flatMap((locator) => {
          const unit = of(dataSourceId).get(locator);
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
    commit: async (run, visited) => {
      for (const visit of visited) record(run, visit);
    },
    heard: async ({ dataSourceId }, at) =>
      void heard.set(dataSourceId, Math.max(at, heard.get(dataSourceId) ?? 0)),
    heardAt: async (dataSourceId) => heard.get(dataSourceId) ?? 0,
    counts: async ({ dataSourceId, generation }) => {
      const own = [...of(dataSourceId).values()].filter((unit) => unit.generation === generation);
      const many = (wanted: string): number => own.filter(({ outcome }) => outcome === wanted).length;
      const [indexed, unchanged] = [many('indexed'), many('unchanged')];
      const [skipped, failed] = [many('skipped'), many('failed')];
      const bytes = own.reduce((sum, unit) => sum + unit.bytes, 0);
      return { seen: indexed + unchanged + skipped + failed, indexed, unchanged, skipped, failed, bytes };
    },
    forget: async ({ dataSourceId, generation }, locators) => {
      for (const locator of locators)
        if ((of(dataSourceId).get(locator)?.generation ?? generation) < generation)
          of(dataSourceId).delete(locator);
    },
    forgetRows: async ({ dataSourceId }, locator) => {
      for (const { locator: name, outcome } of of(dataSourceId).values())
        if (outcome === 'row_failed' && /^(.*)#row=\d+$/s.exec(name)?.[1] === locator)
          of(dataSourceId).delete(name);
    },
    forgetDocument: async ({ dataSourceId, generation }, sourceId) => {
      for (const unit of of(dataSourceId).values())
        if (unit.sourceId === sourceId && unit.generation < generation)
          of(dataSourceId).set(unit.locator, { ...unit, fingerprint: null });
    },
    purge: async (dataSourceId) => {
      units.delete(dataSourceId);
      heard.delete(dataSourceId);
    },
    errors: async (dataSourceId, { limit, after }): Promise<Page<UnitError>> => {
      const all = [...of(dataSourceId).values()];
      if (after !== undefined && !of(dataSourceId).has(after)) throw unknownCursor(after);
      const newest = Math.max(...all.map(({ generation }) => generation));
      const failed = all
        .filter((unit) => unit.generation === newest && isWrong(unit))
        .toSorted((a, b) => (a.locator < b.locator ? -1 : 1));
      const rows = failed
        .filter(({ locator }) => locator > (after ?? ''))
        .map(({ locator, code, message, at, attempt }): UnitError => ({
          locator,
          code: code ?? '',
          message: message ?? '',
          at,
          attempt,
        }));
      return { rows: rows.slice(0, limit), hasMore: rows.length > limit, total: failed.length };
    },
  };
};

/** Failed, a row of it did, or indexed with something missing. */
const isWrong = ({ outcome, code }: VisitedUnit): boolean =>
  outcome === 'failed' ||
  outcome === 'row_failed' ||
  ((outcome === 'indexed' || outcome === 'unchanged') && code !== null);
