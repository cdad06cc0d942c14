import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  charactersOf,
  countWords,
  firstCharacters,
  hasWords,
  mayHaveWord,
  singleCharacters,
  wordsOf,
  hasTerm,
  withoutSign,
  namedWords,
  folded,
} from '../../../domain/shared/words.ts';

describe('wordsOf', () => {
  it.each([
    ['Don’t re-index max_num_files!', ['don', 't', 're', 'index', 'max', 'num', 'files']],
    ['', []],
    ['東京都 in 2024年', ['東京', '京都', 'in', '2024', '年']],
    ['ガイドライン', ['ガイ', 'イド', 'ドラ', 'ライ', 'イン']],
    [
      'Donau\u00addampf\u00adschiff \ufeffa\u2060b block\u200bchain',
      ['donaudampfschiff', 'ab', 'blockchain'],
    ],
    ['東京abc大阪x', ['東京', 'abc', '大阪', 'x']],
  ])('splits %j', (text, words) => expect(wordsOf(text)).toEqual(words));

  it('cuts long words so that they still match themselves, and never inside a character', () => {
    const [cut] = wordsOf(`${'a'.repeat(79)}𝒜𝒜`.normalize('NFC'));
    expect(wordsOf('x'.repeat(5000))).toEqual(['x'.repeat(80)]);
    expect(cut?.isWellFormed()).toBe(true);
    expect(wordsOf('𐐨'.repeat(60))[0]?.isWellFormed()).toBe(true);
    expect(wordsOf(`${'a'.repeat(80)} ${'b'.repeat(81)}`)).toEqual(['a'.repeat(80), 'b'.repeat(80)]);
  });
});

const anyText = fc.string({
  unit: fc.constantFrom(
    ...'aZ09 .-_\n',
    'ä',
    'Σ',
    '\u0301',
    '東',
    '京',
    '’',
    '\u2028',
    'ﬁ',
    '´',
    ...'\u00a0§©«®¶·»–—‘“”•…→',
    '𝒜',
  ),
  maxLength: 40,
});

describe('words of several lines', () => {
  it('are those of the whole text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        // With a letter that is not ASCII, nothing is taken line by line as ASCII.
        const whole = text.replaceAll('\n', ' \u2029 ');
        expect(wordsOf(text)).toEqual(wordsOf(whole));
      }),
    );
  });
});

describe('hasWords', () => {
  it('knows whether a text has so many', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 6 }), (text, count) => {
        expect(hasWords(text, count)).toBe(wordsOf(text).length >= count);
      }),
    );
  });

  it('takes each character of ASCII as `wordsOf` does', () => {
    for (let code = 0; code < 128; code += 1) {
      const text = `-${String.fromCharCode(code)}-`;
      expect([text, hasWords(text, 1)]).toEqual([text, wordsOf(text).length === 1]);
    }
    expect(hasWords('two words', 2)).toBe(true);
    expect(hasWords('two words', 3)).toBe(false);
  });
});

describe('mayHaveWord', () => {
  it('is true for every text that has the word', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const word of wordsOf(text)) expect(mayHaveWord(word)(text)).toBe(true);
      }),
    );
  });

  it('is false for a plain text without its characters', () => {
    expect(mayHaveWord('owl')('A falcon… and an OW L')).toBe(false);
    expect(mayHaveWord('owl')('A falcon and an OWL')).toBe(true);
    expect(mayHaveWord('owl')('ＯＷＬ')).toBe(true);
  });
});

describe('firstCharacters', () => {
  it('are those with which the words of a text begin', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 12 }), (text, count) => {
        expect(firstCharacters(text, count)).toBe(wordsOf(text).join('').slice(0, count));
      }),
    );
  });

  it('are so many of a plain text, in lower case', () => {
    expect(firstCharacters('One… «TWO» 3.', 4)).toBe('onet');
    expect(firstCharacters('One… «TWO» 3.', 40)).toBe('onetwo3');
  });

  it('are not without what comes after them and changes them', () => {
    expect(firstCharacters('Ab-cafe\u0301', 6)).toBe('abcafé');
    expect(firstCharacters('Ab-café', 6)).toBe('abcafé');
  });
});

describe('charactersOf', () => {
  it.each([
    ['abc', ['a', 'b', 'c']],
    ['e\u0301\u0323a\n', ['e\u0301\u0323', 'a', '\n']],
    ['\u0301a', ['\u0301', 'a']],
    ['𝒜b', ['𝒜', 'b']],
    ['', []],
  ])('of %j are letters with their marks', (text, characters) => {
    expect(charactersOf(text)).toEqual(characters);
  });
});

describe('countWords', () => {
  it('counts each word', () =>
    expect([...countWords(['a', 'b', 'a'])]).toEqual([
      ['a', 2],
      ['b', 1],
    ]));
});

describe('singleCharacters', () => {
  it.each([
    ['東京都の塔', ['東', '京', '都', 'の', '塔']],
    ['ｻｰﾊﾞｰ is up', ['サ', 'ー', 'バ', 'ー']],
    ['京 is one already', []],
    ['東。京', ['東', '京']],
    ['plain words', []],
  ])('of %j are what pairs are made of', (text, characters) =>
    expect(singleCharacters(text)).toEqual(characters),
  );
});

describe('a term', () => {
  it('loses its sign, and nothing else does', () => {
    expect(withoutSign('size ¶')).toBe('size');
    expect(withoutSign('size ¶ \n')).toBe('size');
    expect(withoutSign('  size ¶')).toBe('  size');
    expect(withoutSign('¶ size ')).toBe('¶ size ');
  });

  it('is in a text where it ends a line', () => {
    expect(hasTerm('size ¶\n\nHow long.')).toBe(true);
    expect(hasTerm('How long.\n\nsize ¶')).toBe(true);
    expect(hasTerm('size ¶ of it\n\nHow long.')).toBe(false);
  });
});

it.each([
  ['How are zones moved from PowerDNS to BIND?', ['PowerDNS', 'BIND?']],
  ['It hangs.  Where does Mutt look? Under Linux, mostly.', ['Mutt', 'Linux,']],
  ['a question: Can Exim do it', ['Exim']],
  [' Tapes of the shelf', []],
  ['WHICH  TAPE', []],
])('words written like names in %j', (text, names) => expect(namedWords(text)).toEqual(names));

it.each([
  ['straße', 'strasse'],
  ['smørrebrød', 'smorrebrod'],
  ['łódź', 'lodz'],
  ['đường', 'duong'],
  ['eð', 'ed'],
  ['ħobż', 'hobz'],
  ['ırmak', 'irmak'],
  ['þing', 'thing'],
  ['œuvre æ', 'oeuvre ae'],
  ['йеёй', 'йеей'],
  ['ἄνθρωπος', 'ανθρωποσ'],
  ['مُحَمَّد', 'محمد'],
  ['שָׁלוֹם', 'שלום'],
])('folds %s to %s', (word, plain) => expect(folded(word)).toBe(plain));

it.each(['мой', 'が', 'パ', 'हिन्दी', 'กำ', '한국'])('leaves %s, where marks make other letters', (word) =>
  expect(folded(word)).toBe(word),
);
