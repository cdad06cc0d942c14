import { describe, expect, it } from 'vitest';
import { accompanied, MOST_CHARACTERS, withReferences } from '../../../domain/answer/belonging.ts';
import { withHeadings } from '../../../domain/answer/extractive-answer.ts';
import type { RankedSentence } from '../../../domain/answer/rank-sentences.ts';
import { ranking, sentence } from './made-ranking.ts';

const placesOf = (sentences: readonly RankedSentence[]): readonly number[] =>
  sentences.map(({ place }) => place);
const line = (place: number, text: string, other: Partial<RankedSentence> = {}): RankedSentence =>
  sentence(place, { text, isStatement: false, ...other });
/** What stands with the sentence at a place. */
const referring = (at: number, ...text: readonly RankedSentence[]): readonly number[] =>
  placesOf(withReferences(ranking('Where is the tape?', text), [text[at]!]));

describe('what stands before a sentence', () => {
  const refers = sentence(1, { text: 'It turns for an hour.' });

  it('comes along where it begins with what refers to it', () => {
    expect(referring(1, sentence(0, { text: 'A reel is wound.' }), refers)).toEqual([0, 1]);
    expect(referring(1, sentence(0), sentence(1, { text: 'Reels turn for an hour.' }))).toEqual([1]);
    expect(referring(0, refers)).toEqual([1]);
    expect(referring(0, sentence(0, { text: 'It turns.' }), sentence(1))).toEqual([0]);
  });

  it('is of its section, and short', () => {
    expect(referring(1, sentence(0, { section: 0 }), refers)).toEqual([1]);
    expect(referring(1, sentence(0, { text: 'r'.repeat(220) }), refers)).toEqual([0, 1]);
    expect(referring(1, sentence(0, { text: 'r'.repeat(221) }), refers)).toEqual([1]);
  });

  it('may be a line, unless the sentence speaks of a heading', () => {
    expect(referring(1, line(0, 'wind --fast'), sentence(1, { text: 'This winds a reel.' }))).toEqual([0, 1]);
    expect(referring(1, line(0, 'wind'), sentence(1, { text: 'This command winds a reel.' }))).toEqual([1]);
    const said = sentence(0, { text: 'Type wind.' });
    expect(referring(1, said, sentence(1, { text: 'This command winds a reel.' }))).toEqual([0, 1]);
  });
});

describe('what stands behind a sentence of how to do something', () => {
  const how = (next: RankedSentence): readonly number[] =>
    placesOf(withReferences(ranking('How do I wind a reel?', [sentence(0), next]), [sentence(0)]));

  it('comes along where it is short and goes on about it', () => {
    const text = (length: number): string => `It ${'r'.repeat(length - 3)}`;
    expect(how(sentence(1, { text: text(220) }))).toEqual([0, 1]);
    expect(how(sentence(1, { text: text(221) }))).toEqual([0]);
    expect(how(sentence(1))).toEqual([0]);
  });
});

describe('companions', () => {
  const [first, second] = [sentence(0), sentence(1)];
  const long = (place: number, length: number): RankedSentence =>
    sentence(place, { text: 'r'.repeat(length) });
  /** Characters that an answer of both has left. */
  const room = MOST_CHARACTERS - first.text.length - second.text.length;

  it('come as long as there is room for all of them', () => {
    const of = (...lengths: readonly [number, number]) =>
      accompanied([first, second], ({ place }) => [[], [long(5 + place, lengths[place]!)]]);
    expect(placesOf(of(room, 1))).toEqual([0, 5, 1]);
    expect(placesOf(of(room + 1, 1))).toEqual([0, 1, 6]);
    expect(placesOf(of(room - 1, 1))).toEqual([0, 5, 1, 6]);
    expect(placesOf(of(room - 1, 2))).toEqual([0, 5, 1]);
  });

  it('are said once', () => {
    const shared = long(5, 9);
    expect(accompanied([first, second], () => [[shared], [second]])).toEqual([shared, first, second]);
  });
});

describe('headings of a sentence', () => {
  const headed = (at: number, ...text: readonly RankedSentence[]): readonly number[] =>
    placesOf(withHeadings(ranking('Where is the tape?', text), [text[at]!]));

  it('stand above all statements of its section', () => {
    const [head, below] = [line(0, 'Winding reels'), line(2, 'Turning tapes')];
    expect(headed(1, head, sentence(1))).toEqual([0, 1]);
    expect(headed(3, head, sentence(1), below, sentence(3))).toEqual([0, 3]);
    expect(headed(2, head, sentence(1), line(2, 'wind the reel'))).toEqual([0, 2]);
  });

  it('are none above a line that is itself one', () => {
    expect(headed(1, line(0, 'Winding reels'), line(1, 'Turning tapes'))).toEqual([1]);
    expect(headed(0, line(0, 'Winding reels'), sentence(1))).toEqual([0]);
  });
});
