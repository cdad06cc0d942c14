import { describe, expect, it } from 'vitest';
import { createVocabulary, feedbackWords } from '../../../domain/ranking/vocabulary.ts';
import { foldedTerms, stemmedForms } from '../../../domain/ranking/word-terms.ts';
import { queryNames, textNames, titleNames } from '../../../domain/ranking/names.ts';
import fc from 'fast-check';
import { mayHaveWord } from '../../../domain/shared/words.ts';
import { compoundsOf, identifiersOf } from '../../../domain/ranking/identifiers.ts';
import { queryWords } from '../../../domain/ranking/asked-terms.ts';

describe('names', () => {
  const PROSE = 'Sets how much of it there may be before something else is done.';

  describe('textNames', () => {
    it.each([
      ['work_mem (integer)', ['=work_mem_integer', '=work_mem']],
      ['class subprocess.Popen(args, bufsize=-1)', ['=class_subprocess_popen', '=subprocess_popen']],
      ['## 2.1. Replication Slots', ['=replication_slots']],
      ['-n, --dry-run', ['=n_dry_run', '=n']],
    ])('begin at %j', (line, names) => {
      expect(textNames(`${line}\n\n${PROSE}`)).toEqual(expect.arrayContaining(names));
      expect(textNames(line)).toEqual([]);
    });
  });

  describe('queryNames', () => {
    it('are the query, what it asks about, and runs of its words by how much of it they are', () => {
      const of = (query: string) => Object.fromEntries(queryNames(query));
      expect(of('port')).toEqual({ '=port': 3 });
      expect(of('What is a replication slot?')).toEqual({
        '=what_is_a_replication_slot': 3,
        '=replication_slot': 3,
      });
      expect(of('create the big table')).toEqual({ '=create_the_big_table': 3, '=big_table': 0.5 });
      expect(of('the of and')).toEqual({ '=the_of_and': 3 });
      expect(of('')).toEqual({});
    });
  });

  describe('a vocabulary', () => {
    const plain = { no: 1, title: '', headings: [], text: '' };

    it('numbers each word once in each language, and tells title, text and names apart', () => {
      const { read, words } = createVocabulary();
      const [title, headings] = ['Big tapes', ['Reels', 'Ends']];
      const one = read({ ...plain, title, headings, text: 'Tapes of max_size', language: 'en' });
      const named = (numbers: readonly number[]) => numbers.map((number) => words()[number]?.word);
      expect([one.no, named(one.title)]).toEqual([1, ['big', 'tapes']]);
      expect(named(one.body)).toEqual(['reels', 'ends', 'tapes', 'of', 'max', 'size']);
      expect(named(one.beside)).toContain('max_size');
      expect(new Set(words().map(({ word }) => word)).size).toBe(words().length);
      const [big, tapes] = one.title;
      const again = read({ ...plain, title, text: 'tapes big', language: 'en' });
      expect([again.title, again.body]).toEqual([
        [big, tapes],
        [tapes, big],
      ]);
      const other = read({ ...plain, text: 'tapes' });
      expect(other.body).not.toContain(tapes);
      expect(other.body.map((number) => words()[number])).toEqual([{ word: 'tapes', language: '' }]);
    });

    it('counts words for feedback in each language, of the beginning of each content', () => {
      const contents = [
        { title: 'Big', headings: ['Reel'], text: 'tape tape', language: 'en' },
        { title: 'Tape', headings: [], text: '' },
        { title: '', headings: [], text: 'big', language: 'en' },
      ];
      expect(feedbackWords(contents)).toEqual([
        { word: 'big', language: 'en', n: 2 },
        { word: 'reel', language: 'en', n: 1 },
        { word: 'tape', language: 'en', n: 2 },
        { word: 'tape', language: '', n: 1 },
      ]);
      const long = { title: '', headings: [], text: 'tape '.repeat(5_000) };
      expect(feedbackWords([long])).toEqual([{ word: 'tape', language: '', n: 4_000 }]);
    });

    it('stems words as they stand and without accents', () => {
      expect(['café', 'tape'].map(stemmedForms)).toEqual([['café', 'cafe'], ['tape']]);
      expect(foldedTerms(['étud', 'etud'])).toEqual(['etud']);
      expect(foldedTerms(['ärzt', 'arz', ''])).toEqual(['arzt', 'arz']);
      expect([foldedTerms(['', 'arz']), foldedTerms([])]).toEqual([[], []]);
    });
  });
});

