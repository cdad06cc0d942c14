import { describe, expect, it } from 'vitest';
import { hasBit, wordsFor } from '../../../domain/ranking/bit-set.ts';
import { packStatistics, type Postings, postingsOf, type Segment } from '../../../domain/ranking/postings.ts';
import { addAllTo, addTo, denseLayout, slotLayout } from '../../../domain/ranking/segment-slots.ts';

const segmentOf = (firstNo: number, lastNo: number): Segment => ({ segment: firstNo, firstNo, lastNo });
/** Of contents with these numbers; the first of them has the term in its title. */
const termIn = (segment: Segment, nos: readonly number[]): Postings =>
  postingsOf(
    {
      offsets: Uint32Array.from(nos, (no) => no - segment.firstNo),
      statistics: Int32Array.from(nos, (_, i) => packStatistics(i + 1, 9, i === 0 ? 1 : 0, 2)),
    },
    segment,
  );
const NEAR = segmentOf(100, 139);
const FAR = segmentOf(1_000, 2_000_000);
const LAST = segmentOf(3_000_000, 3_000_009);
const SEGMENTS = [NEAR, FAR, LAST];
const POSTINGS = [
  new Map([['tape', termIn(NEAR, [101, 110, 139])]]),
  new Map([
    ['tape', termIn(FAR, [1_500_000])],
    ['reel', termIn(FAR, [1_001, 1_500_000])],
    ['other', termIn(FAR, [5_000])],
  ]),
  new Map([['reel', termIn(LAST, [3_000_009])]]),
];

describe('a layout of slots', () => {
  const layout = slotLayout(SEGMENTS, POSTINGS, ['tape', 'reel']);

  it('has one for each number of a small segment, and where numbers lie far apart for each that is met', () => {
    expect([layout.count, layout.isDense]).toEqual([64 + 32 + 32, false]);
    const nos = [99, 100, 139, 140, 1_001, 1_500_000, 5_000, 3_000_000, 3_000_009, 3_000_010];
    expect(nos.map(layout.slotOf)).toEqual([null, 0, 39, null, 64, 65, null, 96, 105, null]);
    expect([0, 39, 64, 65, 96, 105].map(layout.noOf)).toEqual([
      100, 139, 1_001, 1_500_000, 3_000_000, 3_000_009,
    ]);
  });

  it('has the postings of a term by slots, segment by segment', () => {
    const slotted = (term: string) =>
      layout.postingsOf(term).map(({ start, slots, statistics }) => [start, [...slots], statistics.length]);
    expect(slotted('tape')).toEqual([
      [0, [1, 10, 39], 3],
      [64, [1], 1],
      [96, [], 0],
    ]);
    expect(slotted('reel')).toEqual([
      [0, [], 0],
      [64, [0, 1], 2],
      [96, [9], 1],
    ]);
    expect(slotted('nothing').map(([, slots]) => slots)).toEqual([[], [], []]);
  });

  it('has those of titles in the same way', () => {
    const titled = (term: string) =>
      layout.titlesOf(term).map(({ start, slots, statistics }) => {
        expect([...statistics]).toEqual(Array.from(slots, () => packStatistics(1, 9, 1, 2)));
        return [start, [...slots]];
      });
    expect(titled('tape')).toEqual([
      [0, [1]],
      [64, [1]],
      [96, []],
    ]);
    expect(titled('reel')).toEqual([
      [0, []],
      [64, [0]],
      [96, [9]],
    ]);
    expect(titled('nothing').map(([, slots]) => slots)).toEqual([[], [], []]);
  });

  it('has a slot for each number where that is asked for, or where there are none', () => {
    const dense = denseLayout([NEAR, LAST], []);
    expect([dense.count, dense.isDense, dense.slotOf(3_000_000), dense.noOf(64)]).toEqual([
      96,
      true,
      64,
      3_000_000,
    ]);
    expect(dense.postingsOf('tape').map(({ slots }) => slots.length)).toEqual([0, 0]);
    const words = [32, 33].map((numbers) => denseLayout([segmentOf(1, numbers)], []).count);
    expect(words).toEqual([32, 64]);
    const none = slotLayout([], [], ['tape']);
    expect([none.count, none.isDense, none.slotOf(1), none.noOf(0)]).toEqual([0, true, null, Number.NaN]);
  });

  it('is dense up to 4,096 numbers, and beyond up to 32 for each posting', () => {
    const isDense = (numbers: number, postings: number): boolean => {
      const segment = segmentOf(1, numbers);
      const of = termIn(
        segment,
        Array.from({ length: postings }, (_, i) => i + 1),
      );
      return slotLayout([segment], [new Map([['tape', of]])], ['tape', 'reel']).isDense;
    };
    expect([isDense(4_096, 1), isDense(4_097, 1)]).toEqual([true, false]);
    expect([isDense(6_400, 200), isDense(6_401, 200)]).toEqual([true, false]);
  });
});

describe('contents that have a term', () => {
  it('are noted beside those that have others, by their slots or as a set', () => {
    const layout = slotLayout(SEGMENTS, POSTINGS, ['tape', 'reel']);
    const matched = new Uint32Array(wordsFor(layout.count));
    const noted = () =>
      Array.from({ length: layout.count }, (_, at) => at).filter((at) => hasBit(matched, at));
    for (const of of layout.postingsOf('tape')) addTo(matched, of);
    expect(noted()).toEqual([1, 10, 39, 65]);
    for (const of of layout.postingsOf('reel')) addTo(matched, of);
    expect(noted()).toEqual([1, 10, 39, 64, 65, 105]);
    const sets = ['tape', 'reel'].map((term) => layout.postingsOf(term).map(({ bits }) => bits !== null));
    expect(sets).toEqual([
      [true, false, false],
      [false, false, true],
    ]);
  });

  it.each([0, 1, 4, 5, 9])('are the same of %i terms together as of one after the other', (terms) => {
    const behind = segmentOf(140, 203);
    const names = Array.from({ length: terms }, (_, i) => `term${i}`);
    // Every third is of so few contents that there is no set of them.
    const nosOf = (i: number): readonly number[] =>
      Array.from({ length: i % 3 === 2 ? 1 : 12 }, (_, k) => 141 + i + 5 * k).filter((no) => no <= 203);
    const layout = denseLayout(
      [NEAR, behind],
      [new Map(), new Map(names.map((name, i) => [name, termIn(behind, nosOf(i))]))],
    );
    const ofBehind = names.map((name) => layout.postingsOf(name)[1]!);
    const [one, all] = [0, 1].map(() => new Uint32Array(wordsFor(layout.count)));
    for (const of of ofBehind) addTo(one!, of);
    addAllTo(all!, ofBehind);
    expect(all).toEqual(one);
    expect(ofBehind.filter(({ bits }) => bits === null)).toHaveLength(Math.floor(terms / 3));
  });
});
