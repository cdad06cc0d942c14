import { describe, expect, it } from 'vitest';
import {
  createMicroBatch,
  createSingleFlight,
  type MicroBatchOptions,
  readOncePerTick,
} from '../../../adapters/postgres/batching.ts';

/** Batches that were sent; the test ends each. */
const batch = (options: Pick<MicroBatchOptions<string, string>, 'bytesOf' | 'inFlight'> = {}) => {
  const sent: { readonly items: readonly string[]; readonly end: (error?: Error) => void }[] = [];
  const ask = createMicroBatch<string, string>({
    ...options,
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
  it('sends what comes alone at once, and what gathers meanwhile together', async () => {
    const { sent, ask, items } = batch();
    const answers = [ask('a')];
    await tick();
    answers.push(ask('b'));
    await tick();
    answers.push(ask('c'), ask('d'));
    await tick();
    expect(items()).toEqual([['a']]);
    sent[0]!.end();
    await tick();
    expect(items()).toEqual([['a'], ['b', 'c', 'd']]);
    for (const { end } of sent) end();
    expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'c!', 'd!']);
  });

  it('does not wait for what is under way where much has gathered', async () => {
    const { ask, items } = batch();
    void ask('first');
    await tick();
    for (let item = 0; item < 16; item++) void ask(String(item));
    await tick();
    expect(items().map(({ length }) => length)).toEqual([1, 16]);
  });

  it('shares out what is asked for together over two sendings where it is much', async () => {
    const { ask, items } = batch();
    for (let item = 0; item < 50; item++) void ask(String(item));
    await tick();
    expect(items().map(({ length }) => length)).toEqual([25, 25]);
    const few = batch();
    for (const item of ['a', 'b', 'c', 'd', 'e']) void few.ask(item);
    await tick();
    expect(few.items()).toEqual([['a', 'b', 'c', 'd', 'e']]);
  });

  it('without a bound sends what is asked for in one turn together, and keeps nobody waiting', async () => {
    const { ask, items } = batch({ inFlight: Infinity });
    for (const item of ['a', 'b', 'c']) void ask(item);
    await tick();
    void ask('d');
    await tick();
    void ask('e');
    await tick();
    expect(items()).toEqual([['a', 'b', 'c'], ['d'], ['e']]);
  });

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

  it('keeps groups within 4 MB, but for a single item', async () => {
    const { sent, ask, items } = batch({ bytesOf: (item) => Number(item) * 1024 * 1024 });
    for (const item of ['1', '1', '3', '2', '9', '1']) void ask(item);
    await tick();
    for (let nth = 0; nth < sent.length; nth++) {
      sent[nth]!.end();
      await tick();
    }
    expect(items()).toEqual([['1', '1'], ['3'], ['2'], ['9'], ['1']]);
  });
});

describe('reads once per tick', () => {
  it('share one read per key and tick, which begins after the last call', async () => {
    let written = 0;
    const read: string[] = [];
    const shared = readOncePerTick(async (key) => {
      read.push(key);
      return `${key} ${written}`;
    });
    const asked = [shared('a'), shared('a'), shared('b')];
    written = 1;
    asked.push(shared('a'));
    expect(read).toEqual([]);
    expect(await Promise.all(asked)).toEqual(['a 1', 'a 1', 'b 1', 'a 1']);
    expect(read).toEqual(['a', 'b']);
  });

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

  it('ask once for what several want, and say what was not found', async () => {
    const { of, asked, go } = open();
    const answers = [of('a', 'b'), of('b', 'c', 'x'), of('a', 'x'), of()];
    go();
    expect((await Promise.all(answers)).map((found) => [...found])).toEqual([
      [
        ['a', 'A'],
        ['b', 'B'],
      ],
      [
        ['b', 'B'],
        ['c', 'C'],
      ],
      [['a', 'A']],
      [],
    ]);
    expect(asked).toEqual([
      ['a', 'b'],
      ['c', 'x'],
    ]);
  });

  it('are made anew when they are over, and after a failure, which all hear of', async () => {
    const { of, asked, fail } = open();
    const failing = Promise.allSettled([of('a'), of('a', 'b')]);
    fail(new Error('away'));
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(of('a')).rejects.toThrow('away');
    expect(asked).toEqual([['a'], ['b'], ['a']]);
  });
});
