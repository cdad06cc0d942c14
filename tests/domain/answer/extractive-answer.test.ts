import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCitationMarks } from '../../../domain/answer/citation-marks.ts';
import { answerPieces, extractiveAnswer } from '../../../domain/answer/extractive-answer.ts';
import { inkOf, prose } from '../chunking/arbitrary-text.ts';
import { isAbbreviated, sentencesOf } from '../../../domain/answer/sentences.ts';

const FALCON = {
  title: 'Peregrine falcon',
  text:
    'Who is fast?\n\nThe peregrine falcon is the fastest animal. Its dive reaches 320 km/h. ' +
    'It hunts birds in flight, mostly pigeons. Adults weigh about a kilogram.',
};

const MARKS = fc.constantFrom(
  '.[1] ',
  '[2] ',
  ' [1, 2] ',
  '[ 3 ]. ',
  ' a[0] = 1; ',
  ' ` ',
  '`x[1]` ',
  ' [[4]] ',
  '. falcon hunts ',
);
const passage = fc.record({
  title: fc.constantFrom('', 'Falcons', 'Bread'),
  text: fc
    .array(fc.oneof(prose(12), MARKS, fc.constant('The falcon hunts. ')), { maxLength: 12 })
    .map((parts) => parts.join('')),
});
const passages = fc.array(passage, { maxLength: 6 });
const anyQuestion = fc.oneof(fc.constantFrom('falcon hunts', 'What is x?', 'the', ''), prose(6));

describe('extractiveAnswer', () => {
  it('says the same thing once, though overlapping passages hold it twice', () => {
    const [sentence] = extractiveAnswer('fastest animal', [FALCON, FALCON, { ...FALCON, title: 'Copy' }]);
    expect(sentence).toEqual({ text: 'The peregrine falcon is the fastest animal.', citation: 1 });
    const texts = extractiveAnswer('fastest animal', [FALCON, FALCON]).map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('quotes only: every sentence stands in the passage that it cites, but for whitespace', () => {
    let answered = 0;
    fc.assert(
      fc.property(anyQuestion, passages, (asked, given) => {
        const answer = extractiveAnswer(asked, given);
        answered += answer.length > 0 ? 1 : 0;
        for (const { text, citation } of answer) {
          expect(citation).toBeGreaterThanOrEqual(1);
          expect(citation).toBeLessThanOrEqual(given.length);
          expect(inkOf(text)).not.toBe('');
          expect(inkOf(given[citation - 1]!.text.toWellFormed())).toContain(inkOf(text));
        }
      }),
      { numRuns: 500 },
    );
    expect(answered).toBeGreaterThan(20);
  });

  it('is bounded: one to eight sentences or none, each under three headings at most, and 1,600 characters', () => {
    fc.assert(
      fc.property(anyQuestion, passages, (asked, given) => {
        const answer = extractiveAnswer(asked, given);
        expect(answer.length).toBeLessThanOrEqual(8 * 4);
        expect(answer.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(1_600);
      }),
    );
  });

  it('holds no mark but its own: those of the passages are not taken for citations', () => {
    fc.assert(
      fc.property(anyQuestion, passages, (asked, given) => {
        const answer = extractiveAnswer(asked, given);
        const marks = createCitationMarks(given.length);
        const shown =
          answerPieces(answer)
            .map((piece) => marks.push(piece))
            .join('') + marks.flush();
        const order = [...new Set(answer.map(({ citation }) => citation - 1))];
        expect(marks.cited()).toEqual(order);
        expect(inkOf(shown)).toHaveLength(
          inkOf(
            answerPieces(
              answer.map(({ text, citation }) => ({ text, citation: order.indexOf(citation - 1) + 1 })),
            ).join(''),
          ).length,
        );
      }),
      { numRuns: 500 },
    );
  });
});

const answerOf = (question: string, ...texts: readonly string[]): readonly string[] =>
  extractiveAnswer(
    question,
    texts.map((text) => ({ title: 'Guide', text })),
  ).map(({ text }) => text);

describe('what an answer is made of', () => {
  it('is rather what says as much in fewer characters', () => {
    const [long, short] = ['pneumatically amphibious', 'hot air'].map(
      (how) => `Relays send letters ${how} and ${how} and ${how} and ${how}.`,
    ) as [string, string];
    const best = `The relays send letters of ${'b'.repeat(700)}.`;
    const answer = answerOf('Which relays send letters?', best, long, short);
    expect(answer).toContain(short);
    expect(answer).not.toContain(long);
  });
});

describe('a full stop ends no sentence', () => {
  it.each([
    ['he met Dr.', ' S'],
    ['the letters, pp.', ' 4'],
    ['p.', ' 7'],
    ['as said on p.', ' 7'],
    ['as said (p.', ' 7'],
  ])('behind %j before %j', (ending, next) => expect(isAbbreviated(ending, next)).toBe(true));
});

const answerTo = (question: string, text: string): string =>
  answerPieces(extractiveAnswer(question, [{ title: 'Guide', text }]), false).join('');

describe('an answer to how something is done', () => {
  it('goes on to a piece of six hundred characters, and not to a longer one', () => {
    const said = (length: number) =>
      answerTo('How do senders get relays?', `Senders may have relays.\n\n${'x'.repeat(length)}`);
    expect(said(600)).toContain('x'.repeat(600));
    expect(said(601)).not.toContain('x');
  });
});

const textsOf = (text: string): string[] => sentencesOf(text).map((sentence) => sentence.text);

describe('a sentence', () => {
  it.each([
    ['So it is .\nGoes on . And on', ['So it is .', 'Goes on .', 'And on']],
    ['So it is . goes on', ['So it is .', 'goes on']],
    ['It works!! so it seems', ['It works!! so it seems']],
    ['It works!\nso it seems', ['It works!', 'so it seems']],
    ['He met J. Doe. Next one.', ['He met J. Doe.', 'Next one.']],
  ])('ends where it ends: %j', (text, sentences) => {
    expect(textsOf(text)).toEqual(sentences);
  });
});
