import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCitationMarks } from '../../../domain/answer/citation-marks.ts';
import { answerPieces, extractiveAnswer, NO_ANSWER } from '../../../domain/answer/extractive-answer.ts';
import { inkOf, prose } from '../chunking/arbitrary-text.ts';

const FALCON = {
  title: 'Peregrine falcon',
  text:
    'Who is fast?\n\nThe peregrine falcon is the fastest animal. Its dive reaches 320 km/h. ' +
    'It hunts birds in flight, mostly pigeons. Adults weigh about a kilogram.',
};
const OWL = {
  title: 'Owls',
  text: 'Owls are birds of prey that hunt at night. Their feathers make no sound. The eagle owl is the largest.',
};
const BREAD = {
  title: 'Bread',
  text: 'Knead the dough for ten minutes. Let it rise overnight in a cold room.',
};

const answerTo = (question: string, ...passages: { title: string; text: string }[]): string =>
  answerPieces(extractiveAnswer(question, passages)).join('');

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
const question = fc.oneof(fc.constantFrom('falcon hunts', 'What is x?', 'the', ''), prose(6));

describe('extractiveAnswer', () => {
  it('answers with the sentence that holds the answer, and cites its passage', () => {
    expect(answerTo('How fast is the dive of a peregrine falcon?', BREAD, FALCON, OWL)).toMatch(
      /Its dive reaches 320 km\/h\. \[2\]/,
    );
    expect(answerTo('When do owls hunt?', FALCON, OWL, BREAD)).toMatch(
      /^Owls are birds of prey that hunt at night\. \[2\]/,
    );
  });

  it('finds words in their other forms', () => {
    expect(answerTo('kneading dough', FALCON, BREAD)).toMatch(/^Knead the dough for ten minutes\. \[2\]/);
  });

  it('answers in scripts without spaces', () => {
    const tokyo = { title: '東京', text: '大阪は商業の街です。東京は日本の首都です。京都は古い都です。' };
    expect(answerTo('日本の首都はどこですか', tokyo)).toContain('東京は日本の首都です。 [1]');
  });

  it('says in one fixed sentence that nothing matches, without a citation', () => {
    expect(answerTo('Which currency does Mongolia use?', FALCON, OWL, BREAD)).toBe(NO_ANSWER);
    expect(answerTo('What is the price of a falcon licence in Mongolia?', OWL, BREAD)).toBe(NO_ANSWER);
    // A word in common is not yet an answer.
    expect(answerTo('What is the price of a falcon licence in Mongolia?', FALCON, OWL, BREAD)).toBe(
      NO_ANSWER,
    );
    expect(answerTo('anything')).toBe(NO_ANSWER);
    expect(answerTo('what is it?', FALCON)).toBe(NO_ANSWER);
  });

  it('says the same thing once, though overlapping passages hold it twice', () => {
    const [sentence] = extractiveAnswer('fastest animal', [FALCON, FALCON, { ...FALCON, title: 'Copy' }]);
    expect(sentence).toEqual({ text: 'The peregrine falcon is the fastest animal.', citation: 1 });
    const texts = extractiveAnswer('fastest animal', [FALCON, FALCON]).map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('prefers a statement to the question or the heading that asks for it', () => {
    const faq = {
      title: 'FAQ',
      text: 'How do I reset my password?\n\nOpen the settings page and choose a new one.',
    };
    expect(answerTo('How do I reset my password?', faq)).toMatch(
      /^Open the settings page|\nOpen the settings page/,
    );
  });

  it('keeps the sentences of one passage together and in reading order', () => {
    const answer = extractiveAnswer(
      'Which birds does a peregrine falcon hunt in flight, how fast is its dive?',
      [OWL, FALCON],
    );
    const citations = answer.map(({ citation }) => citation);
    expect(citations.filter((citation, i) => citation !== citations[i - 1])).toEqual([...new Set(citations)]);
    const places = answer
      .filter(({ citation }) => citation === 2)
      .map(({ text }) => FALCON.text.indexOf(text));
    expect(places.length).toBeGreaterThan(1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('quotes only: every sentence stands in the passage that it cites, but for whitespace', () => {
    let answered = 0;
    fc.assert(
      fc.property(question, passages, (asked, given) => {
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
      fc.property(question, passages, (asked, given) => {
        const answer = extractiveAnswer(asked, given);
        expect(answer.length).toBeLessThanOrEqual(8 * 4);
        expect(answer.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(1_600);
      }),
    );
  });

  it('depends on nothing but its input', () => {
    fc.assert(
      fc.property(question, passages, (asked, given) => {
        expect(extractiveAnswer(asked, structuredClone(given))).toEqual(extractiveAnswer(asked, given));
      }),
    );
  });

  it('holds no mark but its own: those of the passages are not taken for citations', () => {
    fc.assert(
      fc.property(question, passages, (asked, given) => {
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
