import { describe, expect, it } from 'vitest';
import { askedBy } from '../../../domain/answer/asked.ts';
import { candidatesOf, definingOf } from '../../../domain/answer/candidates.ts';
import { extractiveAnswer } from '../../../domain/answer/extractive-answer.ts';
import { rankSentences } from '../../../domain/answer/rank-sentences.ts';
import { readText } from '../../../domain/answer/read-text.ts';

const SETTINGS = {
  title: 'Resource consumption',
  text: `Memory

cache_limit (integer)

Sets how much memory the cache takes before it writes to temporary files. The default value is 64 megabytes. Only the operator changes it.

sweep_cache_limit (integer)

Sets the cache_limit of a sweep. The cache_limit of a sweep is no cache_limit of the server, and several sweeps have a cache_limit each.`,
};
const REPORTS = {
  title: 'Reports',
  text: 'Reports of the cache_limit are long. Whoever raises the cache_limit reads what the cache_limit does to reports.',
};

const CHANGES = {
  title: 'Changes',
  text: 'What cache_limit was by default was the default of cache_limit..',
};

const said = (question: string, ...passages: { title: string; text: string }[]): string[] =>
  extractiveAnswer(question, passages).map(({ text }) => text);

describe('the sentence that defines', () => {
  it('comes first where the heading above it is what the question is about, however often others name it', () => {
    expect(said('What does cache_limit control?', REPORTS, SETTINGS)[0]).toBe(
      'Sets how much memory the cache takes before it writes to temporary files.',
    );
  });

  it('leads to the default and its unit, which stand behind it and do not name the subject', () => {
    for (const question of ['What is the default value of cache_limit?', 'cache_limit default'])
      expect(said(question, CHANGES, SETTINGS)).toContain('The default value is 64 megabytes.');
  });

  it('is found where a statement says what anything of the name is', () => {
    const slots = {
      title: 'Slots',
      text: 'The slot is dropped with its slot file. A slot must have a name. A slot keeps the log until it is read. Each slot has a slot number.',
    };
    expect(said('What is a slot?', slots)[0]).toBe('A slot keeps the log until it is read.');
  });

  it('is the line of a glossary or a manual that gives a term and its meaning', () => {
    const page = {
      title: 'quill-stash(1)',
      text: 'NAME\n\nquill stash - Puts changes aside for a while\n\nOPTIONS\n\nWith this, quill stash says what quill stash would do.',
    };
    expect(said('What does quill stash do?', page)[0]).toBe('quill stash - Puts changes aside for a while');
  });

  it('has the name above it before it, where that is not what was asked for', () => {
    const page = {
      title: 'Tape library',
      text: 'Moving\n\ntape.rewind(speed=1)\n\nWinds the tape back to its beginning. It waits for the motor.\n\ntape.eject()\n\nOpens the drive.',
    };
    const answer = said('How do I wind the tape back?', page);
    expect(answer.slice(0, 2)).toEqual(['tape.rewind(speed=1)', 'Winds the tape back to its beginning.']);
    expect(said('What does tape.rewind do?', page)[0]).toBe('Winds the tape back to its beginning.');
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
  it('is a list item as a whole, with all its sentences', () => {
    const list = {
      title: 'Moving house',
      text: 'Before you go:\n\n- Cancel the water meter. It takes four weeks. Bring the old bill.\n- Lock the door.',
    };
    expect(said('How do I cancel the water meter?', list)).toContain(
      'Cancel the water meter. It takes four weeks. Bring the old bill.',
    );
  });

  it('is a row of a table, found under the heads of its columns', () => {
    const table = {
      title: 'Limits',
      text: 'Item | Upper limit\n--- | ---\nwidth of a column | 1,600 dots\nheight of a row | 20 lines',
    };
    expect(said('What is the upper limit of the width of a column?', table)[0]).toBe(
      'width of a column | 1,600 dots',
    );
  });

  it('is a block of code behind the colon that announces it, with its lines', () => {
    const page = {
      title: 'Tape',
      text: 'To rewind the tape, type:\n\n    tape open\n    tape rewind --all\n\nThe tape is kept in a dry room.',
    };
    expect(said('How do I rewind the tape?', page).join('\n')).toContain('tape open\n    tape rewind --all');
  });
});

const pieces = (question: string, text: string, title = 'Notes') =>
  candidatesOf({ title }, readText(text), 0, askedBy(question));
const last = (question: string, text: string, title?: string) => pieces(question, text, title).at(-1)!;
/** What the last piece of a text is worth for defining what is asked for. */
const worth = (question: string, text: string, title?: string): number =>
  definingOf(last(question, text, title), askedBy(question));

describe('what a piece of a page is about', () => {
  it('are its own terms of the question, and those that it stands under', () => {
    const { counts, under } = last('tape reel size', 'A tape(x)reel\n\nThe size of a size is told.');
    expect([[...counts], [...under]]).toEqual([[['size', 2]], ['tape', 'reel']]);
    const table = 'Item | Upper limit\n--- | ---\ntape | 4';
    expect([...last('limit of a tape', table).under]).toEqual(['limit']);
  });

  it.each([
    ['tape | 4', true],
    ['reel | 4', false],
    ['reel | tape', false],
  ])('is what the first cell of its row says: %s is %s', (row, is) => {
    expect(last('tape', `Item | Size\n--- | ---\n${row}`).defines).toBe(is);
  });

  it.each([
    ['Tapes', true],
    ['7 Tapes', true],
    ['23.6. Tapes', true],
    ['Tapes (text)', true],
    ['Tape 2 reels', false],
    ['Tape reels', false],
    ['--tape', false],
  ])('is what its heading says and no more: %s is %s', (heading, is) => {
    expect(last('What is a tape?', `${heading}\n\nIt winds.`).defines).toBe(is);
  });

  it('is no option where its name only has a hyphen', () => {
    expect(last('What is a write-ahead log?', 'Write-ahead log\n\nIt is kept.').defines).toBe(true);
  });

  it.each([
    ['Tape: it winds', true],
    ['Tape - winds', true],
    ['Tape -- winds', true],
    ['Tape-winds', false],
    [`${'!'.repeat(90)} tape: winds`, false],
  ])('is what its line explains: %s is %s', (line, is) => {
    const { defines, opens, isStatement } = last('tape', `So it is.\n\n- ${line}`);
    expect([defines, opens, isStatement]).toEqual([is, is, is]);
  });

  it.each([
    ['Tape', true],
    ['Tape - My site', true],
    ['Tape: My site', true],
    ['Tape(1)', true],
    ['Tape(1)Reel', false],
    ['Tape- site', false],
    ['Tape -site', false],
    ['Tape a site', false],
    ['Tape:site', false],
    ['Tape reel', false],
  ])('may be what its page is called: %s is %s', (title, is) => {
    expect(last('What is a tape?', 'It winds.', title).isTitled).toBe(is);
  });
});

describe('what a statement is worth for defining the subject', () => {
  const what = 'What is a tape?';

  it('is most where it opens what is called like it', () => {
    expect(worth('tape_size', 'tape_size\n\nHow long it is.')).toBe(6);
    expect(worth('tape_size of reels', 'tape_size of reels\n\nHow long it is.')).toBe(1);
    expect(worth(what, 'Tapes\n\nA band that winds.', 'Glossary')).toBe(7);
    expect(worth(what, 'Tapes\n\nWinds.', 'Glossary')).toBe(6);
    expect(worth(what, 'Tapes\n\nA band that winds.')).toBe(3);
    expect(worth(what, 'Tapes\n\nWinds.')).toBe(1);
    expect(worth(what, 'Tapes\n\nWinds. It goes on.')).toBe(0.35);
    expect(worth('tape', 'Item | Size\n--- | ---\nreel | 3\ntape | 4')).toBe(1);
    expect(worth(what, 'Tapes')).toBe(0);
  });

  it('is less where it begins with the subject, and more where it says what any such thing is', () => {
    expect(worth(what, 'A tape winds.')).toBe(1);
    expect(worth(what, 'Tapes wind rather than stop.')).toBe(0.4);
    expect(worth(what, 'Tapes are a band.')).toBe(1);
    expect(worth(what, `Tapes ${'x'.repeat(60)} are a band.`)).toBe(0.4);
    expect(worth(what, 'Tapes must wind.')).toBe(0);
    expect(worth(what, `Tapes ${'x '.repeat(40)}must wind.`)).toBe(0.4);
    expect(worth(what, `${'!'.repeat(80)} tapes wind.`)).toBe(0);
    expect(worth(what, 'Reels have tapes.')).toBe(0);
  });

  it('is nothing where a name stands too far behind', () => {
    expect(worth('Tape_Size default', 'Tape_Size is told.')).toBe(0.4);
    expect(worth('tape_size default', 'So the tape_size is told.')).toBe(0.4);
    expect(worth('tape_size default', 'So it is that the tape_size is told.')).toBe(0);
  });
});

describe('a line without a full stop', () => {
  const level = (line: string, question = 'Which relay sends letters?'): number =>
    rankSentences(question, [{ title: 'Notes', text: `Rain falls.\n\n- ${line}\n- Snow` }]).texts[0]![1]!
      .level;
  const LONG = 'seven hills hear by night of letters which the relay sends';

  it('counts for more where it is too long for a heading, and for less than a sentence and more than a question', () => {
    const [line, sentence, question] = ['', '.', '?'].map((end) => level(`${LONG}${end}`));
    expect(line! / sentence!).toBeCloseTo(0.75);
    expect(question! / sentence!).toBeCloseTo(0.2);
  });

  it('counts half to a question of one word, which all lists have', () => {
    const [line, sentence] = ['', '.'].map((end) => level(`${LONG}${end}`, 'hills'));
    expect(line! / sentence!).toBeCloseTo(0.5);
  });

  it('counts half where it may be one', () => {
    const heading = 'hills hear of letters the relay sends';
    expect(level(heading) / level(`${heading}.`)).toBeCloseTo(0.5);
  });
});
