import { describe, expect, it } from 'vitest';
import { termsWithNames } from '../../../domain/answer/asked.ts';
import { withReferences } from '../../../domain/answer/belonging.ts';
import { answerPieces, extractiveAnswer } from '../../../domain/answer/extractive-answer.ts';
import { rankSentences } from '../../../domain/answer/rank-sentences.ts';

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

  it('brings the sentence that another one refers to', () => {
    const hash = {
      title: 'htpass',
      text: 'It reads passwords.\n\nOptions\n\nUse MD5 for passwords. This is the default algorithm of htpass.',
    };
    expect(answerTo('Which algorithm is the default of htpass?', hash)).toContain(
      'Use MD5 for passwords. This is the default algorithm of htpass.',
    );
  });

  it('brings the command that another sentence refers to', () => {
    const text =
      'Start it so:\n\nA daemon of relays:\n\n/bin/relay -q30\n\nSuch a daemon runs the queue of letters.';
    const at = { title: 'Relay', text };
    expect(answerTo('Which daemon runs the queue of letters?', at)).toContain(
      '/bin/relay -q30 Such a daemon runs the queue of letters.',
    );
  });

  it('to how something is done brings what goes on from each of its sentences', () => {
    const text = 'Letters are logged to a file. The file is named by LOG. Ink is blue.';
    const brought = (question: string, which: number, said = text): readonly string[] => {
      const ranking = rankSentences(question, [{ title: 'Logs', text: said }]);
      return withReferences(ranking, [ranking.texts[0]![which]!]).map((sentence) => sentence.text);
    };
    expect(brought('How do I log letters?', 0)).toEqual([
      'Letters are logged to a file.',
      'The file is named by LOG.',
    ]);
    expect(brought('How do I log letters?', 1)).toEqual(['The file is named by LOG.']);
    const long = `Letters are logged. The ${'file '.repeat(50)}is named by LOG.`;
    expect(brought('How do I log letters?', 0, long)).toEqual(['Letters are logged.']);
    expect(brought('How do I log letters?', 0, 'Letters\n\nThe file is named by LOG.')).toEqual(['Letters']);
    expect(brought('What logs letters?', 0)).toEqual(['Letters are logged to a file.']);
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

  it('to how something is done goes on with what is said next', () => {
    const text =
      'Here is how to protect a directory. First, create a password file. Then name it in the settings.\n\nWeather\n\nIt may rain.';
    expect(answerTo('How do I protect a directory?', { title: 'Guide', text })).toBe(
      'Here is how to protect a directory. First, create a password file. Then name it in the settings.',
    );
    expect(answerTo('Who can protect a directory by Ann Lee?', { title: 'Guide', text })).toBe(
      'The indexed content does not answer this question.',
    );
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

  it('is no address that stands behind a term', () => {
    const list = {
      title: 'Words',
      text: '- cache_size - pragma.html#pragma_cache_size\n- cold - pragma.html#cold',
    };
    const page = { title: 'Settings', text: 'The default of the cache size is -2000.' };
    expect(answerTo('What is the default of cache_size?', list, page)).toMatch(
      /^The default of the cache size/,
    );
  });

  it('stands below a question that is asked often', () => {
    const text =
      'How do I create a certificate for tests?\n\nMake sure that the tool is there. Run it with -x509.\n\nWhere is it?\n\nThere.';
    const other = { title: 'Guide', text: 'To create a certificate is a test.' };
    expect(answerTo('How do I create a certificate for tests?', { title: 'FAQ', text }, other)).toContain(
      'Make sure that the tool is there. Run it with -x509.',
    );
  });
});

describe('a name', () => {
  it('may be written as words in prose, and nowhere else', () => {
    expect(termsWithNames('The cache size is 5.', ['cache_size'], true)).toEqual(['cache_size', '5']);
    expect(termsWithNames('The cache size is 5.', ['cache_size'])).toEqual(['cach', 'size', '5']);
    expect(termsWithNames('Precache sizes', ['cache_size'], true)).not.toContain('cache_size');
    expect(termsWithNames('os path', ['os.path'], true)).toEqual(['os', 'path']);
  });
});
