import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askedBy } from '../../../domain/answer/asked.ts';
import type { Candidate } from '../../../domain/answer/candidates.ts';
import { passageScores, scoresAtPlaces, termsAsked } from '../../../domain/answer/passage-scores.ts';
import { rankSentences } from '../../../domain/answer/rank-sentences.ts';
import { bm25, passageFactors, sumOf, weigh } from '../../../domain/answer/weights.ts';
import { prose } from '../chunking/arbitrary-text.ts';

const MENTIONS = {
  title: 'Limits',
  text: 'Raise work_mem with care. Each session takes work_mem for each of its sorts. See work_mem.',
};
const DEFINES = {
  title: 'Memory',
  text: 'work_mem (integer)\n\nSets the memory that a sort may take. The default is four megabytes.',
};
const BREAD = { title: 'Bread', text: 'Knead the dough for ten minutes.' };

describe('how well passages answer a question', () => {
  it('is seen by their best sentences: the one that defines what is asked for comes first', () => {
    const [mentions, defines, bread] = passageScores('work_mem default', [MENTIONS, DEFINES, BREAD]);
    expect(defines).toBe(1);
    expect(mentions).toBeGreaterThan(0);
    expect(mentions).toBeLessThan(0.9);
    expect(bread).toBe(0);
  });

  it('is the same at other places as if the passages had come in that order', () => {
    const given = [MENTIONS, DEFINES, BREAD, { ...MENTIONS, title: 'More' }];
    const order = [1, 3, 0, 2];
    const moved = scoresAtPlaces(
      passageScores('work_mem default', given),
      given.map((_, i) => order.indexOf(i)),
    );
    const anew = passageScores(
      'work_mem default',
      order.map((i) => given[i]!),
    );
    for (const [place, i] of order.entries()) expect(moved[i]).toBeCloseTo(anew[place]!, 12);
    expect(scoresAtPlaces([0, 0], [1, 0])).toEqual([0, 0]);
    expect(scoresAtPlaces([], [])).toEqual([]);
  });

  it('is nothing for all where none holds a term of it', () => {
    expect(passageScores('penguins', [MENTIONS, BREAD])).toEqual([0, 0]);
    expect(passageScores('', [BREAD])).toEqual([0]);
    expect(passageScores('penguins', [])).toEqual([]);
  });

  it('lies from 0 to 1, and one of them is the best', () => {
    const passages = fc.array(fc.record({ title: fc.constant('Notes'), text: prose(10) }), { maxLength: 5 });
    fc.assert(
      fc.property(passages, prose(4), (given, question) => {
        const scores = passageScores(question, given);
        expect(scores).toHaveLength(given.length);
        expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
        expect([0, 1]).toContain(Math.max(0, ...scores));
      }),
    );
  });

  it('rests on so many terms as the question has beside the words that join them', () => {
    expect(['', 'What is the default of max_wal_size?', 'How do I list tags?'].map(termsAsked)).toEqual([
      0, 2, 2,
    ]);
  });

  it('takes a word of thousands of letters as one word, at once', () => {
    expect(termsAsked(`What is ${'a'.repeat(4_000)}  b`)).toBe(2);
  });
});

describe('the page that explains', () => {
  const best = (question: string, ...passages: readonly { title: string; text: string }[]): string => {
    const scores = passageScores(question, passages);
    return passages[scores.indexOf(Math.max(...scores))]!.title;
  };

  it.each(['vacuum_cost_delay', 'What is the default of vacuum_cost_delay?', 'vacuum_cost_delay default'])(
    'a name goes before one that mentions it often: %s',
    (question) => {
      const mentions = {
        title: 'Tables',
        text: 'vacuum_cost_delay, toast.vacuum_cost_delay (floating point)\n\nThe default of vacuum_cost_delay for this table, in place of vacuum_cost_delay.',
      };
      const explains = {
        title: 'Settings',
        text: 'vacuum_cost_delay (floating point)\n\nSpecifies how long cleaning sleeps when it has spent its share. The default is two milliseconds.',
      };
      expect(best(question, mentions, explains)).toBe('Settings');
    },
  );

  const options = {
    title: 'Rebuilding',
    text: 'Tablespaces\n\nRebuilds the indexes of a tablespace on a new tablespace.',
  };
  it('a thing is the page that is called like it', () => {
    const titled = {
      title: '23.6. Tablespaces',
      text: '23.6. Tablespaces\n\nWith them administrators choose where files of a database lie.',
    };
    expect(best('What is a tablespace?', options, titled)).toBe('23.6. Tablespaces');
  });

  it.each(['What is a tablespace?', 'tablespace what is', 'Tablespace'])(
    'a thing is the glossary, however its entry begins: %s',
    (question) => {
      const glossary = {
        title: 'gitglossary(7)',
        text: 'tablespace\n\nNamed place in which files of a database lie.',
      };
      expect(best(question, options, glossary)).toBe('gitglossary(7)');
    },
  );
});

