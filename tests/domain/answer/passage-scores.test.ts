import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passageScores, scoresAtPlaces } from '../../../domain/answer/passage-scores.ts';
import { rankSentences } from '../../../domain/answer/rank-sentences.ts';
import { prose } from '../chunking/arbitrary-text.ts';
import { phraseScores } from '../../../domain/answer/phrase-scores.ts';
import { createTitleScores } from '../../../domain/answer/title-scores.ts';
import { answerPieces, extractiveAnswer } from '../../../domain/answer/extractive-answer.ts';

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
});

describe('the best sentences of passages', () => {
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

const passageWith = (text: string, title = 'Page') => ({ title, text });

describe('phrases of a question', () => {
  it('count in titles, and over words that only join', () => {
    const titled = passageWith('Nothing else.', 'Types of tables');
    expect(phraseScores('type table', [passageWith('A table has a type.'), titled])).toEqual([0, 1]);
  });

  it('count more where few have them, and each further occurrence less', () => {
    const rare = passageWith('A cascading trigger fires.');
    const common = passageWith(
      'A deferred trigger fires. A deferred trigger fires. A deferred trigger fires.',
    );
    const once = passageWith('A deferred trigger fires.');
    const [a, b, c] = phraseScores('cascading trigger or deferred trigger', [rare, common, once]);
    expect(a).toBe(1);
    expect(b).toBeGreaterThan(c ?? 0);
    expect(b).toBeLessThan(3 * (c ?? 0));
    expect(c).toBeLessThan(1);
  });

  it('are none in a word alone, in a word said twice, and in what has none', () => {
    expect(phraseScores('vacuum', [passageWith('vacuum')])).toEqual([0]);
    expect(phraseScores('so so vacuum vacuum', [passageWith('vacuum vacuum')])).toEqual([0]);
    expect(phraseScores('execution plan', [passageWith('Nothing.')])).toEqual([0]);
    expect(phraseScores('execution plan', [])).toEqual([]);
  });
});

const scoresOf = (question: string, ...titles: readonly string[]) =>
  createTitleScores(1)(
    question,
    titles.map((title) => ({ title })),
  );

describe('what titles say of a question', () => {
  it('leaves out the number of a title, and what all of a site end in', () =>
    expect(scoresOf('wind tapes', '3.1. Winding Tapes — The Manual of Reels 3.1')).toEqual([1]));
});

const answerTo = (question: string, text: string): string =>
  answerPieces(extractiveAnswer(question, [{ title: 'Guide', text }]), false).join('');
const TIMEOUT =
  'TIMEOUT\n\nHow many seconds a test may take. Tests that take more are killed.\n\nWeather\n\nIt may rain.';

describe('the headings of an answer', () => {
  it('say above a sentence what it is about, which may be the name of what was asked for', () => {
    const answer = 'TIMEOUT How many seconds a test may take. Tests that take more are killed.';
    expect(answerTo('How do I limit the seconds that a test takes?', TIMEOUT)).toBe(answer);
    expect(answerTo('Can the seconds that a test may take be many?', TIMEOUT)).toBe(answer);
  });

  it('are not said above another heading', () => {
    expect(answerTo('How do I set the relay?', 'Guide\n\nSet the relay with RELAY\n\nTurn on')).toBe(
      'Set the relay with RELAY Turn on',
    );
  });

  it('ask and announce nothing, are no row, and have a hundred characters at most', () => {
    const answer = 'A test is limited by its seconds.';
    for (const heading of ['x'.repeat(100), 'Limits? Of some sort'])
      expect(answerTo('How do I limit tests?', `${heading}\n\n${answer}`)).toBe(`${heading} ${answer}`);
    for (const heading of [
      'x'.repeat(101),
      'How do I limit the tests of some sort?',
      'Limits:',
      'Limits | Some',
    ])
      expect(answerTo('How do I limit tests?', `${heading}\n\n${answer}`)).toBe(answer);
  });
});
