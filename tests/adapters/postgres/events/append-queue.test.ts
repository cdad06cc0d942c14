import { describe, expect, it } from 'vitest';
import type { Append, Outcome } from '../../../../adapters/postgres/events/append.ts';
import { createAppendQueue } from '../../../../adapters/postgres/events/append-queue.ts';

/** A queue whose calls are answered by hand. */
const openQueue = () => {
  const calls: { readonly streams: readonly string[]; readonly finish: (error?: Error) => void }[] = [];
  const call = (appends: readonly Append[]): Promise<readonly Outcome[]> =>
    new Promise((resolve, reject) => {
      const done = appends.map(({ after }): Outcome => ({
        kind: 'appended',
        result: { revision: after + 1n, position: '' },
      }));
      const finish = (error?: Error): void => (error ? reject(error) : resolve(done));
      calls.push({ streams: appends.map((append) => append.stream), finish });
    });
  const enqueue = createAppendQueue({ one: async (append) => (await call([append]))[0]!, many: call });
  const add = (stream: string, after = -1n, bytes = 10): Promise<Outcome> =>
    enqueue({ stream, after, events: [{ id: '', type: 'A', data: '', metadata: '', tenant: null, bytes }] });
  return { calls, add };
};

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the append queue', () => {
  it('sends an append at once and alone while none is under way, and groups the few that wait for it', async () => {
    const { calls, add } = openQueue();
    const outcomes: Promise<Outcome>[] = [];
    for (const stream of ['d', 'c', 'b', 'a']) {
      outcomes.push(add(stream));
      await settled();
    }
    expect(calls.map((call) => call.streams)).toEqual([['d']]);
    calls[0]!.finish();
    await settled();
    expect(calls.map((call) => call.streams)).toEqual([['d'], ['a', 'b', 'c']]);
    for (const call of calls) call.finish();
    expect(await Promise.all(outcomes)).toHaveLength(4);
  });

  it('shares many appends that come together out over its two calls, and a few not', async () => {
    for (const [count, groups] of [
      [5, [5]],
      [20, [16]],
      [32, [16, 16]],
      [40, [20, 20]],
    ] as const) {
      const { calls, add } = openQueue();
      const outcomes = Promise.all(Array.from({ length: count }, (_, nth) => add(`s${nth}`)));
      await settled();
      expect(calls.map(({ streams }) => streams.length)).toEqual(groups);
      for (const call of calls) call.finish();
      await settled();
      for (const call of calls) call.finish();
      expect(await outcomes).toHaveLength(count);
    }
  });

  it('keeps appends to one stream apart and in their order', async () => {
    const { calls, add } = openQueue();
    const added = [add('a', 0n), add('b', 0n), add('a', 1n), add('c', 0n), add('a', 2n), add('c', 1n)];
    for (let index = 0; index < 3; index += 1) {
      await settled();
      // There is room for two calls, and what waits is for streams of which an append is under way: it is not sent.
      expect(calls).toHaveLength(index + 1);
      calls[index]!.finish();
    }
    expect(calls.map((call) => call.streams.join())).toEqual(['a,b,c', 'a,c', 'a']);
    const revisions = (await Promise.all(added)).map(
      (outcome) => outcome.kind === 'appended' && outcome.result.revision,
    );
    expect(revisions).toEqual([1n, 1n, 2n, 1n, 3n, 2n]);
  });

  it('limits a group by number and by size', async () => {
    const { calls, add } = openQueue();
    const small = Array.from({ length: 150 }, (_, index) => add(`s${index}`));
    const large = Array.from({ length: 6 }, (_, index) => add(`t${index}`, -1n, 900 * 1024));
    const sizes: number[] = [];
    for (let index = 0; index < 4; index += 1) {
      await settled();
      sizes.push(calls[index]!.streams.length);
      calls[index]!.finish();
    }
    expect(sizes).toEqual([64, 64, 26, 2]);
    expect(await Promise.all([...small, ...large])).toHaveLength(156);
  });

  it('fails all appends of a call that throws, and goes on', async () => {
    const { calls, add } = openQueue();
    const first = add('a');
    await settled();
    calls[0]!.finish(new Error('broken'));
    expect(await first).toMatchObject({ kind: 'failed', error: { message: 'broken' } });
    const second = add('a');
    await settled();
    calls[1]!.finish();
    expect((await second).kind).toBe('appended');
  });
});
