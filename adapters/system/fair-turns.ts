import { DomainError } from '../../domain/shared/domain-error.ts';

export interface FairTurnsOptions {
  /** How much is under way at once. */
  readonly most: number;
  /** How long one waits for its turn, in milliseconds. */
  readonly waitMs: number;
  /** What is refused with. */
  readonly refusal: string;
}

/**
 * Does the work when it is its turn: those who ask under different keys take turns, and those of one key go in the order in
 * which they came.
 *
 * @throws what `work` throws; DomainError unavailable when the turn does not come in time, at once where that can be foreseen
 */
export type FairTurns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** How much the newest time counts among those before. */
const NEWEST = 0.1;

export const createFairTurns = ({ most, waitMs, refusal }: FairTurnsOptions): FairTurns => {
  /** By key, whose turn is next first. A key without anyone who waits is not there. */
  const waiting = new Map<string, Set<() => void>>();
  let waitingInAll = 0;
  let underWay = 0;
  /** Between two ends while others wait, in milliseconds; null before that is known. */
  let paceMs: number | null = null;
  let endedAt = 0;

  const leave = (key: string, begin: () => void): void => {
    const ofKey = waiting.get(key);
    if (ofKey?.delete(begin) !== true) return;
    waitingInAll -= 1;
    if (ofKey.size === 0) waiting.delete(key);
  };
  const next = (): void => {
    const [entry] = waiting;
    if (entry === undefined || underWay >= most) return;
    const [key, ofKey] = entry;
    const [begin] = ofKey;
    // To the end of the line.
    waiting.delete(key);
    waiting.set(key, ofKey);
    if (begin === undefined) return;
    leave(key, begin);
    begin();
  };
  const turn = (key: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(late);
        underWay += 1;
        resolve();
      };
      const late = setTimeout(() => {
        leave(key, begin);
        reject(new DomainError('unavailable', refusal));
      }, waitMs).unref();
      const ofKey = waiting.get(key) ?? new Set();
      waiting.set(key, ofKey.add(begin));
      waitingInAll += 1;
    });
  const ended = (): void => {
    const now = performance.now();
    underWay -= 1;
    // Nothing is known of the pace unless somebody waits all the time.
    if (waitingInAll === 0) {
      endedAt = 0;
      paceMs = null;
    } else {
      const ms = now - endedAt;
      if (endedAt > 0) paceMs = paceMs === null ? ms : paceMs + NEWEST * (ms - paceMs);
      endedAt = now;
    }
    next();
  };
  return async (key, work) => {
    if (underWay < most) underWay += 1;
    else {
      // Of the keys that wait each has its share, so that a short line of one's own is a short wait.
      const before = Math.min(waitingInAll, ((waiting.get(key)?.size ?? 0) + 1) * (waiting.size + 1));
      if (paceMs !== null && before * paceMs > waitMs) throw new DomainError('unavailable', refusal);
      await turn(key);
    }
    try {
      return await work();
    } finally {
      ended();
    }
  };
};
