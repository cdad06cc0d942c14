import { BEGINNING, type Position } from '../../application/ports/event-store.ts';

/** What was acknowledged, and is to come by the subscription as well. */
export interface Arrivals {
  readonly expect: (position: Position) => void;
  readonly close: () => void;
}

/**
 * `arrived`: how far the subscription has come. `late`: told of the last that is expected when some is not there within `ms`.
 */
export const createArrivals = (
  ms: number,
  arrived: () => Position,
  late: (newest: Position) => void,
): Arrivals => {
  let newest: Position = BEGINNING;
  let timer: NodeJS.Timeout | null = null;
  const wait = (): void => {
    const expected = newest;
    timer = setTimeout(() => {
      timer = null;
      if (arrived() < expected) late(newest);
      else if (arrived() < newest) wait();
    }, ms).unref();
  };
  return {
    expect: (position) => {
      if (position > newest) newest = position;
      if (arrived() < newest && timer === null) wait();
    },
    close: () => {
      if (timer) clearTimeout(timer);
    },
  };
};
