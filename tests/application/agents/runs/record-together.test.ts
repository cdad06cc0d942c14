import { expect, it } from 'vitest';
import { recordTogether, type ToKeep } from '../../../../application/agents/runs/record-together.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const named = (name: string): ToKeep => ({
  texts: { [name]: name },
  commandOf: () => ({ type: 'cancel_done', at: 0 }),
});

/** What was kept together, and how each keeping ends: the test ends it. */
const recording = () => {
  const kept: (readonly string[])[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const records = recordTogether((given) => {
    kept.push(given.flatMap(({ texts }) => Object.keys(texts)));
    ends.push(Promise.withResolvers());
    return ends.at(-1)!.promise;
  }, turn);
  return { kept, records, end: () => ends.at(-1)!.resolve(), lose: (e: Error) => ends.at(-1)!.reject(e) };
};

it('what is added in one breath is kept together, and what comes meanwhile behind it', async () => {
  const { kept, records, end } = recording();
  const both = [records.add(named('a')), records.add(named('b'))];
  await turn();
  for (const name of ['c', 'd', 'e', 'f']) void records.add(named(name));
  await turn();
  expect(kept).toEqual([['a', 'b']]);
  end();
  await Promise.all(both);
  await turn();
  end();
  await turn();
  expect(kept).toEqual([['a', 'b'], ['c', 'd', 'e'], ['f']]);
});

it('nothing is kept behind what could not be kept, waited for or not', async () => {
  const { kept, records, lose } = recording();
  records.add(named('a')).catch(() => {});
  await turn();
  const next = records.add(named('b'));
  lose(new Error('the disk is full'));
  await expect(next).rejects.toThrow('the disk is full');
  await expect(records.add(named('c'))).rejects.toThrow('the disk is full');
  await expect(records.settled()).rejects.toThrow('the disk is full');
  expect(kept).toEqual([['a']]);
});
