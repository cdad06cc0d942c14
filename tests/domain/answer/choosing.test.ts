import { describe, expect, it } from 'vitest';
import { extractiveAnswer } from '../../../domain/answer/extractive-answer.ts';

const said = (question: string, ...texts: readonly string[]): readonly string[] =>
  extractiveAnswer(
    question,
    texts.map((text) => ({ title: 'Guide', text })),
  ).map(({ text }) => text);

/** Each in a passage of its own, so that nothing goes on from one to the next. */
const WORDS =
  'amber birch cedar delta ember fjord grove heron inlet jetty kayak ledge marsh nacre otter perch quail ridge'.split(
    ' ',
  );
const relays = (count: number, length = 0): readonly string[] =>
  Array.from({ length: count }, (_, i) => {
    const start = `Relays of ${WORDS[2 * i]} send letters ${WORDS[2 * i + 1]}`;
    return `${start}${' x'.repeat(Math.max(0, length - start.length - 1) / 2)}.`;
  });

describe('what an answer is made of', () => {
  it('is up to eight sentences', () => {
    expect(said('Which relays send letters?', ...relays(8))).toHaveLength(8);
    expect(said('Which relays send letters?', ...relays(9))).toHaveLength(8);
  });

  it('is up to 900 characters, so that of long sentences there are fewer', () => {
    expect(said('Which relays send letters?', ...relays(8, 110))).toHaveLength(8);
    expect(said('Which relays send letters?', ...relays(8, 160))).toHaveLength(5);
  });

  it('has what says nothing new where it is worth 0.4 of the best', () => {
    // Further down it is worth less: 0.44 of the best, and 0.38.
    const second = `In amber halls all of the relays send letters of${WORDS.slice(0, 10)
      .map((word) => ` ${word}s`)
      .join('')}.`;
    const answer = (passagesBetween: number) =>
      said(
        'Which relays send letters?',
        'By night in the tower the old relays send letters.',
        ...Array.from({ length: passagesBetween }, () => 'Nothing.'),
        second,
      );
    expect(answer(7)).toContain(second);
    expect(answer(10)).not.toContain(second);
  });

  it('is rather what says as much in fewer characters', () => {
    const [long, short] = ['pneumatically amphibious', 'hot air'].map(
      (how) => `Relays send letters ${how} and ${how} and ${how} and ${how}.`,
    ) as [string, string];
    const best = `The relays send letters of ${'b'.repeat(700)}.`;
    const answer = said('Which relays send letters?', best, long, short);
    expect(answer).toContain(short);
    expect(answer).not.toContain(long);
  });

  it('is rather of the kind that is asked for', () => {
    const ofKind = 'The relays send 25 letters at a time.';
    const asked = (question: string) => said(question, ofKind, 'Letters of amber boats are sent by relays.');
    expect(asked('How many letters are sent by relays?')).toContain(ofKind);
    expect(asked('Which letters are sent by relays?')).not.toContain(ofKind);
  });
});
