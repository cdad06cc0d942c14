import { expect, it } from 'vitest';
import { unwrittenOf, unwrittenWords } from '../../../domain/ranking/unwritten.ts';

const asked = (word: string, ...terms: readonly string[]) => ({ word, n: 1, terms });

it('unwritten are words of which no term is known, but no stop words, and no names as a whole', () => {
  const words = [
    asked('tapes', 'tap', 'tape'),
    asked('x11', 'x11'),
    asked('of'),
    asked('\u0001max_reel', '\u0001max_reel'),
    asked('max_reel', 'max_reel'),
    asked('reels', 'reel', 'reels'),
  ];
  expect(unwrittenOf(words, (term) => term === 'tape')).toEqual(['x11', 'reels']);
});

it('unwritten words are told from common ones, in any form', () =>
  expect(unwrittenWords(['bitcoin', 'pastures'], (word) => word === 'pasture')).toEqual([
    { word: 'bitcoin', isOfLanguage: false },
    { word: 'pastures', isOfLanguage: true },
  ]));
