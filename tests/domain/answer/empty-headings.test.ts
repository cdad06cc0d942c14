import { describe, expect, it } from 'vitest';
import { saysNothing } from '../../../domain/answer/extractive-answer.ts';
import type { RankedSentence, Ranking } from '../../../domain/answer/rank-sentences.ts';

const termsIn = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().split(/\W+/));
const pieceOf = (text: string, passage: number, isStatement: boolean): RankedSentence =>
  ({ text, passage, isStatement, terms: () => termsIn(text) }) as unknown as RankedSentence;

/** Whether this heading of the first passage says nothing, beside others of the second, to someone who asks for a tape. */
const nothingIn = (heading: string, others: readonly RankedSentence[] = []): boolean => {
  const of = pieceOf(heading, 0, false);
  const ranking = { asked: { terms: termsIn('tape') }, texts: [[of], others] } as unknown as Ranking;
  return saysNothing(ranking, of);
};

const NOTHING = [
  'Decision|Decisions|Conclusion|Conclusions|Definition|Definitions|Example|Examples|Goal',
  'Goals|Note|Notes|Result|Results|Warning|Warnings|See also|Usage|Use|An example|A note',
  'The problem|Some more examples|Further basic notes|Short description|1 Overview',
  '2. Overview|2.1 Overview|2.1. Overview|10.12.3.  Overview|## Context|(Context)|Context:',
  '— Context —|What this is|What this does|How it works|Usage and examples',
  'Caveats or warnings|Tips & tricks|SYNOPSIS',
].flatMap((some) => some.split('|'));
const SOMETHING = [
  'Examples of tapes|My decision|Contexts|Decision making|Versions 2|Overview of all tapes',
  'Reels|2.1|x Overview|Overview and the rest|What this breaks|Another example',
].flatMap((some) => some.split('|'));

describe('a heading says nothing that any page may have', () => {
  it.each(NOTHING)('%s', (heading) => {
    expect(nothingIn(heading)).toBe(true);
  });

  it.each(SOMETHING)('and not %s', (heading) => {
    expect(nothingIn(heading)).toBe(false);
  });
});

describe('a heading in words that others have too', () => {
  const alike = pieceOf('Before you begin', 1, false);
  it.each([
    ['says nothing', 'Before you begin', [alike], true],
    ['says nothing in small letters', 'reels', [pieceOf('reels', 1, false)], true],
    ['says something where no other passage has it', 'Before you begin', [], false],
    ['says something where another passage has others', 'Before you end', [alike], false],
    [
      'says something where others say it in a sentence',
      'Before you begin',
      [pieceOf('Before you begin', 1, true)],
      false,
    ],
    ['says something where it is asked for', 'Winding a tape', [pieceOf('Winding a tape', 1, false)], false],
    ['says something where it is a name of code', 'tape_size', [pieceOf('tape_size', 1, false)], false],
    ['says something where a number is in it', 'Reels 2', [pieceOf('Reels 2', 1, false)], false],
    ['says something where a name begins it', '-M reels', [pieceOf('-M reels', 1, false)], false],
  ] as const)('%s', (_, heading, others, is) => {
    expect(nothingIn(heading, others)).toBe(is);
  });

  it('says something where the same passage alone has it again', () => {
    const again = [pieceOf('Before you begin', 0, false), pieceOf('Before you begin', 0, false)];
    const ranking = { asked: { terms: termsIn('tape') }, texts: [again] } as unknown as Ranking;
    expect(saysNothing(ranking, again[0]!)).toBe(false);
  });
});
