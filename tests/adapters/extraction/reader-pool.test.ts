import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createReaderPool } from '../../../adapters/extraction/process/reader-pool.ts';
import type { ReaderEvents } from '../../../adapters/extraction/process/reader-process.ts';
import type { Task } from '../../../adapters/extraction/process/messages.ts';
import type { ExtractionOutcome } from '../../../application/ports/document-reader.ts';

const SLOW_MS = 600;
const OUTCOME: ExtractionOutcome = { kind: 'failed', code: 'encrypted', message: 'read' };

/** A pool whose processes and whose clock are moved by the test. */
const openPool = (options: { readonly processes: number; readonly atFirst: number }) => {
  const started: {
    readonly events: ReaderEvents;
    readonly ids: number[];
    bytes: number;
    retired: boolean;
  }[] = [];
  const settled = new Map<number, ExtractionOutcome>();
  /** What every reader says that it has used of the processor. */
  const used = { ms: 0 as number | null };
  const pool = createReaderPool({
    ...options,
    restartAfter: 1_000,
    module: '',
    memoryBytes: 1_000,
    heapMegabytes: 1,
    start: (_, events) => {
      const ids: number[] = [];
      const process = { events, ids, bytes: 100, retired: false };
      started.push(process);
      return {
        read: (documents) => ids.push(...documents.map(({ id }) => id)),
        drop: (dropped) => ids.splice(0, ids.length, ...ids.filter((id) => !dropped.includes(id))),
        memory: () => process.bytes,
        processorMs: () => used.ms,
        retire: () => {
          process.retired = true;
          events.ended(null);
        },
        kill: () => events.ended('SIGKILL'),
      };
    },
  });
  const task = (id: number, queueKey = '', bytes = 1): Task => ({
    id,
    request: {
      file: '',
      bytes,
      queueKey,
      limits: { timeMs: 60_000, memoryBytes: 1_000 },
    } as unknown as Task['request'],
    attempts: 0,
    abandoned: false,
    settle: (outcome) => settled.set(id, outcome),
    fail: () => {},
  });
  return { pool, started, settled, task, used };
};

