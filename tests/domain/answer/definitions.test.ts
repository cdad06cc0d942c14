import { describe, expect, it } from 'vitest';
import { answerPieces, extractiveAnswer } from '../../../domain/answer/extractive-answer.ts';
import { unitsOf } from '../../../domain/answer/units.ts';

const answerTo = (question: string, ...texts: string[]): string =>
  answerPieces(
    extractiveAnswer(
      question,
      texts.map((text) => ({ title: 'Tapes', text })),
    ),
    false,
  ).join('');

describe('the definition of a signed term', () => {
  const text =
    'Before it.\n\nsize ¶\n\nGrammar: size n;\n\nTags: tape\n\nHow large it is.\n\nsort ¶\n\nHow it is.';
  const units = unitsOf(text).map(({ text: said, leads, section, opens, isOfTerm }) => ({
    said,
    leads,
    section,
    opens,
    isOfTerm,
  }));

  it('is one section, whatever in it looks like a heading', () => {
    expect(units.map(({ section }) => section)).toEqual([0, 1, 1, 1, 1, 2, 2]);
    expect(units.map(({ isOfTerm }) => isOfTerm === true)).toEqual([false, ...Array(6).fill(true)]);
    expect(units.filter(({ opens }) => opens).map(({ said }) => said)).toEqual([
      'Before it.',
      'How large it is.',
      'How it is.',
    ]);
  });

  it('stands under its term, and under a heading of its own too', () => {
    expect(units.find(({ said }) => said === 'How large it is.')?.leads).toEqual(['size', 'Tags: tape']);
    expect(units.at(-1)?.leads).toEqual(['sort']);
    expect(unitsOf('-s ¶\n\n--size ¶\n\nIt is.').at(-1)).toMatchObject({
      leads: ['-s', '--size'],
      section: 1,
    });
    expect(unitsOf('Options\n\n-s ¶\n\nIt is.').at(-1)).toMatchObject({
      leads: ['Options', '-s'],
      section: 1,
    });
    expect(unitsOf('a ¶\n\nIt is.\n\nNotes\n\nb ¶\n\nSo it is.').at(-1)).toMatchObject({
      leads: ['b'],
      section: 2,
    });
  });

  it('is not opened by what goes on with it', () =>
    expect(unitsOf('size ¶\n\n…\n\nIt goes on.').at(-1)).toMatchObject({ leads: ['size'], opens: false }));
});

describe('the default of a thing', () => {
  const other = 'tape-sort ¶\n\nHow the largest are kept.\n\nThe default of tape-sort is five.';
  const own = (last: string) =>
    `tape-size ¶\n\nGrammar: tape-size n;\n\nTags: tape\n\nHow large a tape is. Of reels there are many.\n\nIt is told by weight.\n\n${last}`;

  it('is what its definition says, however far from its beginning, and never that of another', () => {
    const said = `${other}\n\n${own('The default is nine.')}\n\nreel-size ¶\n\nThe default of reel-size is one.`;
    const answer = answerTo('What is the default of tape-size?', other, said);
    expect(answer).toContain('The default is nine.');
    expect(answer).not.toMatch(/five|one/);
  });

  it('may be told by the term itself, which comes along', () => {
    const answer = answerTo(
      'What is the default of tape-size?',
      'tape-size (default: 9) ¶\n\nHow large a tape is. Do not change its default.',
      other,
    );
    expect(answer).toMatch(/^tape-size \(default: 9\) How large a tape is\./);
    expect(answer).not.toContain('five');
  });

  it('is told with what else defines it, where it tells none', () =>
    expect(answerTo('What is the default of tape-size?', own('It has none.'), other)).not.toContain('five'));

  it('is looked for anywhere, where no term is signed', () =>
    expect(
      answerTo(
        'What is the default of tape-size?',
        other.replace(' ¶', ''),
        'The default of tape-size is nine.',
      ),
    ).toContain('nine'));
});
