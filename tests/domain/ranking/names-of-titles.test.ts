import { describe, expect, it } from 'vitest';
import { titleNames } from '../../../domain/ranking/names.ts';

describe('the names of a title', () => {
  it.each([
    ['Reels', ['=reels']],
    ['Tapes: a story', ['=tapes_a_story', '=tapes', '=a_story']],
    ['std::move', ['=std_move']],
    ['One — Two — Three', ['=one_two_three', '=one', '=one_two', '=two_three', '=three']],
  ])('%j are all of it, and its ends up to each dash or colon', (title, names) =>
    expect([...titleNames(title)].toSorted()).toEqual(names.toSorted()),
  );

  it.each([
    '4. Reels',
    '20.14 Reels',
    '20.14.3. Reels',
    'A. Reels',
    'iv. Reels',
    'Appendix XVIII. Reels',
    'Chapter 7. Reels',
    '9 Reels',
    '9 Reels (manual)',
    'Chapter 9 Reels',
    'Chapter 9: Reels',
    'Appendix B Reels — Manual',
    'A.1 Reels',
    '§ 12 Reels',
  ])('are without the number of %j, too', (title) => expect(titleNames(title)).toContain('=reels'));

  it.each([
    ['Notes of 9.4. Reels', '=notes_of_reels'],
    ['語. Reels', '=reels'],
    ['12345. Reels', '=reels'],
    ['2001 Reels', '=reels'],
    ['9th Reels', '=reels'],
    ['A Reels', '=reels'],
    ['reel(3) for tapes', '=reel_for_tapes'],
  ])('keep what only looks like one in %j', (title, name) => expect(titleNames(title)).not.toContain(name));

  it.each(['reel(3)', 'reel(3p)'])('are without the section of a manual behind %j', (title) =>
    expect(titleNames(title)).toContain('=reel'),
  );

  it.each(['Reels (Manual (version 3))', '4. Reels (Manual)', 'Reels (Manual) '])(
    'are without the manual in brackets behind %j',
    (title) => expect(titleNames(title)).toContain('=reels'),
  );

  it('keep brackets that stand within', () => {
    expect(titleNames('Reels(x)')).toEqual(['=reels_x']);
    expect(titleNames('Reels (of) tape')).toEqual(['=reels_of_tape']);
    expect(titleNames(' (Reels)')).toEqual(['=reels']);
  });

  it('have eight words at most', () => {
    const words = 'one two three four five six seven eight';
    expect(titleNames(words)).toEqual([`=${words.replaceAll(' ', '_')}`]);
    expect(titleNames(`${words} nine`)).toEqual([]);
  });
});
