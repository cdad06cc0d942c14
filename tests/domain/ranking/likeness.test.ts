import { describe, expect, it } from 'vitest';
import { createLikeness } from '../../../domain/ranking/likeness.ts';

const textsOf = (...texts: readonly string[]) => texts.map((text) => ({ title: '', text }));

describe('the likeness of texts', () => {
  it('is the cosine of their words, where rare ones among them weigh more', () => {
    const like = createLikeness()(textsOf('wing flutter', 'wing heat', 'heat heat'));
    // Wing and heat are in two of three texts, flutter in one.
    const [often, once] = [Math.log(1 + 3 / 2), Math.log(1 + 3)];
    expect(like(0, 1)).toBeCloseTo(often ** 2 / (Math.hypot(often, once) * Math.hypot(often, often)), 12);
    expect(like(1, 2)).toBeCloseTo(often / Math.hypot(often, often), 12);
    expect(like(0, 2)).toBe(0);
    expect(like(1, 0)).toBe(like(0, 1));
  });

  it('counts a word that stands there often less than as often', () => {
    const like = createLikeness()(textsOf('wing wing wing heat', 'wing'));
    const [wing, heat] = [(1 + Math.log(3)) * Math.log(2), Math.log(3)];
    expect(like(0, 1)).toBeCloseTo(wing / Math.hypot(wing, heat), 12);
  });

  it('reads titles too, and a text anew under another title', () => {
    const compare = createLikeness();
    const other = { title: 'wing', text: 'heat' };
    expect(compare([{ title: '', text: 'flow' }, other])(0, 1)).toBe(0);
    expect(compare([{ title: 'wing', text: 'flow' }, other])(0, 1)).toBeGreaterThan(0.1);
  });

  it('is nothing for texts without words', () => {
    const like = createLikeness()(textsOf('', '?!', 'wing'));
    expect([like(0, 1), like(0, 2), like(0, 0)]).toEqual([0, 0, 0]);
  });

  it('is the same whatever was compared before, and after all was forgotten', () => {
    const texts = textsOf('wing flutter at speed', 'heat of a wing', 'speed and heat');
    const [fresh, used, forgetful] = [createLikeness(), createLikeness(), createLikeness(3)];
    for (const compare of [used, forgetful]) compare(textsOf('a body in the flow', 'heat', 'wing of a bird'));
    const [expected, ...others] = [fresh, used, forgetful, used, forgetful].map((compare) => {
      const like = compare(texts);
      return [0, 1, 2].flatMap((one) => [0, 1, 2].map((other) => like(one, other)));
    });
    for (const one of others) expect(one).toEqual(expected);
  });
});
