import { threadId, workerData } from 'node:worker_threads';
import { serveRequests } from '../../../adapters/search-workers/search-operations.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';

/** Over all threads of a pool: deaths, ends in good order, whether held questions may be answered, and how slowly each starts. */
const counts = new Int32Array(workerData as SharedArrayBuffer);
const [DEATHS, ENDS, GATE, SLOWNESS] = [0, 1, 2, 3];
// What it does before it is ready, in milliseconds.
Atomics.wait(counts, SLOWNESS, counts[SLOWNESS]!, counts[SLOWNESS]);

/** Dies with the first question of this many threads, and then answers. */
const dies = async (times: number): Promise<string> => {
  if (Atomics.add(counts, DEATHS, 1) < times) process.exit(3);
  return 'alive';
};

/** Never comes back with the first question of this many threads, and then answers. */
const spins = async (times: number): Promise<string> => {
  if (Atomics.add(counts, DEATHS, 1) < times) for (;;);
  return 'alive';
};

serveRequests(
  {
    echo: async (input) => input,
    thread: async () => threadId,
    held: async () => {
      await Atomics.waitAsync(counts, GATE, 0).value;
      return threadId;
    },
    bytes: async (text: string) => Buffer.from(`before ${text} behind`).subarray(7, 7 + text.length),
    refuse: async () => {
      throw new DomainError('filter_invalid', 'no such key');
    },
    break: async () => {
      throw Object.assign(new RangeError('the server is going down'), { code: '57P01' });
    },
    unclonable: async () => () => {},
    dies,
    spins,
    throws: async () =>
      new Promise(() => {
        setImmediate(() => {
          throw new Error('nobody catches this');
        });
      }),
    fills: async () => {
      const all: number[][] = [];
      for (;;) all.push(Array.from({ length: 10_000 }, (_, i) => i + Math.random()));
    },
    never: async () => new Promise(() => {}),
  },
  async () => {
    Atomics.add(counts, ENDS, 1);
    Atomics.notify(counts, ENDS);
  },
);
