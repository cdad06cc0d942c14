import { describe, expect, it } from 'vitest';
import {
  createMicroBatch,
  createSingleFlight,
  readOncePerTick,
} from '../../../adapters/postgres/batching.ts';

/** Batches that were sent; the test ends each. */
const batch = () => {
  const sent: { readonly items: readonly string[]; readonly end: (error?: Error) => void }[] = [];
  const ask = createMicroBatch<string, string>({
    send: (items) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) =>
          error === undefined ? resolve(items.map((item) => `${item}!`)) : reject(error);
        sent.push({ items, end });
      }),
  });
  return { sent, ask, items: () => sent.map(({ items }) => items) };
};
const tick = () => new Promise((resolve) => setImmediate(resolve));

describe('a micro-batch', () => {
  it('sends one by one what failed together, so that each has its own error', async () => {
    const { sent, ask, items } = batch();
    const answers = ['a', 'b', 'c'].map(ask);
    const settled = Promise.allSettled(answers);
    await tick();
    sent[0]!.end(new Error('one of them'));
    await tick();
    expect(items()).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
    sent[1]!.end();
    sent[2]!.end(new Error('b is refused'));
    sent[3]!.end();
    expect(await settled).toMatchObject([
      { value: 'a!' },
      { reason: { message: 'b is refused' } },
      { value: 'c!' },
    ]);
  });

  it('sends nothing again where the server was lost, which may have done it', async () => {
    const { sent, ask, items } = batch();
    const answers = ['a', 'b', 'c'].map(ask);
    const settled = Promise.allSettled(answers);
    await tick();
    sent[0]!.end(Object.assign(new Error('gone'), { code: '57P01' }));
    expect(await settled).toMatchObject(answers.map(() => ({ reason: { message: 'gone' } })));
    expect(items()).toEqual([['a', 'b', 'c']]);
  });
});

describe('reads once per tick', () => {
  it('read anew while an earlier read is in flight', async () => {
    const readings = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    let count = 0;
    const shared = readOncePerTick(() => readings[count++]!.promise);
    const first = shared('a');
    await tick();
    const second = shared('a');
    await tick();
    expect(count).toBe(2);
    readings[1]!.resolve('second');
    readings[0]!.resolve('first');
    expect(await Promise.all([first, second])).toEqual(['first', 'second']);
  });

  it('fail together with their read, and no later call does', async () => {
    let fails = true;
    const shared = readOncePerTick(async () => {
      if (fails) throw new Error('broken');
      return 'read';
    });
    const asked = await Promise.allSettled([shared('a'), shared('a')]);
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await shared('a')).toBe('read');
  });
});

describe('single flight', () => {
  /** Reads wait until they are let go; `x` is never found. */
  const open = () => {
    const read = createSingleFlight<string>();
    const asked: (readonly string[])[] = [];
    const { promise: gate, resolve: go, reject: fail } = Promise.withResolvers<void>();
    const of = (...keys: readonly string[]) =>
      read(keys, async (wanted) => {
        asked.push(wanted);
        await gate;
        return new Map(wanted.filter((key) => key !== 'x').map((key) => [key, key.toUpperCase()]));
      });
    return { of, asked, go, fail };
  };

  it('are made anew when they are over, and after a failure, which all hear of', async () => {
    const { of, asked, fail } = open();
    const failing = Promise.allSettled([of('a'), of('a', 'b')]);
    fail(new Error('away'));
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(of('a')).rejects.toThrow('away');
    expect(asked).toEqual([['a'], ['b'], ['a']]);
  });
});
