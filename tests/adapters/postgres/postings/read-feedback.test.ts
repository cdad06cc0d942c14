import { sql } from 'kysely';
import { expect, it } from 'vitest';
import {
  createReadFeedback,
  type FeedbackContent as Content,
} from '../../../../adapters/postgres/postings/ranking-queries.ts';
import { createStems } from '../../../../adapters/postgres/postings/stems.ts';
import { createHistory, openCatalog } from '../catalog/catalog-fixture.ts';

const NOBODY = undefined as never;

it('terms of the best contents are counted alike whether they are known or not, and known ones ask nobody', async () => {
  const fixture = await openCatalog();
  const of = createHistory(fixture.files).of('birds', 'ds birds');
  await fixture.apply(of.indexed('birds', { chunks: ['falcon falcons kestrel', 'falcon osprey osprey'] }));
  const { rows } = await sql<{ no: number }>`select no from read.content order by no`.execute(fixture.db);
  const [first = 0, second = 0] = rows.map(({ no }) => no);
  const [a, b] = [first, second].map((no) => ({ no, share: 1 })) as [Content, Content];
  const state = { version: 1, tenantNo: 1, deadBatches: [], segments: [] };
  const [keeping, forgetting] = [createReadFeedback(createStems()), createReadFeedback(createStems(), 0)];
  for (const read of [keeping, forgetting]) {
    const one = await read(fixture.db, state, [b]);
    expect([one.get('falcon'), one.get('osprey'), one.get('kestrel')]).toEqual([1, 2, undefined]);
    const both = await read(fixture.db, state, [a, b]);
    expect([both.get('falcon'), both.get('osprey'), both.get('kestrel')]).toEqual([3, 2, 1]);
  }
  const shared = await keeping(NOBODY, state, [a, { ...b, share: 0.5 }]);
  expect([shared.get('falcon'), shared.get('osprey'), shared.get('kestrel')]).toEqual([2.5, 1, 1]);
  expect(await keeping(NOBODY, state, [b, a])).toEqual(await forgetting(fixture.db, state, [a, b]));
  await expect(keeping(NOBODY, { ...state, version: 2 }, [a])).rejects.toThrow(TypeError);
  await fixture.close();
});
