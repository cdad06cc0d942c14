import { describe, expect, it } from 'vitest';
import { evidenceOf } from '../../../domain/answer/evidence.ts';
import { isAbout } from '../../../domain/answer/is-about.ts';
import type { Ranking } from '../../../domain/answer/rank-sentences.ts';

const setOf = (terms: string): ReadonlySet<string> => new Set(terms.split(' ').filter((term) => term !== ''));
interface Held {
  readonly terms: string;
  readonly isOfKind?: boolean;
  readonly score?: number;
}
/** Of passages with one sentence each that hold these terms, and of their sentences, the best first. */
const found = (
  subject: string,
  passages: readonly string[],
  sentences: readonly Held[] = passages.map((terms) => ({ terms })),
  { kind = 'other', neighbours = null as number | null, sort = '', missing = '', called = '' } = {},
): Ranking =>
  ({
    asked: { subject: setOf(subject), sort: setOf(sort), called: setOf(called), kind, isEnglish: true },
    missing: setOf(missing),
    texts: passages.map((terms) => [{ matched: setOf(terms) }]),
    sentences: sentences.map(({ terms, ...more }) => ({
      passage: 0,
      matched: setOf(terms),
      score: 1,
      isOfKind: true,
      ...more,
    })),
    neighbours,
  }) as unknown as Ranking;

describe('evidence that passages answer a question', () => {
  it('is what the five passages hold that hold most', () => {
    expect(evidenceOf(found('tape reel', ['tape', 'tape reel'])).passages).toBe(0.75);
    const many = ['tape', 'tape reel', 'tape reel', 'tape reel', 'tape reel', 'tape reel', ''];
    expect(evidenceOf(found('tape reel', many)).passages).toBe(1);
  });

  it('is what a sentence holds at most, and what the best one does', () => {
    const { sentence, best } = evidenceOf(
      found('tape reel', [''], [{ terms: 'tape' }, { terms: 'tape reel' }]),
    );
    expect([sentence, best]).toEqual([1, 0.5]);
  });

  it('counts words that may stand in any question for little, and alike where there are no others', () => {
    expect(evidenceOf(found('tape own', ['tape'])).sentence).toBeCloseTo(1 / 1.15);
    expect(evidenceOf(found('tape own', ['own'])).sentence).toBeCloseTo(0.15 / 1.15);
    expect(evidenceOf(found('new own', ['own'])).sentence).toBeCloseTo(0.5);
  });

  it('counts the sort of thing for little where it goes unsaid, and in full where it is said', () => {
    const of = (missing: string, held: string) =>
      evidenceOf(found('bird walk water', [held], undefined, { sort: 'bird', missing })).passage;
    expect(of('bird', 'walk water')).toBeCloseTo(2 / 2.15, 9);
    expect(of('', 'walk water')).toBeCloseTo(2 / 3, 9);
    expect(of('bird', 'walk')).toBeCloseTo(1 / 2.15, 9);
  });

  it('is how the best sentence scores, whatever the number of pieces', () => {
    const score = (pieces: number): number =>
      evidenceOf(
        found(
          'tape',
          Array.from({ length: pieces }, () => 'tape'),
          [{ terms: 'tape', score: 4 }],
        ),
      ).score;
    expect(score(1)).toBeCloseTo(Math.log1p(4 / Math.log(4)));
    expect(score(9)).toBeCloseTo(Math.log1p(4 / Math.log(20)));
  });

  it('is how many neighbours are held, and half where there are none', () => {
    const of = (neighbours: number | null) =>
      evidenceOf(found('tape', ['tape'], undefined, { neighbours })).neighbours;
    expect([of(null), of(0), of(1)]).toEqual([0.5, 0, 1]);
  });

  it('is less where sentences of the kind that is asked for hold less, unless any words tell it', () => {
    const lack = (kind: string, isOfKind: boolean): number =>
      evidenceOf(found('tape reel', [''], [{ terms: 'tape reel', isOfKind }, { terms: 'tape' }], { kind }))
        .lackOfKind;
    expect(['number', 'default', 'person', 'time'].map((kind) => lack(kind, false))).toEqual([
      0.5, 0.5, 0.5, 0.5,
    ]);
    expect(['other', 'place', 'difference'].map((kind) => lack(kind, false))).toEqual([0, 0, 0]);
    expect(lack('number', true)).toBe(0);
  });

  it('is less where no sentence holds all names, or the passage of the best lacks one', () => {
    const lack = (passages: readonly string[], best: string, other: string, called = 'reel crate') =>
      evidenceOf(found('tape reel crate', passages, [{ terms: best }, { terms: other }], { called }))
        .lackOfNames;
    expect(lack(['reel crate', ''], 'tape', 'reel crate')).toBe(0);
    expect(lack(['reel', 'reel crate'], 'tape', 'reel crate')).toBe(0.5);
    expect(lack(['reel crate', ''], 'reel', 'crate')).toBe(0.5);
    expect(lack(['reel', 'crate'], 'reel', 'crate')).toBe(1);
    expect(lack(['', ''], 'tape', 'tape', '')).toBe(0);
  });

  it('is less where a word is in no text at all, and half as much where it is a common one', () => {
    const lack = (...unwritten: readonly (readonly [word: string, isOfLanguage: boolean])[]) =>
      evidenceOf(
        found('tape reel crat', ['tape'], undefined, { missing: 'reel crat' }),
        unwritten.map(([word, isOfLanguage]) => ({ word, isOfLanguage })),
      ).lackOfWords;
    expect([lack(), lack(['crates', true]), lack(['crates', false])]).toEqual([0, 0.5, 1]);
    expect(lack(['reels', false], ['crates', true])).toBe(1);
    // Found on the web, beside the question, or a stop word.
    expect([lack(['tapes', false]), lack(['boxes', false]), lack(['of', true])]).toEqual([0, 0, 0]);
  });
});

