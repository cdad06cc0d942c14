import { describe, expect, it } from 'vitest';
import { pageText } from '../../../adapters/extraction/pdf/page-lines.ts';
import { readPdf } from '../../../adapters/extraction/pdf/read-pdf.ts';
import { pdfFile } from './pdf-files.ts';

const line = (str: string, y: number, height = 10) => ({
  str,
  height,
  transform: [height, 0, 0, height, 72, y],
  hasEOL: true,
});
const word = (str: string, y: number) => ({ ...line(str, y), hasEOL: false });

describe('the text of a PDF page', () => {
  it.each([
    [
      'joins runs to lines and close lines to paragraphs',
      [word('a', 700), word(' ', 700), line('b', 700), line('c', 688), line('d', 660)],
      'a b c\n\nd',
    ],
    [
      'sets apart lines of another letter size, as headings are',
      [line('Heading', 700, 18), line('text', 684)],
      'Heading\n\ntext',
    ],
    [
      'starts a paragraph where the next column starts',
      [line('left', 100), line('right', 700)],
      'left\n\nright',
    ],
    [
      'joins words that a line end divides, and no others',
      [line('exam-', 700), line('ple of semi-', 688), line('Standard and x -', 676), line('y', 664)],
      'example of semi- Standard and x - y',
    ],
  ])('%s', (_, runs, text) => expect(pageText(runs)).toBe(text));

  it.each([
    [['a self-', 'service of the longest kind'], 'a self-service of the longest kind'],
    [['from 2019-', '2020 on'], 'from 2019-2020 on'],
    [['from - ', '2020 on'], 'from - 2020 on'],
    [['the state-of-the-', 'art machine'], 'the state-of-the-art machine'],
    [['an inter-', 'national treaty of the states'], 'an international treaty of the states'],
    [['xylo-', 'graph and xylo-graph'], 'xylo-graph and xylo-graph'],
    [['die Wasser-', 'kraft ist hier und heute am Werk'], 'die Wasserkraft ist hier und heute am Werk'],
  ])('keeps the hyphen of a compound at the end of a line: %j', ([first, second], text) =>
    expect(pageText([line(first!, 700), line(second!, 688)])).toBe(text),
  );

  it.each([
    ['10| 6', '10^6'],
    ['10|−|6', '10^−6'],
    ['12|_8', '12_8'],
    ['5 m| 2', '5 m²'],
    ['H|_2|.O', 'H2O'],
    ['log|_2|.10', 'log2 10'],
    ['2| 16|.64', '2^16 64'],
    ['the 1| st', 'the 1st'],
    ['pressure| 1|. of 2012.| 3', 'pressure ¹ of 2012. ³'],
    ['x|_1| 2', 'x1^2'],
  ])('keeps what is raised or lowered from the number beside it: %s', (drawn, text) => {
    let x = 72;
    const runs = drawn.split('|').map((piece, at) => {
      const place = at === 0 ? '.' : /^[_.]/.test(piece) ? piece[0]! : ' ';
      const str = at === 0 ? piece : piece.replace(/^[_. ]/, '');
      const size = place === '.' ? 10 : 7;
      const run = {
        ...word(str, 700),
        height: size,
        width: (str.length * size) / 2,
        transform: [size, 0, 0, size, x, place === '.' ? 700 : place === '_' ? 698 : 703.6],
      };
      x += run.width;
      return run;
    });
    expect(pageText(runs)).toBe(text);
  });

  it.each([
    [
      'by the rise of the text, as of reportlab',
      '/F1 8 Tf 5 Ts (1) Tj /F1 10 Tf 0 Ts (See 1010) Tj /F1 8 Tf -5 Ts (2) Tj /F1 10 Tf 0 Ts ( of x) Tj /F1 8 Tf -5 Ts (1) Tj 5 Ts (2) Tj',
    ],
    [
      'by their place, as of LibreOffice',
      '/F1 9.6 Tf 0 4.5 Td (1) Tj /F1 12 Tf 5.34 -4.5 Td (See 1010) Tj /F1 9.6 Tf 51.36 -1.1 Td (2) Tj /F1 12 Tf 5.34 1.1 Td ( of x) Tj /F1 9.6 Tf 22.68 -1.1 Td (1) Tj 5.34 5.6 Td (2) Tj',
    ],
  ])('tells notes, indexes and exponents of a program %s', async (_, content) => {
    const file = pdfFile({ pages: [{ content: `BT 1 0 0 1 72 700 Tm ${content} ET` }] });
    const { units } = await readPdf(file, { textCharacters: 1_000, timeMs: 60_000 });
    expect(units[0]?.text).toBe('1 See 1010_2 of x1^2');
  });

  it('keeps the rows of a table without rules apart', () => {
    const cell = (str: string, x: number, y: number, hasEOL = false) => ({
      ...word(str, y),
      width: 6 * str.length,
      transform: [10, 0, 0, 10, x, y],
      hasEOL,
    });
    const runs = [
      [cell('Model', 72, 700), cell('Mass', 200, 700, true)],
      [cell('KX-10', 72, 684), cell('4.5 kg', 200, 684, true)],
      [cell('KX-20', 72, 668), cell('6.1 kg', 200, 668, true)],
    ].flat();
    expect(pageText(runs)).toBe('Model Mass\nKX-10 4.5 kg\nKX-20 6.1 kg');
  });

  it('sets apart what is drawn at another place of the page, though no line ends between', () => {
    const at = (str: string, x: number, y: number, turn: readonly [number, number] = [10, 0]) => ({
      str,
      height: 10,
      width: 10 * str.length,
      transform: [turn[0], turn[1], -turn[1], turn[0], x, y],
      hasEOL: false,
    });
    expect(pageText([at('1', 72, 700), at('3', 400, 700), at('Cut', 72, 300)])).toBe('1 3\n\nCut');
    expect(pageText([at('up', 72, 700), at('along', 72, 700, [0, 10])])).toBe('up along');
    expect(pageText([at('E=mc', 72, 700), at('2', 112, 704), at('!', 122, 700)])).toBe('E=mc2!');
    expect(pageText([at('up', 72, 300, [0, 10]), at('on', 72, 320, [0, 10])])).toBe('upon');
  });
});