describe('the pool of readers', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  /** One reader that is ready, and documents before it. */
  const holding = async (count: number) => {
    const opened = openPool({ processes: 2, atFirst: 1 });
    await pass(0);
    opened.started[0]!.events.ready();
    const tasks = Array.from({ length: count }, (_, id) => opened.task(id));
    opened.pool.add(tasks);
    await pass(0);
    return { ...opened, tasks };
  };

  it('holds few long documents, so that the turn of another job comes soon', async () => {
    const { pool, started, task } = openPool({ processes: 1, atFirst: 1 });
    await pass(0);
    const { events, ids } = started[0]!;
    events.ready();
    const long = Array.from({ length: 8 }, (_, id) => task(id, 'import', 50_000));
    pool.add(long);
    await pass(0);
    pool.add([task(100, 'push')]);
    for (const id of [0, 1]) {
      events.read(id, OUTCOME);
      await pass(0);
    }
    expect(ids).toEqual([0, 1, 100]);
  });

  it('starts another one for what waits behind a slow document, and no more than it may have', async () => {
    const { started, settled } = await holding(3);
    await pass(SLOW_MS);
    expect([started.length, started[0]?.ids]).toEqual([2, [0]]);
    started[1]!.events.ready();
    await pass(10 * SLOW_MS);
    expect([started.length, started[1]?.ids.toSorted()]).toEqual([2, [1]]);
    started[0]!.events.read(0, OUTCOME);
    await pass(0);
    expect([...settled.keys(), started[0]?.ids.at(-1)]).toEqual([0, 2]);
  });

  it('reads on with those that it has where no more can be started', async () => {
    const { pool, started, settled, task } = await holding(3);
    await pass(SLOW_MS);
    for (let start = 1; start <= 3; start += 1) {
      started[start]!.events.ended(null);
      await pass(0);
    }
    await pass(10 * SLOW_MS);
    expect([started.length, settled.size]).toEqual([4, 0]);
    started[0]!.events.read(0, OUTCOME);
    await pass(0);
    expect(started[0]?.ids).toEqual([0, 1, 2]);
    // Nothing is slow now: more documents are no reason to try again.
    pool.add([task(3)]);
    await pass(0);
    expect(started).toHaveLength(4);
  });

  it('gives jobs their turns: many documents of one do not make those of another wait', async () => {
    const { pool, started, settled, task } = await holding(0);
    pool.add(Array.from({ length: 40 }, (_, id) => task(id, 'many')));
    pool.add([task(100, 'few')]);
    await pass(0);
    const read = started[0]!;
    for (let done = 0; !settled.has(100); done += 1) {
      expect(done).toBeLessThan(16);
      read.events.read(read.ids[done]!, OUTCOME);
      await pass(0);
    }
  });

  it('ends a reader that has become heavy once it rests, and starts another one', async () => {
    const { pool, started, task, settled } = await holding(1);
    started[0]!.bytes = 160;
    started[0]!.events.read(0, OUTCOME);
    await pass(9_000);
    expect(started).toHaveLength(1);
    await pass(2_000);
    // It reads until the other one is ready.
    expect([started.length, started[0]!.retired]).toEqual([2, false]);
    started[1]!.events.ready();
    await pass(0);
    expect(started[0]!.retired).toBe(true);
    pool.add([task(1)]);
    await pass(0);
    started[1]!.events.read(1, OUTCOME);
    expect(settled.has(1)).toBe(true);
  });

  it('keeps a reader that is no more than half heavier than at its start, or that never rests', async () => {
    const { pool, started, task } = await holding(1);
    started[0]!.events.read(0, OUTCOME);
    started[0]!.bytes = 150;
    await pass(20_000);
    started[0]!.bytes = 900;
    for (let id = 1; id < 10; id += 1) {
      pool.add([task(id)]);
      await pass(4_000);
      started[0]!.events.read(id, OUTCOME);
      await pass(4_000);
    }
    expect(started.filter(({ retired }) => retired)).toEqual([]);
  });

  it('has no more readers than at first after heavy ones', async () => {
    const { started } = await holding(2);
    await pass(SLOW_MS);
    started[1]!.events.ready();
    await pass(0);
    for (const [id, reader] of started.entries()) {
      reader.bytes = 500;
      reader.events.read(id, OUTCOME);
    }
    await pass(11_000);
    started[2]!.events.ready();
    await pass(0);
    expect(started.map(({ retired }) => retired)).toEqual([true, true, false]);
  });

  it('leaves a document alone that only the clock is hard on, and ends it far behind', async () => {
    const { started, settled } = await holding(1);
    await pass(599_000);
    expect(settled.size).toBe(0);
    await pass(2_000);
    started[1]!.events.ready();
    await pass(0);
    expect([started[1]?.ids, settled.size]).toEqual([[0], 0]);
    await pass(601_000);
    expect(settled.get(0)).toMatchObject({ code: 'timed_out', message: 'it was not read within 600000 ms' });
  });

  it('tries one that used up its processor time once more, behind the others and with a reader to itself', async () => {
    const { pool, started, settled, task, used } = await holding(1);
    used.ms = 60_001;
    await pass(100);
    started[1]!.events.ready();
    pool.add([task(1), task(2)]);
    used.ms = 0;
    await pass(0);
    expect(started[1]?.ids[0]).toBe(0);
    started[1]!.events.read(0, OUTCOME);
    await pass(0);
    expect(settled.get(0)).toBe(OUTCOME);
    expect(started[1]?.ids).toEqual([0, 1, 2]);
  });

  it('tells of processor time where that was it, and goes by the clock where the system does not tell', async () => {
    const { started, settled, used } = await holding(1);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      used.ms = attempt * 100_000 + 60_001;
      await pass(100);
      started[attempt + 1]?.events.ready();
      used.ms = 100_000;
      await pass(0);
    }
    expect(settled.get(0)).toMatchObject({ message: 'it took more than 60000 ms of processor time' });
    const other = await holding(1);
    other.used.ms = null;
    await pass(60_100);
    other.started[1]!.events.ready();
    await pass(60_100);
    expect(other.settled.get(0)).toMatchObject({ message: 'it was not read within 60000 ms' });
  });
});
