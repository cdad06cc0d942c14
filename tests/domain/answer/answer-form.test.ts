import { describe, expect, it } from 'vitest';
import { extractiveAnswer, answerPieces } from '../../../domain/answer/extractive-answer.ts';
import { rankSentences } from '../../../domain/answer/rank-sentences.ts';
import { withReferences } from '../../../domain/answer/belonging.ts';
import { sentencesOf } from '../../../domain/answer/sentences.ts';

const said = (question: string, ...passages: { title: string; text: string }[]): string[] =>
  extractiveAnswer(question, passages).map(({ text }) => text);

describe('the sentence that defines', () => {
  it('is the line of a glossary or a manual that gives a term and its meaning', () => {
    const page = {
      title: 'quill-stash(1)',
      text: 'NAME\n\nquill stash - Puts changes aside for a while\n\nOPTIONS\n\nWith this, quill stash says what quill stash would do.',
    };
    expect(said('What does quill stash do?', page)[0]).toBe('quill stash - Puts changes aside for a while');
  });

  it('is not what an option does that is called like the thing', () => {
    const page = {
      title: 'Moving shelves',
      text: '--shelf\n\nSet which shelf is moved.\n\nshelf\n\nSomething that carries books and is fixed to a wall.',
    };
    expect(said('What is a shelf?', page)[0]).toBe('Something that carries books and is fixed to a wall.');
    expect(said('What does --shelf do?', page)[0]).toBe('Set which shelf is moved.');
  });

  it('takes a name as a whole: one that is within a longer one is another', () => {
    const longer = { title: 'Sweeps', text: 'The sweep_cache_limit is 3 megabytes by default.' };
    expect(said('What is the default of cache_limit?', longer)).toEqual([]);
  });
});

describe('what belongs together', () => {
  it('is a row of a table, found under the heads of its columns', () => {
    const table = {
      title: 'Limits',
      text: 'Item | Upper limit\n--- | ---\nwidth of a column | 1,600 dots\nheight of a row | 20 lines',
    };
    expect(said('What is the upper limit of the width of a column?', table)[0]).toBe(
      'width of a column | 1,600 dots',
    );
  });
});

const answerTo = (question: string, ...passages: { title: string; text: string }[]): string =>
  answerPieces(extractiveAnswer(question, passages), false).join('');

describe('an answer', () => {
  it('begins with the row of a table that says what its subject does', () => {
    const text =
      'Depth Directive\n\nDescription: | How far links are followed\nSyntax: | Depth num\nDefault: | Depth 5';
    expect(answerTo('What does the Depth directive control?', { title: 'core', text })).toMatch(
      /^Description: \| How far links are followed/,
    );
  });

  it('brings what a colon announces', () => {
    const text = 'To make a file, type:\n\n    htpass -c users\n\nMore follows.';
    const ranking = rankSentences('How do I make a file?', [{ title: 'Guide', text }]);
    const [announcing] = ranking.sentences.filter((sentence) => sentence.text.endsWith(':'));
    const all = withReferences(ranking, [announcing!]).map((sentence) => sentence.text.trim());
    expect(all).toEqual(['To make a file, type:', 'htpass -c users']);
    const [code] = ranking.texts[0]!.slice(1);
    expect(withReferences(ranking, [announcing!, code!])).toEqual([announcing, code]);
  });

  it('brings nothing of another section, nor what is long', () => {
    const text = 'It rains.\n\nOptions\n\nThis is the default algorithm of htpass.';
    const question = 'Which algorithm is the default of htpass?';
    expect(answerTo(question, { title: 'htpass', text })).not.toContain('It rains.');
    const long = `${'Some words '.repeat(30)}end. This is the default algorithm of htpass.`;
    expect(answerTo(question, { title: 'htpass', text: long })).not.toContain('Some words');
  });

  it('to which one it is names what its best sentence stands under', () => {
    const text =
      'DocumentRoot\n\nDescription: | Where files are\n\nThis directive sets the directory of the documents.';
    expect(answerTo('Which directive sets the directory of the documents?', { title: 'core', text })).toMatch(
      /^DocumentRoot /,
    );
  });

  it.each(['What does VACUUM do?', 'What is VACUUM?'])(
    'begins with the overview of a page that is called like its subject: %s',
    (question) => {
      const text = (heading: string) =>
        `3. How it goes\n\nVACUUM (but not of all) is a write operation. VACUUM needs space for VACUUM.\n\n${heading}\n\nThe file is rebuilt by VACUUM.`;
      const page = (heading: string) => ({ title: 'VACUUM', text: text(heading) });
      expect(answerTo(question, page('2. Description'))).toMatch(/^The file is rebuilt by VACUUM\./);
      expect(answerTo(question, page('Overview'))).toMatch(/^The file is rebuilt by VACUUM\./);
      expect(answerTo(question, page('2. Descriptions of it'))).not.toMatch(/^The file/);
      expect(answerTo(question, { ...page('Overview'), title: 'Disks' })).not.toMatch(/^The file/);
    },
  );
});

const textsOf = (text: string): string[] => sentencesOf(text).map((sentence) => sentence.text);

describe('lines of code and of prose', () => {
  it('go on where they are indented prose', () => {
    const text =
      '  clf    reads the log of another program, which only supports that format and which is not\n         extensible. It is the format that most\n         programs know.';
    expect(textsOf(text)).toEqual([
      'clf reads the log of another program, which only supports that format and which is not extensible.',
      'It is the format that most',
      'programs know.',
    ]);
    expect(
      textsOf(
        '  To delete more than one of these files, specify the\n  Postfix option once for each of these files.',
      ),
    ).toHaveLength(1);
  });

  it.each([
    '  alias mkdir_of_all_the_people nocorrect mkdir = x\n  alias next',
    '  the first line is prose, and long enough to be wrapped.\n  next',
    '  the first line is prose, and long enough to be wrapped\n  - next',
    '  a_long_command_of_one_program --with_an_option\n  next',
    '  the first line is prose, and long enough to be wrapped\n  Next',
  ])('are not taken for it: %j', (text) => {
    expect(textsOf(text)).toHaveLength(2);
  });
});
