import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stretchesOf, textOf } from '../../console/src/pages/source/text.ts';

const sentence = fc.stringMatching(/^[A-Z][a-z]{3,9}( [a-z]{2,8}){3,6}\.$/);
/** Sentences in passages of up to four, of which each may repeat the last sentence of the one before. */
const documents = fc
  .array(
    fc.record({ sentences: fc.array(sentence, { minLength: 2, maxLength: 4 }), repeats: fc.boolean() }),
    { minLength: 1, maxLength: 8 },
  )
  .map((drawn) =>
    drawn.map(({ sentences, repeats }, i) => {
      const last = i > 0 && repeats ? [drawn[i - 1]!.sentences.at(-1)!] : [];
      return { id: `p${i}`, text: [...last, ...sentences].join(' '), repeats: last.length > 0 };
    }),
  );

describe('the text of a document that is put together from its passages', () => {
  it('has every passage where it is marked, to the letter', () => {
    fc.assert(
      fc.property(documents, (passages) => {
        const { text, placed } = textOf(passages);
        expect(placed.map(({ id, start, end }) => ({ id, text: text.slice(start, end) }))).toEqual(
          passages.map(({ id, text: own }) => ({ id, text: own })),
        );
      }),
    );
  });

  it('has once what a passage repeats of the one before', () => {
    fc.assert(
      fc.property(documents, (passages) => {
        const { placed } = textOf(passages);
        const repeated = passages.flatMap(({ repeats }, i) => (repeats ? [i] : []));
        const shared = placed.flatMap(({ start }, i) => (i > 0 && start < placed[i - 1]!.end ? [i] : []));
        expect(shared).toEqual(repeated);
      }),
    );
  });

  it('keeps a passage that only begins with a short word of the one before, or is equal to it', () => {
    const passages = ['It is so.', 'so. And so on it goes.', 'And so on it goes.', 'And so on it goes.'];
    const { text } = textOf(passages.map((one, i) => ({ id: String(i), text: one })));
    expect(text.split('\n\n')).toEqual([...passages.slice(0, 2), ...passages.slice(2)]);
  });

  it('is the stretches between the marks, one behind the other, each with the passages that cover it', () => {
    fc.assert(
      fc.property(documents, (passages) => {
        const { text, placed } = textOf(passages);
        const stretches = stretchesOf(text, placed);
        expect(stretches.map((one) => one.text).join('')).toBe(text);
        let at = 0;
        for (const { text: part, covers } of stretches) {
          const [from, to] = [at, at + part.length];
          const over = placed.flatMap(({ start, end }, i) => (start <= from && end >= to ? [i] : []));
          expect(covers).toEqual(over);
          at = to;
        }
      }),
    );
  });
});
