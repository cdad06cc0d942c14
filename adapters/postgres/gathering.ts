import { isTransient } from './transient.ts';

export interface GatheringOptions<Item, Answer> {
  /**
   * Answers each, in the same order. Where it throws for several, they are sent one by one, as one of them may be at fault:
   * but not where the server is, or the way to it. Then it may have been done, and is for the caller to try again.
   */
  readonly send: (items: readonly Item[]) => Promise<readonly Answer[]>;
  /** Bytes of an item: a group has 4 MB at most, unless it has a single item. Default: nothing. */
  readonly bytesOf?: (item: Item) => number;
  /** How many are under way at once, beyond which what comes gathers. Default: two. */
  readonly inFlight?: number;
}

/** One statement at work while this process prepares the next. */
const MOST_IN_FLIGHT = 2;
/** So few are not shared out, and wait for what is under way: a statement costs more than a few of its rows. */
const FEW = 16;
const MOST = 64;
const MOST_BYTES = 4 * 1024 * 1024;

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly bytes: number;
  readonly answer: PromiseWithResolvers<Answer>;
}

/**
 * Sends what is asked for at once while little is under way, and what gathers meanwhile together: one statement, and where
 * it writes one commit, serves many. What is asked for together, in one turn of the event loop, goes together; without a
 * bound on what is under way nothing else does, and nobody waits for anybody.
 */
export const createGathering = <Item, Answer>({
  send,
  bytesOf = () => 0,
  inFlight: mostInFlight = MOST_IN_FLIGHT,
}: GatheringOptions<Item, Answer>): ((item: Item) => Promise<Answer>) => {
  const waiting: Waiting<Item, Answer>[] = [];
  let inFlight = 0;
  let pumping = false;

  const pumpSoon = (): void => {
    if (pumping) return;
    pumping = true;
    process.nextTick(() => {
      pumping = false;
      for (let free = mostInFlight - inFlight; free > 0 && waiting.length > 0; free--) {
        const isBounded = free !== Infinity;
        if (isBounded && inFlight > 0 && waiting.length < FEW) break;
        void settle(take(waiting, isBounded ? Math.max(FEW, Math.ceil(waiting.length / free)) : MOST));
      }
    });
  };

  const settle = async (group: readonly Waiting<Item, Answer>[]): Promise<void> => {
    inFlight += 1;
    try {
      const answers = await send(group.map(({ item }) => item));
      for (const [nth, { answer }] of group.entries()) answer.resolve(answers[nth]!);
    } catch (error) {
      if (group.length === 1 || isTransient(error)) for (const { answer } of group) answer.reject(error);
      else await Promise.all(group.map(alone));
    } finally {
      inFlight -= 1;
      pumpSoon();
    }
  };

  /** What fails together need not be the fault of each. */
  const alone = async ({ item, answer }: Waiting<Item, Answer>): Promise<void> => {
    try {
      const [own] = await send([item]);
      answer.resolve(own!);
    } catch (error) {
      answer.reject(error);
    }
  };

  return (item) => {
    const answer = Promise.withResolvers<Answer>();
    waiting.push({ item, bytes: bytesOf(item), answer });
    pumpSoon();
    return answer.promise;
  };
};

/** Removes those that have waited longest, within the limits; one at least. */
const take = <Item, Answer>(
  waiting: Waiting<Item, Answer>[],
  share: number,
): readonly Waiting<Item, Answer>[] => {
  let count = 0;
  let bytes = 0;
  for (const entry of waiting) {
    if (count >= Math.min(share, MOST)) break;
    if (count > 0 && bytes + entry.bytes > MOST_BYTES) break;
    bytes += entry.bytes;
    count += 1;
  }
  return waiting.splice(0, count);
};
