import { describe, expect, it } from 'vitest';
import { askedBy, termsWithNames, withAskingWordsAsMeant } from '../../../domain/answer/asked.ts';
import {
  withNeighbours,
  accompanied,
  MOST_CHARACTERS,
  withReferences,
  nearestPages,
} from '../../../domain/answer/belonging.ts';
import type { RankedSentence, Ranking } from '../../../domain/answer/rank-sentences.ts';
import { withHeadings } from '../../../domain/answer/extractive-answer.ts';
import { madeRanking, sentence } from './made-ranking.ts';

const words = (text: string) => text.split(' ').filter((word) => word !== '');

describe('a question', () => {
  it.each([
    ['waht is a refspec', 'what is a refspec'],
    ['Hwo do I see it?', 'how do I see it?'],
    ['what dose git stash do', 'what does git stash do'],
    ['how dose it go', 'how does it go'],
    ['wich files are these', 'which files are these'],
  ])('is read with the words that ask as they were meant: %s', (typed, meant) => {
    expect(askedBy(typed)).toEqual(askedBy(meant));
    expect(withAskingWordsAsMeant(typed)).toBe(meant);
  });

  it.each([
    ['What is a refspec?', true],
    ['max columns', false],
    ['What  is a  refspec? ', true],
    ['refspec what this', false],
    ['refspec what is', true],
  ])('asks what something is: %s is %s', (question, is) => {
    expect(askedBy(question).isWhat).toBe(is);
  });

  it.each([
    ['What does the sweep of a log remove?', 'sweep log'],
    ['What did the sweep remove', 'sweep'],
    ['"What did the sweep remove?"', 'sweep'],
    ['What is the default size of a sweep?', 'sweep'],
    ['What is the default value?', 'default valu'],
  ])('is about its words but those that only ask: %s', (question, subject) => {
    expect([...askedBy(question).subject].toSorted()).toEqual(words(subject).toSorted());
  });
});

describe('the terms of a text', () => {
  it('have names as a whole, where they stand as a whole', () => {
    const of = (text: string) => termsWithNames(text, ['work_mem', 'a.b']);
    expect(of('Set work_mem twice, WORK_MEM')).toEqual(['work_mem', 'work_mem', 'set', 'twic']);
    expect(of('Set autovacuum_work_mem')).toEqual(['set', 'autovacuum', 'work', 'mem']);
    expect(of('Set work_mems, xwork_mem')).toEqual(['set', 'work', 'mem', 'xwork', 'mem']);
    expect(of('xwork_mem')).toEqual(['xwork', 'mem']);
    expect(of('work_mem.xwork_mem')).toEqual(['work_mem', 'xwork', 'mem']);
    expect(of('a.b.c xa.b a.b')).toContain('a.b');
    expect(termsWithNames('work_mem', [])).toEqual(['work', 'mem']);
  });
});

const NONE: ReadonlySet<string> = new Set();
type Given = Partial<RankedSentence> & { readonly text: string };

const rankingOf = (...passages: readonly (readonly Given[])[]): Ranking => {
  const judged = { defines: false, isDefinition: false, isOfKind: false, score: 0, level: 0 };
  const plain = { terms: () => NONE, matched: NONE, section: 0, isStatement: true, ...judged };
  const texts = passages.map((given, passage) =>
    given.map((one, place) => ({ ...plain, passage, place, ...one })),
  );
  return {
    asked: askedBy('relays'),
    sentences: [],
    texts,
    missing: NONE,
    coverage: () => 1,
    neighbours: null,
  };
};
/** With what stands around those that have a level; the one that has 10 is the best. */
const around = (...passages: readonly (readonly Given[])[]): string => {
  const ranking = rankingOf(...passages);
  const chosen = ranking.texts.flat().filter(({ level }) => level > 0);
  const best = chosen.find(({ level }) => level === 10)!;
  return withNeighbours(ranking, best, chosen)
    .map(({ text }) => text)
    .join(' ');
};
const says = (...texts: readonly string[]): Given[] => texts.map((text) => ({ text }));
const BEST = { text: 'Best.', level: 10 };

