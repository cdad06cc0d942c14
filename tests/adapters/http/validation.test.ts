import Type, { type TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { createValidators } from '../../../adapters/http/validation.ts';

describe('the check of a schema', () => {
  it('is compiled when the first value comes, so that a start need not wait for it', () => {
    const unknownKeyword = { type: 'string', 'no-such-keyword': 1 } as unknown as TSchema;
    const check = createValidators({})(unknownKeyword, 'body');
    expect(() => check('text')).toThrow(/unknown keyword/);
  });

  it('fills in defaults, and refuses what does not fit, each time anew', () => {
    const check = createValidators({})(Type.Object({ n: Type.Number({ default: 1 }) }), 'body');
    const value = {};
    check(value);
    expect(value).toEqual({ n: 1 });
    for (let time = 0; time < 2; time += 1) expect(() => check({ n: 'many' })).toThrow(/n/);
    check({ n: 2 });
  });
});
