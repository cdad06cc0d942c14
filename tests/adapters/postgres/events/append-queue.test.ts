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