describe('what stands around the sentences of an answer', () => {
  it('is said of the best sentences, once', () => {
    expect(around([...says('A.', 'B.'), { text: 'Good.', level: 7 }], [BEST])).toBe('B. Good. Best.');
    expect(around([...says('A.', 'B.'), { text: 'Fair.', level: 6.9 }], [BEST])).toBe('Fair. Best.');
    expect(around([BEST, ...says('A.'), { text: 'Good.', level: 8 }])).toBe('Best. A. Good.');
  });

  it('fills an answer to 1,350 characters, with what has 220, the best first', () => {
    const long = (length: number): Given => ({ text: 'x'.repeat(length) });
    expect(around([BEST, long(220)])).toHaveLength(226);
    expect(around([BEST, long(221)])).toBe('Best.');
    const full = { text: 'f'.repeat(1_340), level: 1 };
    expect(around([BEST, ...says('A---.')], [full])).toContain('A---.');
    expect(around([BEST, ...says('A----.')], [full])).not.toContain('A----.');
    expect(around([{ text: 'G', level: 8 }, ...says('A---')], [full], [BEST, ...says('B--.')])).toMatch(
      /^G f+ Best\. B--\.$/,
    );
  });
});

const placesOf = (sentences: readonly RankedSentence[]): readonly number[] =>
  sentences.map(({ place }) => place);
const line = (place: number, text: string, other: Partial<RankedSentence> = {}): RankedSentence =>
  sentence(place, { text, isStatement: false, ...other });
/** What stands with the sentence at a place. */
const referring = (at: number, ...text: readonly RankedSentence[]): readonly number[] =>
  placesOf(withReferences(madeRanking('Where is the tape?', text), [text[at]!]));

describe('what stands before a sentence', () => {
  const refers = sentence(1, { text: 'It turns for an hour.' });

  it('is of its section, and short', () => {
    expect(referring(1, sentence(0, { section: 0 }), refers)).toEqual([1]);
    expect(referring(1, sentence(0, { text: 'r'.repeat(220) }), refers)).toEqual([0, 1]);
    expect(referring(1, sentence(0, { text: 'r'.repeat(221) }), refers)).toEqual([1]);
  });
});

describe('what stands behind a sentence of how to do something', () => {
  const how = (next: RankedSentence): readonly number[] =>
    placesOf(withReferences(madeRanking('How do I wind a reel?', [sentence(0), next]), [sentence(0)]));

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
});

describe('headings of a sentence', () => {
  const headed = (at: number, ...text: readonly RankedSentence[]): readonly number[] =>
    placesOf(withHeadings(madeRanking('Where is the tape?', text), [text[at]!]));

  it('stand above all statements of its section', () => {
    const [head, below] = [line(0, 'Winding reels'), line(2, 'Turning tapes')];
    expect(headed(1, head, sentence(1))).toEqual([0, 1]);
    expect(headed(3, head, sentence(1), below, sentence(3))).toEqual([0, 3]);
    expect(headed(2, head, sentence(1), line(2, 'wind the reel'))).toEqual([0, 2]);
  });
});

const on = (title: string, url?: string) => ({ title, text: 'any', ...(url !== undefined && { url }) });

describe('nearestPages', () => {
  it('names three pages in their order, each once however many passages it has', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) =>
      on(`Page ${name}`, `https://docs.example.com/${name}`),
    );
    expect(nearestPages([a!, a!, b!, a!, c!, d!])).toBe(
      '\n\nThe nearest pages:\n- Page a https://docs.example.com/a\n- Page b https://docs.example.com/b' +
        '\n- Page c https://docs.example.com/c',
    );
  });

  it('names a document without an address by its title, a page without a title by its address', () => {
    expect(nearestPages([on('Handbook'), on(' ', 'https://docs.example.com/'), on('', '')])).toBe(
      '\n\nThe nearest pages:\n- Handbook\n- https://docs.example.com/',
    );
  });

  it('is empty where there is no page', () => {
    expect(nearestPages([])).toBe('');
    expect(nearestPages([on('', '')])).toBe('');
  });
});