describe('passages are taken for an answer', () => {
  const isTaken = (
    passages: readonly string[],
    best: Held,
    neighbours: number | null = null,
    kind = 'other',
  ) => isAbout(found('tape reel crate', passages, [best], { neighbours, kind }));
  const [all, two, one] = ['tape reel crate', 'tape reel', 'tape'];

  it('by all evidence together, none of which decides alone', () => {
    expect(isTaken([all, all], { terms: all, score: 2 })).toBe(true);
    expect(isTaken([two, two], { terms: two, score: 4 }, 1)).toBe(true);
    expect(isTaken([two, two], { terms: two, score: 1.5 }, 1)).toBe(true);
    expect(isTaken([two, two], { terms: two, score: 1.5 }, 0)).toBe(false);
    expect(isTaken([two, two], { terms: two, score: 0.5 }, 1)).toBe(false);
    expect(isTaken([one, one], { terms: two, score: 1.5 }, 1)).toBe(false);
    expect(isTaken([one, one], { terms: all, score: 4 }, 1)).toBe(true);
    expect(isTaken([all, all], { terms: one, score: 0.5 })).toBe(false);
  });

  it('unless a word is nowhere that is no common one', () => {
    const isTakenWithout = (isOfLanguage: boolean): boolean =>
      isAbout(found('tape reel crat', [two, two], [{ terms: two, score: 1.4 }], { missing: 'crat' }), [
        { word: 'crates', isOfLanguage },
      ]);
    expect([isTakenWithout(true), isTakenWithout(false)]).toEqual([true, false]);
  });

  it('on a small site too, where one passage speaks of it and the others of other things', () => {
    expect(isTaken([all, '', '', ''], { terms: all, score: 4 }, 1)).toBe(true);
    expect(isTaken([all, ''], { terms: two, score: 3 }, 1)).toBe(true);
    expect(isTaken([one, one], { terms: one, score: 2 }, 0)).toBe(false);
  });

  it('where all speak of all that is asked, so that no term is rare', () => {
    expect(isTaken([all, all], { terms: all, score: 0 })).toBe(true);
    expect(isTaken([all, two], { terms: all, score: 0 })).toBe(false);
  });

  it('but not where who, when or how many is asked for and half of the question lacks it', () => {
    const sentences = (terms: string) => [
      { terms: all, isOfKind: false, score: 9 },
      { terms, score: 1 },
    ];
    const of = (kind: string, terms: string) =>
      isAbout(found('tape reel crate', [all], sentences(terms), { kind, neighbours: 1 }));
    expect(['person', 'time', 'number', 'default'].map((kind) => of(kind, one))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(['person', 'time', 'number'].map((kind) => of(kind, two))).toEqual([true, true, true]);
  });
});
