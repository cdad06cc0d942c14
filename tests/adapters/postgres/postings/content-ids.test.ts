import fc from 'fast-check';
import { expect, it } from 'vitest';
import { identified, packIds } from '../../../../adapters/postgres/postings/count-cache.ts';

it('ids of contents are read as they were packed', () => {
  fc.assert(
    fc.property(fc.array(fc.uuid(), { minLength: 1, maxLength: 20 }), (ids) => {
      const offsets = Uint32Array.from(ids, (_, i) => 3 * i);
      const documents = { offsets, lengths: new Int32Array(ids.length), ids: packIds(ids) };
      const segment = { segment: 1, firstNo: 10, lastNo: 10 + 3 * ids.length };
      const nos = ids.map((_, i) => 10 + 3 * i);
      const scores = ids.map((_, i) => ids.length - i);
      const found = identified({ nos, scores }, [segment], [{ documents, directory: [] }]);
      expect(found.map(({ contentId }) => contentId)).toEqual(ids);
    }),
  );
});
