/** A place that a walk through a wiki still has to visit. */
export type Place =
  | {
      readonly kind: 'page';
      readonly id: string;
      /** Its last edit time, if the block that leads to it has reported it. */
      readonly edited: string | null;
      readonly level: number;
    }
  | {
      readonly kind: 'database';
      readonly id: string;
      readonly level: number;
      /** It did not respond, and was postponed to the end. */
      readonly isLate: boolean;
    }
  | {
      readonly kind: 'rows';
      /** Id of the data source. */
      readonly id: string;
      /** Cursor of the result page; null for the first. */
      readonly cursor: string | null;
      /** Only rows that were created then or later; null for all. */
      readonly since: string | null;
      /** The wiki said that there are more rows than it returns. */
      readonly isCut: boolean;
      /** Rows of this result page that were already processed. */
      readonly done: number;
      readonly level: number;
      readonly isLate: boolean;
    };

/** The last place is the next one. */
export const writePlaces = (places: readonly Place[]): string => JSON.stringify(places);

export const readPlaces = (cursor: string): readonly Place[] => JSON.parse(cursor) as readonly Place[];
