import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { camelKeys, snakeKeys } from '../../../domain/shared/key-case.ts';

describe('the two spellings of a name', () => {
  it.each([
    ['job_id', 'jobId'],
    ['raw_sha256', 'rawSha256'],
    ['no', 'no'],
    ['max_num_files', 'maxNumFiles'],
  ])('%s is %s', (snake, camel) => {
    expect(camelKeys({ [snake]: 1 })).toEqual({ [camel]: 1 });
    expect(snakeKeys({ [camel]: 1 })).toEqual({ [snake]: 1 });
  });

  it('are changed at every depth, in the order of the fields, and values are left alone', () => {
    const stored = {
      data_source_id: 'job_id',
      counts: [{ raw_bytes: 1 }, null, 'a_b'],
      at: new Date(0),
      a_b: [1, 2],
    };
    const inside = {
      dataSourceId: 'job_id',
      counts: [{ rawBytes: 1 }, null, 'a_b'],
      at: new Date(0),
      aB: [1, 2],
    };
    expect(JSON.stringify(camelKeys(stored))).toBe(JSON.stringify(inside));
    expect(JSON.stringify(snakeKeys(inside))).toBe(JSON.stringify(stored));
  });

  it('leave the keys of callers as they are', () => {
    const stored = { authz_policy: 'x', attributes: { user_id: 1, userId: 2, deep: [{ a_b: 1 }] } };
    expect(camelKeys(stored)).toEqual({ authzPolicy: 'x', attributes: stored.attributes });
    expect(snakeKeys(camelKeys(stored))).toEqual(stored);
  });

  it('are those of objects without a prototype too, and of no others', () => {
    const bare = Object.assign(Object.create(null) as object, { a_b: 1 });
    expect(camelKeys(bare)).toEqual({ aB: 1 });
    const at = new Date(0);
    expect(camelKeys({ a: [{ at }] })).toEqual({ a: [{ at }] });
    expect([camelKeys(null), camelKeys('a_b'), camelKeys(['a_b', { a_b: 1 }])]).toEqual([
      null,
      'a_b',
      ['a_b', { aB: 1 }],
    ]);
  });

  it('lead back to each other', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9]*$/);
    const name = fc
      .array(word, { minLength: 1, maxLength: 4 })
      .map((words) => words.join('_'))
      .filter((spelt) => spelt !== 'attributes');
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.string(),
        fc.integer(),
        fc.constant(null),
        tie('list'),
        tie('record'),
      ),
      list: fc.array(tie('any'), { maxLength: 3 }),
      record: fc.dictionary(name, tie('any'), { maxKeys: 4, noNullPrototype: true }),
    })).record;
    fc.assert(
      fc.property(value, (stored) => {
        expect(snakeKeys(camelKeys(stored))).toEqual(stored);
      }),
    );
  });
});
