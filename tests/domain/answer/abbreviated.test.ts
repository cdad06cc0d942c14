import { describe, expect, it } from 'vitest';
import { isAbbreviated } from '../../../domain/answer/sentences.ts';

describe('a full stop ends no sentence', () => {
  it.each([
    ['he met Dr.', ' S'],
    ['the letters, pp.', ' 4'],
    ['p.', ' 7'],
    ['as said on p.', ' 7'],
    ['as said (p.', ' 7'],
    ['as said [Ch.', ' 7'],
    ['the ver.', ' 7'],
    ['the vers.', ' 7'],
    ['the par.', ' 7'],
  ])('behind %j before %j', (ending, next) => expect(isAbbreviated(ending, next)).toBe(true));

  it.each([
    ['said on p.', ' N'],
    ['said on p. 7.', ' 8'],
    ['a big map.', ' 7'],
    ['it has art.', ' A'],
    ['said on p.', '7 '],
    ['said on p.', ' a7'],
    ['he met Dr.', 'S '],
    ['the verse', ' 7'],
    ['said on p.x', ' 7'],
  ])('but does behind %j before %j', (ending, next) => expect(isAbbreviated(ending, next)).toBe(false));
});
