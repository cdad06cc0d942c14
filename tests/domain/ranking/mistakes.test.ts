import { describe, expect, it } from 'vitest';
import { likelihood, mistakes } from '../../../domain/ranking/mistakes.ts';

describe('how far a typed word is from one that may be meant', () => {
  it.each([
    ['hat', 'hats', Infinity],
    ['hats', 'hat', 1],
    ['dump', 'dump', 0],
    ['colendr', 'calendar', Infinity],
    ['calendr', 'calendar', 1],
    ['cilendir', 'calendar', 2],
    ['cilendor', 'calender', 2],
    ['cilondor', 'calender', Infinity],
  ])('%s is so far from %s: %d; two mistakes are allowed from eight letters on', (typed, word, distance) =>
    expect(mistakes(typed, word)).toBe(distance),
  );

  it.each(['facuum', 'acuum', 'avcuum', 'xvacuum'])(
    'the first letter of %s is wrong, which counts half a mistake more',
    (typed) => expect(mistakes(typed, 'vacuum')).toBe(typed.length < 6 ? Infinity : 1.5),
  );

  it.each([
    ['tables', 'fables'],
    ['pocket', 'socket'],
    ['keeping', 'beeping'],
  ])('%s is another word than %s, by a first letter that is not like it', (typed, word) =>
    expect(mistakes(typed, word)).toBe(Infinity),
  );

  it.each([
    ['enviorment', 'environment', 2],
    ['begginers', 'beginners', 2],
    ['adddresss', 'address', 2],
    ['synchronise', 'synchronized', 2],
    ['athelitic', 'athletic', 2],
    ['decibels', 'decides', Infinity],
    ['rehearse', 'release', Infinity],
    ['nitrogen', 'nitrokey', Infinity],
    ['custmers', 'clusters', Infinity],
    ['библеотика', 'библиотека', 2],
  ])('of two mistakes both are likely ones where %s is meant for %s: %d', (typed, word, distance) =>
    expect(mistakes(typed, word)).toBe(distance),
  );

  it.each(['facum', 'fxcuum', 'facuuum'])('nothing else may be wrong then: %s', (typed) =>
    expect(mistakes(typed, 'vacuum')).toBe(Infinity),
  );
});

it('letters are likelier swapped than left out, left out than changed, and the last is seldom wrong', () => {
  const typed = ['tbale', 'tabel', 'tble', 'tabl', 'tible', 'tabli', 'tabile', 'tableu'];
  const likely = typed.map((form) => likelihood(form, 'table'));
  expect(likely).toEqual([3.5, 3, 2.5, 2, 1.5, 1, 0.5, 0]);
});
