import { expect, it } from 'vitest';
import { createRecentTexts } from '../../../../adapters/postgres/catalog/contents-by-id.ts';

it('texts go when others need their place, the one that was not asked for longest first', () => {
  const texts = createRecentTexts(2_000);
  const text = (no: number) => ({ no, text: 'x'.repeat(200) });
  for (const no of [1, 2]) texts.keep(`${no}`, text(no));
  expect(texts.of('1')).toEqual(text(1));
  texts.keep('3', text(3));
  expect(['1', '2', '3'].map((id) => texts.of(id)?.no)).toEqual([1, undefined, 3]);
  // Under another number, in the place of what was there.
  texts.keep('3', text(4));
  expect(['1', '3'].map((id) => texts.of(id)?.no)).toEqual([1, 4]);
  texts.keep('5', { no: 5, text: 'x'.repeat(2_000) });
  expect(['1', '3', '5'].map((id) => texts.of(id)?.no)).toEqual([undefined, undefined, undefined]);
});
