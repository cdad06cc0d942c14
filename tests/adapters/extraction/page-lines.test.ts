import { describe, expect, it } from 'vitest';
import { pageText } from '../../../adapters/extraction/pdf/page-lines.ts';

const line = (str: string, y: number, height = 10) => ({
  str,
  height,
  transform: [height, 0, 0, height, 72, y],
  hasEOL: true,
});
const word = (str: string, y: number) => ({ ...line(str, y), hasEOL: false });

describe('the text of a PDF page', () => {
  it('joins runs to lines and close lines to paragraphs', () => {
    expect(pageText([word('a', 700), word(' ', 700), line('b', 700), line('c', 688), line('d', 660)])).toBe(
      'a b c\n\nd',
    );
  });

  it('sets apart lines of another letter size, as headings are', () => {
    expect(pageText([line('Heading', 700, 18), line('text', 684)])).toBe('Heading\n\ntext');
  });

  it('starts a paragraph where the next column starts', () => {
    expect(pageText([line('left', 100), line('right', 700)])).toBe('left\n\nright');
  });

  it('joins words that a line end divides, and no others', () => {
    expect(
      pageText([
        line('exam-', 700),
        line('ple of semi-', 688),
        line('Standard and x -', 676),
        line('y', 664),
      ]),
    ).toBe('example of semi- Standard and x - y');
  });

  it('is empty without text', () => {
    expect(pageText([])).toBe('');
    expect(pageText([line(' ', 700)])).toBe('');
  });
});
