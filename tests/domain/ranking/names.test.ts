import { describe, expect, it } from 'vitest';
import { createVocabulary, feedbackWords } from '../../../domain/ranking/vocabulary.ts';
import { foldedTerms, stemmedForms } from '../../../domain/ranking/word-terms.ts';
import { queryNames, textNames, titleNames } from '../../../domain/ranking/names.ts';

const PROSE = 'Sets how much of it there may be before something else is done.';

describe('titleNames', () => {
  it.each([
    ['CREATE TABLE', ['=create_table']],
    ['20.4. Resource Consumption', ['=20_4_resource_consumption', '=resource_consumption']],
    ['git-add(1)', ['=git_add_1', '=git_add']],
    [
      'subprocess — Subprocess management — Manual 3',
      ['=subprocess_subprocess_management_manual_3', '=subprocess', '=subprocess_subprocess_management'],
    ],
    ['', []],
    ['A title that goes on and on until it is a sentence', []],
  ])('of %j', (title, names) => expect(titleNames(title)).toEqual(expect.arrayContaining(names)));

  it('have what all pages of a site end in as one of their own', () => {
    const ends = ['Files — Manual 3.11', 'Sockets — Manual 3.11'].map(titleNames);
    for (const names of ends) expect(names).toContain('=manual_3_11');
  });
});

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

  it.each(['drop routine foo;', 'if (a) {', 'return a }'])('are none of code: %j', (line) =>
    expect(textNames(`${line}\n\n${PROSE}`)).not.toContain(`=${line.toLowerCase().match(/\w+/g)?.join('_')}`),
  );

  it('are none of a list of links', () => {
    const list = Array.from({ length: 20 }, (_, i) => `deadlock_timeout ${i}, Locks`).join('\n\n');
    expect(textNames(list)).toEqual([]);
  });

  it.each([' ', '1.', '(', '-', 'a ', '=', '#'])('take no longer for many of %j', (part) => {
    const line = part.repeat(200_000);
    expect(textNames(`${line}\n${PROSE}`).length).toBeLessThan(4);
    expect(titleNames(line.slice(0, 500)).length).toBeLessThan(4);
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
    expect([one.no, one.weightOfLength, named(one.title)]).toEqual([1, 1, ['big', 'tapes']]);
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

  it('has its words in the order in which it met them', () => {
    const { read, words } = createVocabulary();
    read({ ...plain, title: 'Tapes', text: 'big tapes' });
    expect(words().map(({ word }) => word)).toEqual(['tapes', '=tapes', 'big']);
  });

  it('has the names of titles and texts beside the words, and runs of stop words', () => {
    const { read, words } = createVocabulary();
    const { beside } = read({ ...plain, title: 'Tapes: a story', text: `Reels\n${PROSE}\nto be or not` });
    const named = beside.map((number) => words()[number]?.word ?? '');
    expect(named).toEqual(expect.arrayContaining(['=tapes', '=a_story', '=reels']));
    expect(named.filter((word) => word.startsWith('=~'))).not.toEqual([]);
    expect(new Set(named).size).toBe(named.length);
  });

  it('has single characters, and lists of links as longer texts', () => {
    const { read, words } = createVocabulary();
    const { beside, weightOfLength } = read({ ...plain, title: '東京', text: 'Item\n'.repeat(12) });
    expect(beside.map((number) => words()[number]?.word)).toContain('東');
    expect(weightOfLength).toBe(4);
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
