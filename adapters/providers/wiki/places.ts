/** Where a walk through a wiki has still to look. */
export type Place =
  | {
      readonly kind: 'page';
      readonly id: string;
      /** When it was edited last, where the block that leads to it has just said so. */
      readonly edited: string | null;
      readonly level: number;
    }
  | {
      readonly kind: 'database';
      readonly id: string;
      readonly level: number;
      /** It did not answer, and was put off until all else is done. */
      readonly isLate: boolean;
    }
  | {
      readonly kind: 'rows';
      /** Of the data source. */
      readonly id: string;
      /** Where the page of the answer begins; null: at the first. */
      readonly cursor: string | null;
      /** Rows that were created then or later; null: all. */
      readonly since: string | null;
      /** The wiki said that there are more rows than it answers. */
      readonly isCut: boolean;
      /** Rows of this page of the answer that were looked at. */
      readonly done: number;
      readonly level: number;
      readonly isLate: boolean;
    };

/** The last one is next. */
export const writePlaces = (places: readonly Place[]): string => JSON.stringify(places);

export const readPlaces = (cursor: string): readonly Place[] => JSON.parse(cursor) as readonly Place[];
