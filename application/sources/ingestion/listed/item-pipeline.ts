/** Fetched items to read and then commit. */
export interface PipelinedWork<Read> {
  /** Locators of the items that `commit` records. */
  readonly locators: readonly string[];
  /** Bytes in memory. */
  readonly bytes: number;
  /** Starts at once, while earlier work is still being read or committed. */
  readonly read: () => Promise<Read>;
  /** Starts when all earlier work is committed. */
  readonly commit: (read: Read) => Promise<void>;
}

/**
 * Reads and commits items while the next ones are fetched. Commits run one after the other, in the order of the work,
 * so that after an interruption a prefix of the work is committed. After a failure nothing more is committed.
 */
export interface ItemPipeline {
  /** Waits until there is room. @throws the failure of earlier work */
  readonly add: <Read>(work: PipelinedWork<Read>) => Promise<void>;
  /** Whether one of these items is in the pipeline and not in the item store yet. */
  readonly hasPending: (locators: readonly string[]) => boolean;
  /** Waits until the pipeline is empty. @throws the first failure */
  readonly drain: () => Promise<void>;
}

/** Batches in the pipeline, whatever their size: one each being stored, extracted and recorded. */
const ALWAYS_UNDER_WAY = 3;
/** Limit for small batches: each waits for the disk several times, while the processors are almost idle. */
const MAX_UNDER_WAY = 6;
const MAX_BYTES = 24 * 1024 ** 2;

/**
 * Runs `work` with its own pipeline, and settles when the pipeline is empty. A failure in the pipeline takes
 * precedence.
 */
export const pipelined = async (work: (pipeline: ItemPipeline) => Promise<void>): Promise<void> => {
  const pipeline = createItemPipeline();
  try {
    await work(pipeline);
  } finally {
    await pipeline.drain();
  }
};

const createItemPipeline = (): ItemPipeline => {
  /** The promises never reject. */
  const inFlight = new Map<Promise<void>, Pick<PipelinedWork<unknown>, 'locators' | 'bytes'>>();
  const hasRoomFor = (bytes: number): boolean => {
    if (inFlight.size < ALWAYS_UNDER_WAY) return true;
    const held = inFlight.values().reduce((sum, one) => sum + one.bytes, 0);
    return inFlight.size < MAX_UNDER_WAY && held + bytes <= MAX_BYTES;
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
      while (!hasRoomFor(work.bytes)) await Promise.race(inFlight.keys());
      throwFailure();
      const reading = work.read();
      // Awaited later, in order.
      reading.catch(() => undefined);
      const done: Promise<void> = inTurn(newest, reading, work).finally(() => inFlight.delete(done));
      inFlight.set(done, { locators: work.locators, bytes: work.bytes });
      newest = done;
    },
    hasPending: (locators) => {
      if (inFlight.size === 0) return false;
      const held = new Set([...inFlight.values()].flatMap((one) => one.locators));
      return locators.some((locator) => held.has(locator));
    },
    drain: async () => {
      await newest;
      throwFailure();
    },
  };
};
