import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TopHits } from '../../../domain/ranking/top-k.ts';
import { type Postings, packStatistics, postingsOf } from '../../../domain/ranking/postings.ts';
import { createTwoPassScoring } from '../../../domain/ranking/two-pass-scoring.ts';
import type { Turns } from '../../../domain/ranking/add-terms.ts';

/** The event loop turns after every third segment. */
const turns: Turns = {
  begin: () => {
    let steps = 0;
    return () => {
      steps += 1;
      return steps % 3 === 0 ? nextTurn() : null;
    };
  },
  later: (act) => void setImmediate(act),
};

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
const weight = fc.record({
  text: fc.constantFrom(0.01, 0.1, 1, 5),
  title: fc.constantFrom(0, 0.05, 2),
  // 0: the feedback does not have the term.
  feedback: fc.constantFrom(0, 0.01, 0.5, 7),
});
/** Some terms are the query's own, and some, those and others, the feedback's. */
const weighings = fc.record({
  weights: fc
    .tuple(weight, weight, weight, weight)
    .map((drawn) => TERMS.map((term, i) => ({ term, ...drawn[i]! }))),
  ownTerms: fc.constantFrom(['common'], ['rare'], ['known', 'usual'], TERMS),
  feedbackWeight: fc.constantFrom(1, 0.25),
});
type Weighing = typeof weighings extends fc.Arbitrary<infer W> ? W : never;
const ownOf = ({ weights, ownTerms }: Weighing) => weights.filter(({ term }) => ownTerms.includes(term));
const feedbackOf = ({ weights }: Weighing) =>
  weights.filter(({ feedback }) => feedback > 0).map(({ term, feedback }) => ({ term, text: feedback }));
const lengths = { perTextLength: 0.01, perTitleLength: 0.2 };

