import type { Append, Outcome } from './append.ts';

export interface AppendQueueOptions {
  readonly one: (append: Append) => Promise<Outcome>;
  /** Takes appends to different streams, answers their outcomes in the same order. */
  readonly many: (appends: readonly Append[]) => Promise<readonly Outcome[]>;
}

const MAX_IN_FLIGHT = 2;
/** So few are not shared out, and wait for what is under way: a call costs more than a few of its rows. */
const FEW = 16;
const MAX_GROUP = 64;
const MAX_GROUP_BYTES = 4 * 1024 * 1024;

/**
 * Sends appends at once while none is under way, and what gathers meanwhile as groups, so that one commit (one wait for
 * the disk) serves many; two groups at a time where many wait. Appends to one stream go one after another, in the order
 * in which they came; a group is ordered by stream, so that groups of several processes cannot wait for each other in a
 * circle.
 */
export const createAppendQueue = ({
  one,
  many,
}: AppendQueueOptions): ((append: Append) => Promise<Outcome>) => {
  let waiting: Waiting[] = [];
  let inFlight = 0;
  let pumping = false;
  const busy = new Set<string>();

  /** After everything that is ready to run has run: callers answered together append together, and share a group. */
  const pumpSoon = (): void => {
    if (pumping) return;
    pumping = true;
    process.nextTick(pump);
  };

  const pump = (): void => {
    pumping = false;
    for (;;) {
      const free = MAX_IN_FLIGHT - inFlight;
      if (inFlight > 0 && waiting.length < FEW) return;
      // Shared out over the free calls: while the server works on one group, this process prepares the other.
      const taken = free > 0 ? take(waiting, busy, Math.max(FEW, Math.ceil(waiting.length / free))) : [];
      if (taken.length === 0) return;
      waiting = taken.length === waiting.length ? [] : waiting.filter((entry) => !taken.includes(entry));
      void send(taken);
    }
  };

  const send = async (taken: readonly Waiting[]): Promise<void> => {
    inFlight += 1;
    for (const { append } of taken) busy.add(append.stream);
    const outcomes = await outcomesOf(taken.map(({ append }) => append));
    inFlight -= 1;
    for (const [index, { append, settle }] of taken.entries()) {
      busy.delete(append.stream);
      settle(outcomes[index]!);
    }
    pumpSoon();
  };

  const outcomesOf = async (appends: readonly Append[]): Promise<readonly Outcome[]> => {
    try {
      return appends.length === 1 ? [await one(appends[0]!)] : await many(appends);
    } catch (error) {
      return appends.map(() => ({ kind: 'failed', error }));
    }
  };

  return (append) =>
    new Promise((settle) => {
      waiting.push({ append, bytes: append.events.reduce((sum, event) => sum + event.bytes, 0), settle });
      pumpSoon();
    });
};

interface Waiting {
  readonly append: Append;
  readonly bytes: number;
  readonly settle: (outcome: Outcome) => void;
}

/** The longest-waiting appends that may go together now: free streams, each once, within the limits. */
const take = (waiting: readonly Waiting[], busy: ReadonlySet<string>, share: number): readonly Waiting[] => {
  const taken = new Map<string, Waiting>();
  let bytes = 0;
  for (const entry of waiting) {
    const { stream } = entry.append;
    if (busy.has(stream) || taken.has(stream)) continue;
    if (taken.size >= Math.min(share, MAX_GROUP)) break;
    if (taken.size > 0 && bytes + entry.bytes > MAX_GROUP_BYTES) break;
    taken.set(stream, entry);
    bytes += entry.bytes;
  }
  return [...taken.values()].toSorted((a, b) => (a.append.stream < b.append.stream ? -1 : 1));
};
