/** What is fetched already, and has to be read and then committed. */
export interface PipelinedWork<Read> {
  /** Of the items that `commit` writes down. */
  readonly locators: readonly string[];
  /** That it holds in memory. */
  readonly bytes: number;
  /** Begins at once, while what came before is still read or committed. */
  readonly read: () => Promise<Read>;
  /** Begins when all that came before is committed. */
  readonly commit: (read: Read) => Promise<void>;
}

/**
 * Has items read and committed while the next ones are fetched. Commits come one after the other, in the order of the
 * work: whatever breaks off, what was committed is a beginning of it. After a failure nothing more is committed.
 */
export interface ItemPipeline {
  /** Waits until there is room. @throws what work before it has failed with */
  readonly add: <Read>(work: PipelinedWork<Read>) => Promise<void>;
  /** Whether one of these items is on its way, of which the item store does not know yet. */
  readonly holds: (locators: readonly string[]) => boolean;
  /** Waits until nothing is on its way. @throws what failed first */
  readonly drained: () => Promise<void>;
}

/** Batches on their way, whatever they hold: one is stored, one extracted, one told of. */
const ALWAYS_UNDER_WAY = 3;
/** Of small ones: each waits for the disk several times, while the processors have little to do. */
const MAX_UNDER_WAY = 6;
const MAX_BYTES = 24 * 1024 ** 2;

/** Runs `work` on a pipeline of its own, and settles when nothing of it is on its way. What failed in it counts first. */
export const pipelined = async (work: (pipeline: ItemPipeline) => Promise<void>): Promise<void> => {
  const pipeline = createItemPipeline();
  try {
    await work(pipeline);
  } finally {
    await pipeline.drained();
  }
};

const createItemPipeline = (): ItemPipeline => {
  /** None of the promises rejects. */
  const underWay = new Map<Promise<void>, Pick<PipelinedWork<unknown>, 'locators' | 'bytes'>>();
  const hasRoomFor = (bytes: number): boolean => {
    if (underWay.size < ALWAYS_UNDER_WAY) return true;
    const held = underWay.values().reduce((sum, one) => sum + one.bytes, 0);
    return underWay.size < MAX_UNDER_WAY && held + bytes <= MAX_BYTES;
  };
  let newest = Promise.resolve();
  let failure: { readonly error: unknown } | null = null;
  const throwFailure = (): void => {
    if (failure !== null) throw failure.error;
  };
  const inTurn = async <Read>(
    before: Promise<void>,
    reading: Promise<Read>,
    { commit }: PipelinedWork<Read>,
  ) => {
    await before;
    try {
      const read = await reading;
      if (failure === null) await commit(read);
    } catch (error) {
      failure ??= { error };
    }
  };
  return {
    add: async (work) => {
      while (!hasRoomFor(work.bytes)) await Promise.race(underWay.keys());
      throwFailure();
      const reading = work.read();
      // It is looked at in its turn.
      reading.catch(() => undefined);
      const done: Promise<void> = inTurn(newest, reading, work).finally(() => underWay.delete(done));
      underWay.set(done, { locators: work.locators, bytes: work.bytes });
      newest = done;
    },
    holds: (locators) => {
      if (underWay.size === 0) return false;
      const held = new Set([...underWay.values()].flatMap((one) => one.locators));
      return locators.some((locator) => held.has(locator));
    },
    drained: async () => {
      await newest;
      throwFailure();
    },
  };
};
