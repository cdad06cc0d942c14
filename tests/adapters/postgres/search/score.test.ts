import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TermWeight } from '../../../../adapters/postgres/search/impact.ts';
import { packStatistics } from '../../../../adapters/postgres/search/posting-statistics.ts';
import { type Postings, postingsOf } from '../../../../adapters/postgres/search/postings.ts';
import { createScoring, type ScoreRequest } from '../../../../adapters/postgres/search/score.ts';

/** From the rarest to the most frequent. */
const TERMS = ['rare', 'known', 'usual', 'common'];
const [MANY, MOST] = [6, 9];
const content = fc.record({
  has: fc
    .tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 }), fc.nat({ max: 9 }), fc.nat({ max: 9 }))
    .map((drawn) => TERMS.filter((_, i) => (drawn[i] ?? 0) < [1, 3, MANY, MOST][i]!)),
  frequency: fc.integer({ min: 1, max: 9 }),
  length: fc.integer({ min: 1, max: 200 }),
  titleFrequency: fc.constantFrom(0, 0, 0, 1, 2),
});
type Content = typeof content extends fc.Arbitrary<infer C> ? C : never;
const weighed = fc.record({
  base: fc.constantFrom(0.01, 0.1, 1, 5),
  title: fc.constantFrom(0, 0.05, 2),
  feedback: fc.constantFrom(0, 0.01, 0.5, 7),
});
const weighings = fc
  .tuple(weighed, weighed, weighed, weighed)
  .map((drawn) => TERMS.map((term, i): TermWeight => ({ term, ...drawn[i]! })));
const lengths = { per_text_length: 0.01, per_title_length: 0.2 };

/** One segment, whose contents have numbers that far apart. */
const segmentOf = (contents: readonly Content[], first_no: number, apart: number) => {
  const segment = {
    segment: first_no,
    first_no,
    last_no: first_no + apart * Math.max(0, contents.length - 1),
  };
  const postings = TERMS.map((term): [string, Postings] => {
    const of = contents.flatMap((one, i) => (one.has.includes(term) ? [{ one, i }] : []));
    const offsets = Uint32Array.from(of, ({ i }) => i * apart);
    const statistics = Int32Array.from(of, ({ one }) =>
      packStatistics(one.frequency, one.length, one.titleFrequency, 4),
    );
    return [term, postingsOf({ offsets, statistics }, segment)];
  });
  return { segment, postings: new Map(postings) };
};

/** The definition, content by content. */
const scoresOf = ({ has, frequency, length, titleFrequency }: Content, weights: readonly TermWeight[]) => {
  const saturated = (f: number, l: number, per: number): number => (f === 0 ? 0 : f / (f + 0.3 + l * per));
  const text = saturated(frequency, length, lengths.per_text_length);
  const title = saturated(titleFrequency, 4, lengths.per_title_length);
  const of = weights.filter(({ term }) => has.includes(term));
  return {
    base: of.reduce((sum, weight) => sum + weight.base * text + weight.title * title, 0),
    feedback: of.reduce((sum, weight) => sum + weight.feedback * text, 0),
  };
};

interface Ranked {
  readonly no: number;
  readonly one: Content;
}

const expectedOf = (
  all: readonly Ranked[],
  weights: readonly TermWeight[],
  isShown: (no: number) => boolean,
  limit: number,
) => {
  const scored = all.map(({ no, one }) => ({ no, ...scoresOf(one, weights) }));
  const most = (kind: 'base' | 'feedback') => Math.max(Number.MIN_VALUE, ...scored.map((of) => of[kind]));
  const [mostBase, mostFeedback] = [most('base'), most('feedback')];
  const ranked = scored
    .filter(({ no }) => isShown(no))
    .map(({ no, base, feedback }) => ({ no, score: base / mostBase / 2 + feedback / mostFeedback / 2 }))
    .toSorted((a, b) => b.score - a.score);
  const last = ranked[limit - 1]?.score ?? 0;
  return new Map(ranked.filter(({ score }) => score > last - 1e-9).map(({ no, score }) => [no, score]));
};

const groupsOf = (maxLength: number) =>
  fc.array(fc.array(content, { minLength: maxLength / 2, maxLength, size: 'max' }), { maxLength: 3 });
const bounds = fc.record({
  kind: fc.constantFrom<'dead' | 'allowed'>('dead', 'allowed'),
  barredEvery: fc.integer({ min: 2, max: 9 }),
  shownEvery: fc.constantFrom(0, 0, 2, 3),
  limit: fc.constantFrom(1, 3, 5, 40),
});

describe('scores of contents', () => {
  it.each([
    ['close together', 1, 120],
    ['a little apart', 3, 60],
    ['far apart', 400_000, 60],
  ])('are those of the definition for numbers %s, search after search', async (_, apart, size) => {
    const scoring = createScoring();
    await fc.assert(
      fc.asyncProperty(
        groupsOf(size),
        weighings,
        bounds,
        async (groups, weights, { kind, barredEvery, shownEvery, limit }) => {
          const parts = groups.map((group, i) => segmentOf(group, 7 + i * 1e8, apart));
          const all = groups.flatMap((group, i) =>
            group.map((one, j): Ranked => ({ one, no: 7 + i * 1e8 + j * apart })),
          );
          const numbers = (passes: (no: number) => boolean): Float64Array =>
            Float64Array.from(all.map(({ no }) => no).filter(passes));
          const mayRank = (no: number): boolean => no % barredEvery !== 0;
          const isShown = (no: number): boolean => shownEvery === 0 || no % shownEvery === 0;
          const { best, total } = await scoring({
            segments: parts.map(({ segment }) => segment),
            postings: parts.map(({ postings }) => postings),
            weights,
            lengths,
            allowed: kind === 'dead' ? null : numbers(mayRank),
            dead: numbers((no) => kind === 'dead' && !mayRank(no)),
            shown: shownEvery === 0 ? null : numbers(isShown),
            limit,
          });
          const ranked = all.filter(({ no, one }) => mayRank(no) && one.has.length > 0);
          expect(total).toBe(ranked.length);
          const expected = expectedOf(ranked, weights, isShown, limit);
          expect(new Set(best.nos)).toEqual(new Set(expected.keys()));
          for (const [i, no] of best.nos.entries())
            expect(best.scores[i]).toBeCloseTo(expected.get(no) ?? -1, 8);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('are not mixed up by searches at the same time', async () => {
    const scoring = createScoring();
    const contents = Array.from({ length: 40_000 }, (_, i): Content => ({
      has: TERMS,
      frequency: 1 + (i % 9),
      length: 1 + (i % 200),
      titleFrequency: 0,
    }));
    const parts = Array.from({ length: 8 }, (_, i) => segmentOf(contents, 1 + i * 50_000, 1));
    const request: ScoreRequest = {
      segments: parts.map(({ segment }) => segment),
      postings: parts.map(({ postings }) => postings),
      weights: TERMS.map((term, i) => ({ term, base: 4 - i, title: 0, feedback: 1 + i })),
      lengths,
      allowed: null,
      dead: new Float64Array(),
      shown: null,
      limit: 10,
    };
    const alone = await scoring(request);
    const other = { ...request, limit: 1, weights: request.weights.slice(1) };
    const [one, two, three] = await Promise.all([scoring(request), scoring(other), scoring(request)]);
    expect(alone.total).toBe(320_000);
    expect([one, three]).toEqual([alone, alone]);
    expect(two.total).toBe(320_000);
    expect(two.best.scores).toEqual(two.best.nos.map(() => 1));
  });
});
