import { expect, it } from 'vitest';
import { union } from '../../../domain/shared/reach.ts';

it.each([
  [
    ['a', 'b'],
    ['b', 'c'],
    ['a', 'b', 'c'],
  ],
  [[], ['a'], ['a']],
  [['a'], null, null],
  [null, ['a'], null],
  [null, null, null],
])('%j and %j together reach %j', (one, other, both) => expect(union(one, other)).toEqual(both));
