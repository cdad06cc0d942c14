import type { Append, Outcome } from './append.ts';

export interface AppendQueueOptions {
  readonly one: (append: Append) => Promise<Outcome>;
  /** Takes appends to different streams; returns their outcomes in the same order. */
  readonly many: (appends: readonly Append[]) => Promise<readonly Outcome[]>;
}

const MAX_IN_FLIGHT = 2;
/** Smaller groups are not split and wait for the call in flight: a call costs more than a few of its rows. */
const MIN_GROUP = 16;
const MAX_GROUP = 64;
const MAX_GROUP_BYTES = 4 * 1024 * 1024;

/**
 * Sends an append at once if none is in flight. Otherwise appends gather in groups, so that one commit (one
 * wait for the disk) serves many; two groups are in flight if many are queued. Appends to one stream run one
 * after another, in order of arrival. A group is ordered by stream, so that groups of several processes
 * cannot deadlock.
 */
export const createAppendQueue = ({
  one,
  many,
}: AppendQueueOptions): ((append: Append) => Promise<Outcome>) => {
  let queue: QueuedAppend[] = [];
  let inFlight = 0;
  let pumping = false;
  const busy = new Set<string>();

  /**
   * Runs after all ready tasks: callers that got their results together append together, and share a group.
   */
  const pumpSoon = (): void => {
    if (pumping) return;
    pumping = true;
    process.nextTick(pump);
  };

  const pump = (): void => {
    pumping = false;
    for (;;) {
      const free = MAX_IN_FLIGHT - inFlight;
      if (inFlight > 0 && queue.length < MIN_GROUP) return;
      // Splits the queue over the free calls: while the server works on one group, this process prepares the
      // other.
      const taken = free > 0 ? take(queue, busy, Math.max(MIN_GROUP, Math.ceil(queue.length / free))) : [];
      if (taken.length === 0) return;
      queue = taken.length === queue.length ? [] : queue.filter((entry) => !taken.includes(entry));
      void send(taken);
    }
  };

  const send = async (taken: readonly QueuedAppend[]): Promise<void> => {
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
      queue.push({ append, bytes: append.events.reduce((sum, event) => sum + event.bytes, 0), settle });
      pumpSoon();
    });
};

interface QueuedAppend {
  readonly append: Append;
  readonly bytes: number;
  readonly settle: (outcome: Outcome) => void;
}

/**
 * The oldest appends that may be sent now: streams without an append in flight, each once, within the limits.
 */
const take = (
  queue: readonly QueuedAppend[],
  busy: ReadonlySet<string>,
  groupSize: number,
): readonly QueuedAppend[] => {
  const taken = new Map<string, QueuedAppend>();
  let bytes = 0;
  for (const entry of queue) {
    const { stream } = entry.append;
    if (busy.has(stream) || taken.has(stream)) continue;
    if (taken.size >= Math.min(groupSize, MAX_GROUP)) break;
    if (taken.size > 0 && bytes + entry.bytes > MAX_GROUP_BYTES) break;
    taken.set(stream, entry);
    bytes += entry.bytes;
  }
  return [...taken.values()].toSorted((a, b) => (a.append.stream < b.append.stream ? -1 : 1));
};
