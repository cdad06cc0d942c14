import { describe, expect, it } from 'vitest';
import { phraseScores } from '../../../domain/answer/phrase-scores.ts';

const passage = (text: string, title = 'Page') => ({ title, text });

describe('phrases of a question', () => {
  it('count where its words stand next to each other, in their order, inflected or not', () => {
    const together = passage('The execution plans are shown by this command.');
    const apart = passage('The plan says in which order the execution goes.');
    expect(phraseScores('How do I see the execution plan?', [apart, together])).toEqual([0, 1]);
  });

  it('count in titles, and over words that only join', () => {
    const titled = passage('Nothing else.', 'Types of tables');
    expect(phraseScores('type table', [passage('A table has a type.'), titled])).toEqual([0, 1]);
  });

  it('count more where few have them, and each further occurrence less', () => {
    const rare = passage('A cascading trigger fires.');
    const common = passage('A deferred trigger fires. A deferred trigger fires. A deferred trigger fires.');
    const once = passage('A deferred trigger fires.');
    const [a, b, c] = phraseScores('cascading trigger or deferred trigger', [rare, common, once]);
    expect(a).toBe(1);
    expect(b).toBeGreaterThan(c ?? 0);
    expect(b).toBeLessThan(3 * (c ?? 0));
    expect(c).toBeLessThan(1);
  });

  it('are none in a word alone, in a word said twice, and in what has none', () => {
    expect(phraseScores('vacuum', [passage('vacuum')])).toEqual([0]);
    expect(phraseScores('so so vacuum vacuum', [passage('vacuum vacuum')])).toEqual([0]);
    expect(phraseScores('execution plan', [passage('Nothing.')])).toEqual([0]);
    expect(phraseScores('execution plan', [])).toEqual([]);
  });
});
