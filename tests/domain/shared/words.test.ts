import { describe, expect, it } from 'vitest';
import { countWords, wordsOf } from '../../../domain/shared/words.ts';

describe('wordsOf', () => {
  it.each([
    ['Don’t re-index max_num_files!', ['don', 't', 're', 'index', 'max', 'num', 'files']],
    ['Ｆｕｌｌ ﬁne Straße', ['full', 'fine', 'straße']],
    ['', []],
    ['  \n\t—… ', []],
    ['東京都 in 2024年', ['東京', '京都', 'in', '2024', '年']],
    ['ガイドライン', ['ガイ', 'イド', 'ドラ', 'ライ', 'イン']],
    ['검색 서비스', ['검색', '서비', '비스']],
    ['PostgreSQL入門 v2', ['postgresql', '入門', 'v2']],
    ['a\0b', ['a', 'b']],
  ])('splits %j', (text, words) => expect(wordsOf(text)).toEqual(words));

  it('cuts long words so that they still match themselves, and never inside a character', () => {
    const [cut] = wordsOf(`${'a'.repeat(79)}𝒜𝒜`.normalize('NFC'));
    expect(wordsOf('x'.repeat(5000))).toEqual(['x'.repeat(80)]);
    expect(cut?.isWellFormed()).toBe(true);
    expect(wordsOf('𐐨'.repeat(60))[0]?.isWellFormed()).toBe(true);
  });
});

describe('countWords', () => {
  it('counts each word', () =>
    expect([...countWords(['a', 'b', 'a'])]).toEqual([
      ['a', 2],
      ['b', 1],
    ]));
});