describe('names of texts', () => {
  const PROSE = 'Sets how much of it there may be before something else is done.';
  const named = (line: string): readonly string[] => textNames(`${line}\n${PROSE}`);
  /** A line that begins with a short name in brackets. */
  const lineOf = (length: number): string => `reel (${'b'.repeat(length - 6)}`;

  describe('a line above prose', () => {
    it.each(['reel (big);', 'reel (big) {  ', 'reel (big) \\'])('of code names nothing: %j', (line) =>
      expect(named(line)).toEqual([]),
    );

    it('has a whole name up to 100 characters, and a beginning up to 400', () => {
      const whole = (length: number) =>
        named(lineOf(length)).includes(`=reel_${'b'.repeat(Math.min(80, length - 6))}`);
      expect([100, 101].map(whole)).toEqual([true, false]);
      expect([101, 400, 401].map((length) => named(lineOf(length)))).toEqual([['=reel'], ['=reel'], []]);
    });
  });

  describe('lines that may have a name', () => {
    const piece = fc.constantFrom(
      'reel',
      'Tape ',
      'reel-',
      '(big)',
      ' ¶',
      '\n',
      '\n\n',
      ': ',
      'é',
      '…',
      PROSE,
      ' | ',
    );
    const anyLines = fc.array(piece, { maxLength: 16 }).map((pieces) => pieces.join(''));

    it('are all that is read, and name what they name among the others', () => {
      fc.assert(
        fc.property(anyLines, (text) => {
          const all = textNames(text);
          for (const name of all) {
            // The number of arguments stands in no text.
            const words = name.slice(1).split('_');
            for (const word of words.filter((one) => !/^\d+$/.test(one))) {
              const some = textNames(text, mayHaveWord(word));
              expect(some).toContain(name);
              expect(all).toEqual(expect.arrayContaining([...some]));
            }
          }
        }),
      );
    });
  });

  describe('a heading with a number', () => {
    it('is called like the rest of it too', () => expect(named('9 Reels')).toEqual(['=9_reels', '=reels']));
  });

  describe('a short sentence', () => {
    it('explains what is called above it', () =>
      expect(textNames('reel [ -a ] ...\n\nSame as tape.')).toContain('=reel'));
  });

  describe('a row above prose', () => {
    const ROW = 'reel | Use: tapes | Default: unset';
    it('between blank lines names what its first cell does, and nothing in a table of several', () => {
      expect(textNames(`Before.\n\n${ROW}\n\n${PROSE}`).slice(1)).toEqual(['=reel']);
      expect(textNames(`${ROW}\n\n${PROSE}`)).toEqual(['=reel']);
      expect(textNames(`${ROW}\n${PROSE}`)).not.toContain('=reel');
      expect(textNames(`tape | Use: reels\n${ROW}\n\n${PROSE}`)).not.toContain('=reel');
    });
  });

  describe('prose above prose', () => {
    const MORE = 'which is said here in many more words than one';

    it('names what it begins with up to four words', () => {
      expect(named(`a big tape reel, ${MORE}`)).toEqual(['=a_big_tape_reel']);
      expect(named(`a very big tape reel, ${MORE}`)).toEqual([]);
    });
  });

  describe('what explains a name', () => {
    it('has eight words in its first 400 characters', () => {
      expect(textNames('reel\none two three four five six seven eight')).toContain('=reel');
      expect(textNames('reel\none two three four five six seven')).toEqual([]);
      expect(textNames(`reel\n${'b'.repeat(400)} one two three four five six seven eight`)).toEqual([]);
    });
  });
});

describe('the names of a title', () => {
  it.each([
    ['Reels', ['=reels']],
    ['Tapes: a story', ['=tapes_a_story', '=tapes', '=a_story']],
    ['std::move', ['=std_move']],
    ['One — Two — Three', ['=one_two_three', '=one', '=one_two', '=two_three', '=three']],
  ])('%j are all of it, and its ends up to each dash or colon', (title, names) =>
    expect([...titleNames(title)].toSorted()).toEqual(names.toSorted()),
  );

  it.each(['Reels (Manual (version 3))', '4. Reels (Manual)', 'Reels (Manual) '])(
    'are without the manual in brackets behind %j',
    (title) => expect(titleNames(title)).toContain('=reels'),
  );
});

