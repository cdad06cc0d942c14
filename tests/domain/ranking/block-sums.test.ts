import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Turns } from '../../../domain/ranking/add-terms.ts';
import { packStatistics, type Postings, postingsOf } from '../../../domain/ranking/postings.ts';
import type { ScoreRequest } from '../../../domain/ranking/sums.ts';
import { createTwoPassScoring } from '../../../domain/ranking/two-pass-scoring.ts';

/** Others have a turn after every third step. */
const turns: Turns = {
  begin: () => {
    let steps = 0;
    return () => ((steps += 1) % 3 === 0 ? nextTurn() : null);
  },
  later: (act) => void setImmediate(act),
};

/** From one that half of the contents have to one that hardly any has; some are the query's own, some the feedback's. */
const SHARES = [0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.003];
const TERMS = SHARES.map((_, i) => `term${i}`);

/** Numbers from 0 to 1, the same for a seed (a linear congruential generator, the constants of Numerical Recipes). */
const drawnFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

const shape = fc.record({
  seed: fc.nat(),
  /** Contents of segments. */
  sizes: fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 4 }),
  apart: fc.constantFrom(1, 1, 2),
  /** Contents that are the same as the one so many before, as passages are that many texts have. */
  repeats: fc.constantFrom(0, 0, 7, 400),
  own: fc.subarray(TERMS, { minLength: 1 }),
  fed: fc.subarray(TERMS),
  feedbackWeight: fc.constantFrom(1, 0.5, 0.2),
  /** One in so many may not be ranked, and only one in so many is shown; 0 for no such rule. */
  barred: fc.constantFrom(0, 2, 9),
  allowed: fc.constantFrom(0, 0, 3, 50, 5_000),
  shown: fc.constantFrom(0, 0, 4, 500),
  limit: fc.constantFrom(1, 5, 20, 100, 20_000),
  perTextLength: fc.double({ min: 0.001, max: 0.05, noNaN: true }),
});
type Shape = typeof shape extends fc.Arbitrary<infer S> ? S : never;

const made = ({ seed, sizes, apart, repeats, own, fed, ...of }: Shape) => {
  const draw = drawnFrom(seed);
  let firstNo = 1 + Math.floor(draw() * 50);
  const segments = sizes.map((size, segment) => {
    const covered = { segment, firstNo, lastNo: firstNo + (size - 1) * apart };
    firstNo = covered.lastNo + 1 + Math.floor(draw() * 40);
    return { ...covered, size };
  });
  const postings = segments.map(
    (segment) =>
      new Map(
        TERMS.map((term, i): [string, Postings] => {
          const offsets: number[] = [];
          const statistics: number[] = [];
          const drawn: (number | null)[] = [];
          for (let at = 0; at < segment.size; at++) {
            // Neighbours are alike: of a hundred contents one part has the term often, another hardly ever.
            const share = SHARES[i]! * (Math.floor(at / 100) % 3 === i % 3 ? 2 : 0.3);
            const fresh =
              draw() < share
                ? packStatistics(
                    1 + Math.floor(draw() ** 3 * 9),
                    5 + Math.floor(draw() * 300),
                    draw() < 0.2 ? 1 + Math.floor(draw() * 7) : 0,
                    1 + Math.floor(draw() * 20),
                  )
                : null;
            drawn.push(repeats > 0 && at >= repeats ? drawn[at - repeats]! : fresh);
            const packed = drawn[at]!;
            if (packed === null) continue;
            offsets.push(at * apart);
            statistics.push(packed);
          }
          const all = { offsets: Uint32Array.from(offsets), statistics: Int32Array.from(statistics) };
          return [term, postingsOf(all, segment)];
        }),
      ),
  );
  const nos = segments.flatMap(({ firstNo: first, size }) =>
    Array.from({ length: size }, (_, i) => first + i * apart),
  );
  const oneIn = (n: number): Float64Array => Float64Array.from(nos.filter(() => draw() * n < 1));
  const lengths = { perTextLength: of.perTextLength, perTitleLength: 0.2 };
  const request: ScoreRequest = {
    segments,
    postings,
    lengths,
    weights: own.map((term) => ({ term, text: 0.1 + draw() * 9, title: draw() * 3 })),
    feedbackWeight: of.feedbackWeight,
    allowed: of.allowed === 0 ? null : oneIn(of.allowed),
    dead: of.barred === 0 ? new Float64Array() : oneIn(of.barred),
    shown: of.shown === 0 ? null : oneIn(of.shown),
  };
  const feedback = fed.map((term) => ({ term, text: draw() * 6 }));
  return { request, feedback, limit: of.limit };
};

it('what is scored by blocks is what scoring all contents answers, to the last digit', async () => {
  // One after the other: what one search worked in is there for the next, and so are the blocks of postings.
  const [byAll, byBlocks] = [createTwoPassScoring(turns, Infinity), createTwoPassScoring(turns, 0)];
  let ties = 0;
  await fc.assert(
    fc.asyncProperty(shape, fc.double({ min: 0.5, max: 2, noNaN: true }), async (of, grown) => {
      const { request, feedback, limit } = made(of);
      // Lengths count otherwise once the tenant's texts have become longer or shorter: blocks are there by then.
      const { perTextLength, perTitleLength } = request.lengths;
      const lengths = { perTextLength: perTextLength * grown, perTitleLength };
      for (const each of [
        request,
        { ...request, lengths },
        { ...request, lengths: { ...lengths, perTextLength: lengths.perTextLength * 1.03 } },
      ]) {
        const found = [];
        for (const begin of [byAll, byBlocks]) {
          const passes = await begin(each);
          const nearest = passes.nearest(5);
          await passes.prepare();
          found.push({ nearest, ...(await passes.best(feedback, each.postings, limit)) });
          await nextTurn();
        }
        expect(found[1]).toEqual(found[0]);
        if ((found[0]?.top.nos.length ?? 0) > limit) ties += 1;
      }
    }),
    { numRuns: 150, endOnFailure: true },
  );
  expect(ties).toBeGreaterThan(0);
});
