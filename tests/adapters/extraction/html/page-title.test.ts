import { describe, expect, it } from 'vitest';
import { pageTitle } from '../../../../adapters/extraction/html/page-facts.ts';

const unit = (...headingPath: string[]) => ({ headingPath, pageNumber: 0, text: 'Text.' });

describe('the title of a page', () => {
  it.each([
    ['Section 2.21', '2.21 Overloaded tapes', '2.21 Overloaded tapes'],
    ['The Manual: Section A.24', 'A.24 Lists of tapes', 'The Manual: A.24 Lists of tapes'],
    ['The Manual - Chapter 3.', 'Chapter 3: Tapes', 'The Manual - Chapter 3: Tapes'],
    ['The Manual | § 3', 'Tapes', 'The Manual | § 3: Tapes'],
    ['Section 2.2', '2.21 Tapes', 'Section 2.2: 2.21 Tapes'],
  ])('that is a number says what the first heading does: %j, %j', (title, heading, said) =>
    expect(pageTitle(title, [unit(), unit(heading), unit(heading, 'More')])).toBe(said),
  );

  it.each([
    ['Tapes', '2 Reels'],
    ['Section A - What is a tape?', 'A.1 Tapes'],
    ['Spare part', 'Reels'],
    ['2024', 'Reels'],
    ['Section 2.21', '2.21'],
    ['Section 2.21', 'Section 2.21'],
    ['Section 2.21 of the law', 'Tapes'],
    ['', 'Tapes'],
  ])('stays what it is: %j, %j', (title, heading) => expect(pageTitle(title, [unit(heading)])).toBe(title));

  it('has 500 characters at most', () =>
    expect(pageTitle('Section 2', [unit(`2 ${'tape '.repeat(200)}`)])).toHaveLength(500));
});
