import type { ListingState, VisitedUnit } from '../../application/ports/item-store.ts';

/** What was found when the unit was looked at last, and by which generation. */
export interface UnitRow extends VisitedUnit {
  readonly generation: number;
}

export interface ListingRow extends ListingState {
  readonly generation: number;
  readonly mark: string | null;
  /** Which listed everything last, or took it for unchanged; null: none did. */
  readonly markGeneration: number | null;
}

/** What is known of the units of one data source. */
export interface UnitRows {
  readonly units: Map<string, UnitRow>;
  /** Null: none was begun. */
  listing: ListingRow | null;
  /** Unix milliseconds; 0: never. */
  heardAt: number;
}

/** Rows of any data source: none, to begin with. */
export interface AllUnitRows {
  readonly of: (dataSourceId: string) => UnitRows;
  readonly purge: (dataSourceId: string) => void;
}

export const createUnitRows = (): AllUnitRows => {
  const all = new Map<string, UnitRows>();
  return {
    of: (dataSourceId) => {
      const rows = all.get(dataSourceId) ?? { units: new Map<string, UnitRow>(), listing: null, heardAt: 0 };
      all.set(dataSourceId, rows);
      return rows;
    },
    purge: (dataSourceId) => void all.delete(dataSourceId),
  };
};

/** Locators in the order of their bytes, as databases have them. */
export const inOrder = ({ units }: UnitRows): readonly UnitRow[] =>
  [...units.values()].toSorted((a, b) => compareLocators(a.locator, b.locator));

export const compareLocators = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));

/** It was indexed, or found as it was, and something of it is missing. */
export const isIncomplete = ({ outcome, code }: UnitRow): boolean =>
  (outcome === 'indexed' || outcome === 'unchanged') && code !== null;
