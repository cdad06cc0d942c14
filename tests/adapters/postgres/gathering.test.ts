import { expect, it } from 'vitest';
import { createGathering, type GatheringOptions } from '../../../adapters/postgres/gathering.ts';

/** What was sent, and how each sending ends: the test ends them. */
const gathering = (options: Pick<GatheringOptions<string, string>, 'bytesOf' | 'inFlight'> = {}) => {
  const sent: { readonly items: readonly string[]; readonly end: (error?: Error) => void }[] = [];
  const ask = createGathering<string, string>({
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
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('sends what comes alone at once, and what gathers meanwhile together', async () => {
  const { sent, ask, items } = gathering();
  const answers = [ask('a')];
  await turn();
  answers.push(ask('b'));
  await turn();
  answers.push(ask('c'), ask('d'));
  await turn();
  expect(items()).toEqual([['a']]);
  sent[0]!.end();
  await turn();
  expect(items()).toEqual([['a'], ['b', 'c', 'd']]);
  for (const { end } of sent) end();
  expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'c!', 'd!']);
});

it('does not wait for what is under way where much has gathered', async () => {
  const { ask, items } = gathering();
  void ask('first');
  await turn();
  for (let item = 0; item < 16; item++) void ask(String(item));
  await turn();
  expect(items().map(({ length }) => length)).toEqual([1, 16]);
});

it('shares out what is asked for together over two sendings where it is much', async () => {
  const { ask, items } = gathering();
  for (let item = 0; item < 50; item++) void ask(String(item));
  await turn();
  expect(items().map(({ length }) => length)).toEqual([25, 25]);
  const few = gathering();
  for (const item of ['a', 'b', 'c', 'd', 'e']) void few.ask(item);
  await turn();
  expect(few.items()).toEqual([['a', 'b', 'c', 'd', 'e']]);
});

it('without a bound sends what is asked for in one turn together, and keeps nobody waiting', async () => {
  const { ask, items } = gathering({ inFlight: Infinity });
  for (const item of ['a', 'b', 'c']) void ask(item);
  await turn();
  void ask('d');
  await turn();
  void ask('e');
  await turn();
  expect(items()).toEqual([['a', 'b', 'c'], ['d'], ['e']]);
});

it('sends one by one what failed together, so that each has its own error', async () => {
  const { sent, ask, items } = gathering();
  const answers = ['a', 'b', 'c'].map(ask);
  const settled = Promise.allSettled(answers);
  await turn();
  sent[0]!.end(new Error('one of them'));
  await turn();
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
  const { sent, ask, items } = gathering();
  const answers = ['a', 'b', 'c'].map(ask);
  const settled = Promise.allSettled(answers);
  await turn();
  sent[0]!.end(Object.assign(new Error('gone'), { code: '57P01' }));
  expect(await settled).toMatchObject(answers.map(() => ({ reason: { message: 'gone' } })));
  expect(items()).toEqual([['a', 'b', 'c']]);
});

it('keeps groups within 4 MB, but for a single item', async () => {
  const { sent, ask, items } = gathering({ bytesOf: (item) => Number(item) * 1024 * 1024 });
  for (const item of ['1', '1', '3', '2', '9', '1']) void ask(item);
  await turn();
  for (let nth = 0; nth < sent.length; nth++) {
    sent[nth]!.end();
    await turn();
  }
  expect(items()).toEqual([['1', '1'], ['3'], ['2'], ['9'], ['1']]);
});