/** One segment, whose contents have numbers that far apart. */
const segmentOf = (contents: readonly Content[], firstNo: number, apart: number) => {
  const segment = {
    segment: firstNo,
    firstNo,
    lastNo: firstNo + apart * Math.max(0, contents.length - 1),
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
const scoresOf = ({ has, frequency, length, titleFrequency }: Content, weighing: Weighing) => {
  const saturated = (f: number, l: number, per: number): number => (f === 0 ? 0 : f / (f + 0.3 + l * per));
  const text = saturated(frequency, length, lengths.perTextLength);
  const title = saturated(titleFrequency, 4, lengths.perTitleLength);
  const sum = (of: readonly { term: string }[], worth: (of: never) => number): number =>
    of.filter(({ term }) => has.includes(term)).reduce((all, one) => all + worth(one as never), 0);
  const own = ownOf(weighing);
  const inText = sum(own, (of: { text: number }) => of.text * text);
  return {
    text: inText,
    base: inText + sum(own, (of: { title: number }) => of.title * title),
    feedback:
      weighing.feedbackWeight * inText + sum(feedbackOf(weighing), (of: { text: number }) => of.text * text),
  };
};

interface Ranked {
  readonly no: number;
  readonly one: Content;
}

const isMet = ({ has }: Content, weighing: Weighing): boolean =>
  [...ownOf(weighing), ...feedbackOf(weighing)].some(({ term }) => has.includes(term));

/** The best by the sum of some of their scores, each against its highest. */
const expectedOf = (
  all: readonly Ranked[],
  weighing: Weighing,
  kinds: readonly ('text' | 'base' | 'feedback')[],
  isShown: (no: number) => boolean,
  limit: number,
) => {
  const scored = all.map(({ no, one }) => ({ no, scores: scoresOf(one, weighing) }));
  const most = kinds.map((kind) => Math.max(Number.MIN_VALUE, ...scored.map(({ scores }) => scores[kind])));
  const ranked = scored
    .filter(({ no }) => isShown(no))
    .map(({ no, scores }) => ({
      no,
      score: kinds.reduce((sum, kind, i) => sum + scores[kind] / most[i]! / 2, 0),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  const last = ranked[limit - 1]?.score ?? 0;
  return new Map(ranked.filter(({ score }) => score > last - 1e-9).map(({ no, score }) => [no, score]));
};

const expectHits = (found: TopHits, expected: ReadonlyMap<number, number>): void => {
  const hits = found.nos.map((no, i) => ({ no, score: found.scores[i] ?? -1 }));
  const positive = hits.filter(({ score }) => score > 0);
  expect(new Set(positive.map(({ no }) => no))).toEqual(new Set(expected.keys()));
  for (const { no, score } of positive) expect(score).toBeCloseTo(expected.get(no) ?? -1, 8);
};

const groupsOf = (maxLength: number) =>
  fc.array(fc.array(content, { minLength: maxLength / 2, maxLength, size: 'max' }), { maxLength: 3 });
const bounds = fc.record({
  kind: fc.constantFrom<'dead' | 'allowed'>('dead', 'allowed'),
  barredEvery: fc.integer({ min: 2, max: 9 }),
  shownEvery: fc.constantFrom(0, 0, 2, 3),
  limit: fc.constantFrom(1, 3, 5, 40),
  prepares: fc.boolean(),
});

describe('scores of contents', () => {
  it.each([
    ['close together', 1, 120],
    ['a little apart', 3, 60],
    ['far apart', 400_000, 60],
  ])('are those of the definition for numbers %s, search after search', async (_, apart, size) => {
    const begin = createTwoPassScoring(turns);
    const search = async (
      groups: readonly (readonly Content[])[],
      weighing: Weighing,
      {
        kind,
        barredEvery,
        shownEvery,
        limit,
        prepares,
      }: typeof bounds extends fc.Arbitrary<infer B> ? B : never,
    ) => {
      // What one search worked in is free for the next.
      await nextTurn();
      const parts = groups.map((group, i) => segmentOf(group, 7 + i * 1e8, apart));
      const all = groups.flatMap((group, i) =>
        group.map((one, j): Ranked => ({ one, no: 7 + i * 1e8 + j * apart })),
      );
      const numbers = (passes: (no: number) => boolean): Float64Array =>
        Float64Array.from(all.map(({ no }) => no).filter(passes));
      const mayRank = (no: number): boolean => no % barredEvery !== 0;
      const isShown = (no: number): boolean => shownEvery === 0 || no % shownEvery === 0;
      const of = (terms: readonly { term: string }[]) =>
        parts.map(({ postings }) => new Map(terms.map(({ term }) => [term, postings.get(term)!])));
      const passes = await begin({
        segments: parts.map(({ segment }) => segment),
        postings: of(ownOf(weighing)),
        weights: ownOf(weighing),
        feedbackWeight: weighing.feedbackWeight,
        lengths,
        allowed: kind === 'dead' ? null : numbers(mayRank),
        dead: numbers((no) => kind === 'dead' && !mayRank(no)),
        shown: shownEvery === 0 ? null : numbers(isShown),
      });
      const ranked = all.filter(({ no }) => mayRank(no));
      expectHits(
        passes.nearest(limit),
        expectedOf(ranked, weighing, ['text'], () => true, limit),
      );
      if (prepares) await passes.prepare();
      const { top, total } = await passes.best(feedbackOf(weighing), of(feedbackOf(weighing)), limit);
      expectHits(top, expectedOf(ranked, weighing, ['base', 'feedback'], isShown, limit));
      expect(total).toBe(ranked.filter(({ one }) => isMet(one, weighing)).length);
    };
    await fc.assert(fc.asyncProperty(groupsOf(size), weighings, bounds, search), { numRuns: 60 });
  });

  it('are not mixed up by searches at the same time', async () => {
    const begin = createTwoPassScoring(turns);
    const contents = Array.from({ length: 4_000 }, (_, i): Content => ({
      has: TERMS,
      frequency: 1 + (i % 9),
      length: 1 + (i % 200),
      titleFrequency: 0,
    }));
    const parts = Array.from({ length: 8 }, (_, i) => segmentOf(contents, 1 + i * 5_000, 1));
    const postings = parts.map((part) => part.postings);
    const weights = TERMS.map((term, i) => ({ term, text: 4 - i, title: 0 }));
    const search = async (own: typeof weights, limit: number) => {
      const segments = parts.map(({ segment }) => segment);
      const all = { allowed: null, dead: new Float64Array(), shown: null };
      const passes = await begin({ segments, postings, weights: own, feedbackWeight: 1, lengths, ...all });
      const nearest = passes.nearest(5);
      await passes.prepare();
      return { nearest, ...(await passes.best(weights.toReversed(), postings, limit)) };
    };
    const alone = await search(weights, 10);
    const [one, two, three] = await Promise.all([
      search(weights, 10),
      search(weights.slice(1), 1),
      search(weights, 10),
    ]);
    expect(alone.total).toBe(32_000);
    expect([one, three]).toEqual([alone, alone]);
    expect(two.total).toBe(32_000);
    expect(two.top.scores).toEqual(two.top.nos.map(() => 1));
  });
});
