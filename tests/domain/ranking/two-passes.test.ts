import { describe, expect, it } from 'vitest';
import type { Turns } from '../../../domain/ranking/add-terms.ts';
import { packStatistics, type Postings, postingsOf, type Segment } from '../../../domain/ranking/postings.ts';
import type { ScoreRequest } from '../../../domain/ranking/sums.ts';
import { createTwoPassScoring } from '../../../domain/ranking/two-pass-scoring.ts';

/** Nobody waits, and what was used is free at once. */
const turns: Turns = { begin: () => () => null, later: (act) => act() };
const SMALL: Segment = { segment: 1, firstNo: 1, lastNo: 40 };
const WIDE: Segment = { segment: 2, firstNo: 100, lastNo: 1_000_000 };

/** How often contents have a term, in text and title, by their numbers. */
type Has = Readonly<Record<number, readonly [number, number]>>;
const termIn = (segment: Segment, has: Has): Postings => {
  const all = Object.entries(has);
  return postingsOf(
    {
      offsets: Uint32Array.from(all, ([no]) => Number(no) - segment.firstNo),
      statistics: Int32Array.from(all, ([, [text, title]]) => packStatistics(text, 10, title, 1)),
    },
    segment,
  );
};
/** With these lengths a term that occurs n times adds n / (n + 1) of its weight. */
const lengths = { perTextLength: 0.07, perTitleLength: 0.7 };
const worth = (n: number): number => n / (n + 1);

const IN_SMALL = termIn(SMALL, { 3: [1, 0], 7: [3, 0], 9: [1, 2], 40: [1, 0] });
const IN_WIDE = termIn(WIDE, { 100: [2, 0], 500_000: [7, 1] });
const FEEDBACK_SMALL = termIn(SMALL, { 3: [4, 0], 12: [1, 0] });
const FEEDBACK_WIDE = termIn(WIDE, { 200: [1, 0], 500_000: [1, 0] });

const requestOf = (segments: readonly Segment[], more: Partial<ScoreRequest> = {}): ScoreRequest => ({
  segments,
  lengths,
  weights: [{ term: 'tape', text: 2, title: 1 }],
  postings: segments.map((of) => new Map([['tape', of === SMALL ? IN_SMALL : IN_WIDE]])),
  feedbackWeight: 0.5,
  allowed: null,
  dead: new Float64Array(),
  shown: null,
  ...more,
});
const feedbackOf = (segments: readonly Segment[]) =>
  segments.map((of) => new Map([['reel', of === SMALL ? FEEDBACK_SMALL : FEEDBACK_WIDE]]));
const rounded = (score: number): number => Math.floor(score * 1e9 + 0.5) / 1e9;

describe.each([
  ['close together', [SMALL], undefined],
  ['far apart', [SMALL, WIDE], undefined],
  ['close together, by blocks', [SMALL], 0],
  ['too far apart for blocks', [SMALL, WIDE], 0],
])('a search over numbers %s', (_, segments, few) => {
  const isWide = segments.length > 1;
  const begin = createTwoPassScoring(turns, few);

  it('finds the best by its own terms in texts first', async () => {
    const { nearest } = await begin(requestOf(segments));
    const best = isWide ? worth(7) : worth(3);
    const expected = isWide
      ? [
          [7, rounded((0.5 * worth(3)) / best)],
          [500_000, 0.5],
        ]
      : [
          [3, rounded((0.5 * worth(1)) / best)],
          [7, 0.5],
          [9, rounded((0.5 * worth(1)) / best)],
          [40, rounded((0.5 * worth(1)) / best)],
        ];
    const { nos, scores } = nearest(2);
    expect(nos.map((no, i) => [no, scores[i]])).toEqual(expected);
  });

  it.each([true, false])('then by both scores; prepared: %s', async (prepares) => {
    const passes = await begin(requestOf(segments));
    passes.nearest(5);
    if (prepares) await passes.prepare();
    const { top, total } = await passes.best([{ term: 'reel', text: 4 }], feedbackOf(segments), 40);
    const own: Readonly<Record<number, readonly [number, number]>> = {
      3: [2 * worth(1), 4 * worth(4)],
      7: [2 * worth(3), 0],
      9: [2 * worth(1) + worth(2), 0],
      12: [0, 4 * worth(1)],
      40: [2 * worth(1), 0],
      ...(isWide
        ? {
            100: [2 * worth(2), 0] as const,
            200: [0, 4 * worth(1)] as const,
            500_000: [2 * worth(7) + worth(1), 4 * worth(1)] as const,
          }
        : {}),
    };
    const inText: Readonly<Record<number, number>> = { 3: 1, 7: 3, 9: 1, 40: 1, 100: 2, 500_000: 7 };
    const all = Object.entries(own).map(([no, [base, feedback]]) => ({
      no: Number(no),
      base,
      feedback: feedback + 0.5 * 2 * worth(inText[Number(no)] ?? 0),
    }));
    const [mostBase, mostFeedback] = [
      Math.max(...all.map(({ base }) => base)),
      Math.max(...all.map(({ feedback }) => feedback)),
    ];
    expect(total).toBe(all.length);
    const found = new Map(top.nos.map((no, i) => [no, top.scores[i]]));
    expect(top.nos).toEqual(all.map(({ no }) => no));
    for (const { no, base, feedback } of all)
      expect(found.get(no)).toBeCloseTo(base / mostBase / 2 + feedback / mostFeedback / 2, 8);
  });

  it('answers only what is shown, and counts the rest', async () => {
    const passes = await begin(requestOf(segments, { shown: Float64Array.of(3, 12, 39) }));
    expect(passes.nearest(1).nos).toEqual([isWide ? 500_000 : 7]);
    const { top, total } = await passes.best([{ term: 'reel', text: 4 }], feedbackOf(segments), 40);
    expect(top.nos).toEqual([3, 12]);
    expect(total).toBe(isWide ? 8 : 5);
  });

  it('finds nothing by terms that nothing has', async () => {
    const postings = segments.map(() => new Map<string, Postings>());
    const passes = await begin(requestOf(segments, { postings }));
    expect(passes.nearest(5)).toEqual({ nos: [], scores: [] });
    expect(await passes.best([], postings, 5)).toEqual({ top: { nos: [], scores: [] }, total: 0 });
    const again = await begin(requestOf(segments, { postings }));
    const { top } = await again.best([{ term: 'reel', text: 4 }], feedbackOf(segments), 1);
    expect(top).toEqual({ nos: [3], scores: [0.5] });
  });
});

it.each([
  ['once where it goes on with it', [SMALL], [0, 1]],
  ['after each pass where slots differ', [SMALL, WIDE], [1, 2]],
])('a search gives back what it worked in, %s', async (_, segments, expected) => {
  let given = 0;
  const later = () => void (given += 1);
  const passes = await createTwoPassScoring({ ...turns, later })(requestOf(segments));
  passes.nearest(5);
  const first = given;
  await passes.best(
    [],
    segments.map(() => new Map()),
    5,
  );
  expect([first, given]).toEqual(expected);
});