describe('the names that a query may speak of', () => {
  it('are its runs of two to four words, each by how much of the subject it is', () => {
    const words = ['red', 'green', 'blue', 'black', 'white', 'grey'];
    const runs = words.flatMap((_, from) =>
      [2, 3, 4]
        .filter((length) => from + length <= words.length)
        .map((length): [string, number] => [`=${words.slice(from, from + length).join('_')}`, length / 6]),
    );
    expect(new Map(queryNames(words.join(' ')))).toEqual(new Map([...runs, [`=${words.join('_')}`, 3]]));
  });
});

describe('identifiersOf', () => {
  it.each([
    ['Set max_wal_size = 1GB.', ['max_wal_size']],
    ['see bleeding-edge E-1042', ['e-1042']],
    ['call a.b.c() and os.path.join().', ['a.b.c', 'os.path.join']],
    ['git add -n, or --dry-run', ['--dry-run']],
    ['since 2.6, not 3.11.2.', ['2.6', '3.11.2']],
    ['failed with E-1042 or ERR_TLS', ['e-1042', 'err_tls']],
    ['std::move in C++ and C#', ['std::move', 'c++', 'c#']],
    ['an HTTPServerFactory', ['http', 'server', 'factory']],
    ['getUserById', ['get', 'user', 'by', 'id']],
    ['UserById', ['user', 'by', 'id']],
    ['User2024Id', ['user', '2024', 'id']],
    ['getXId', ['get', 'id']],
    ['HTTPd', ['htt', 'pd']],
    ['C#', ['c#']],
    ['größe_max', ['größe_max']],
  ])('has those of %j', (text, identifiers) => expect(identifiersOf(text)).toEqual(identifiers));

  it.each(['plain words, and no more.', 'a well-known e-mail', 'e.g. J.S. Bach, i.e. him', 'HTTP', ''])(
    'finds none in %j',
    (text) => expect(identifiersOf(text)).toEqual([]),
  );

  it('leaves out what is too long to be typed', () => {
    const humps = (length: number) => `get${'A'.repeat(length - 5)}Id`;
    expect([64, 65].map((length) => identifiersOf(humps(length)).length)).toEqual([3, 0]);
    const compound = (length: number) => `${'a'.repeat(length - 2)}_b`;
    expect([64, 65].map((length) => identifiersOf(compound(length)).length)).toEqual([1, 0]);
    expect(identifiersOf(`${'a'.repeat(40)}_${'b'.repeat(40)} x_y`)).toEqual(['x_y']);
  });

  it.each(['a-', 'a_', 'a.', '--a', 'a::', 'aB', 'AA', '_', '+', 'ä-'])(
    'takes no longer for many of %j',
    (part) => {
      expect(identifiersOf(`${part.repeat(300_000)} x_y`)).toContain('x_y');
    },
  );

  it('has the same of a line that is read quickly as of one that is not', () => {
    const unit = fc.constantFrom(...'aabABB09._:#+-- ’—…•§\u00a0é');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), (line) => {
        expect(identifiersOf(line)).toEqual(identifiersOf(`${line} é`));
        expect(identifiersOf(`${line}\né ${line}`)).toEqual(
          [compoundsOf, (of: string) => identifiersOf(of).slice(compoundsOf(of).length)].flatMap((part) => [
            ...part(line),
            ...part(`é ${line}`),
          ]),
        );
      }),
      { numRuns: 3_000 },
    );
  });

  it('leaves words in humps whole in a query', () => {
    expect(compoundsOf('getUserById of user_store')).toEqual(['user_store']);
    expect([...queryWords('getUserById x_y').keys()]).toEqual(
      expect.arrayContaining(['getuserbyid', 'x', 'y', 'x_y']),
    );
    expect(queryWords('getUserById').has('user')).toBe(false);
    expect([...queryWords('tape')]).toEqual([
      ['tape', 1],
      ['=tape', 3],
    ]);
  });
});