describe('the weights of terms', () => {
  const held = (passage: number, words: number, counts: Readonly<Record<string, number>> = {}) =>
    ({
      passage,
      words: Array.from({ length: words }, () => ''),
      counts: new Map(Object.entries(counts)),
    }) as unknown as Candidate;

  it('are those of rare ones, half of it for words that only ask, but for a default', () => {
    const asked = askedBy('What is the default size of a tape?');
    const [tape, size, byDefault] = [...asked.subject, ...asked.terms.difference(asked.subject)].toSorted(
      (a, b) => 'tsd'.indexOf(a.charAt(0)) - 'tsd'.indexOf(b.charAt(0)),
    );
    const weights = weigh(asked, [held(0, 1, { [tape!]: 9 }), held(0, 1), held(0, 1)]);
    expect(weights.get(tape!)).toBeCloseTo(Math.log(1 + 2.5 / 1.5));
    expect(weights.get(size!)).toBeCloseTo(Math.log(1 + 3.5 / 0.5) / 2);
    expect(weights.get(byDefault!)).toBeCloseTo(Math.log(1 + 3.5 / 0.5));
    expect(sumOf(weights, new Set([tape!, 'reel']))).toBe(weights.get(tape!));
  });

  it('count for more where a term stands more often, and for less in long sentences', () => {
    const weights = new Map([
      ['tape', 2],
      ['reel', 3],
    ]);
    expect(bm25(held(0, 10, { tape: 1 }), weights, 10)).toBeCloseTo(2);
    expect(bm25(held(0, 10, { tape: 2 }), weights, 10)).toBeCloseTo((2 * 2 * 2.2) / 3.2);
    expect(bm25(held(0, 20, { tape: 1 }), weights, 10)).toBeCloseTo((2 * 2.2) / (1 + 1.2 * 1.35));
    expect(bm25(held(0, 1, { tape: 1 }), weights, 0)).toBeCloseTo(2);
    expect(bm25(held(0, 10), weights, 10)).toBe(0);
  });

  it('of passages are by their best three sentences, and by their place', () => {
    const candidates = [0, 0, 0, 0, 1, 1].map((passage) => held(passage, 1));
    const factors = passageFactors(3, candidates, [1, 4, 2, 3, 4, 0.5], 0.7);
    expect(factors[0]).toBeCloseTo(1);
    expect(factors[1]).toBeCloseTo((0.7 + (0.3 * 4.5) / 9) / 1.05);
    expect(factors[2]).toBeCloseTo(0.7 / 1.1);
    expect(passageFactors(1, [held(0, 1)], [0], 0.5)).toEqual([0.5]);
  });
});

describe('the best sentences of passages', () => {
  it('count for more in answers, where others of their passage say nothing', () => {
    const texts = ['Reels wind tape. All reels wind tape. Most reels wind tape.', 'Such reels wind tape.'];
    const passages = texts.map((text) => ({ title: 'Guide', text }));
    const question = 'Which reels wind tape?';
    const { sentences } = rankSentences(question, passages);
    const inAnswers = sentences.find(({ passage }) => passage === 1)!.score / sentences[0]!.score;
    const [, inSearches] = passageScores(question, passages);
    expect(inAnswers / inSearches!).toBeCloseTo((0.7 + 0.3 / 3) / (0.5 + 0.5 / 3), 1);
  });

  it('score as they do where all sentences are ranked', () => {
    const passages = fc.array(fc.record({ title: prose(2), text: prose(10) }), { maxLength: 4 });
    const asked = fc.constantFrom('', ' max_size', 'What is ', 'How many are ');
    fc.assert(
      fc.property(passages, prose(4), asked, (given, words, beginning) => {
        const question = `${beginning}${words}`;
        const named = given.map(({ title, text }) => ({
          title,
          text: `${words}: ${text}\n\n${words}\n\n${text}`,
        }));
        const { sentences } = rankSentences(question, named, undefined, 0.5);
        const best = named.map((_, i) => sentences.find(({ passage }) => passage === i)?.score ?? 0);
        const highest = sentences[0]?.score ?? 1;
        expect(passageScores(question, named)).toEqual(best.map((score) => score / highest));
      }),
    );
  });
});
