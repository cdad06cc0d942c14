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

  it.each(['xacuum', 'acuum', 'avcuum', 'xvacuum'])(
    'the first letter of %s is wrong, which counts half a mistake more',
    (typed) => expect(mistakes(typed, 'vacuum')).toBe(typed.length < 6 ? Infinity : 1.5),
  );

  it.each(['xacum', 'xxcuum', 'xacuuum'])('nothing else may be wrong then: %s', (typed) =>
    expect(mistakes(typed, 'vacuum')).toBe(Infinity),
  );
});

it('letters are likelier swapped than left out, left out than changed, and the last is seldom wrong', () => {
  const typed = ['tbale', 'tabel', 'tble', 'tabl', 'tible', 'tabli', 'tabile', 'tableu'];
  const likely = typed.map((form) => likelihood(form, 'table'));
  expect(likely).toEqual([3.5, 3, 2.5, 2, 1.5, 1, 0.5, 0]);
});
