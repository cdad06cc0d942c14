import { utils, write } from '@e965/xlsx';
import { docFile } from '../../tests/adapters/extraction/corpus/doc-file.ts';
import { pngFile, printed } from '../../tests/adapters/extraction/corpus/letters.ts';
import {
  docxFile,
  paragraph,
  pptxFile,
  rowsOf,
  shape,
  xlsxFile,
} from '../../tests/adapters/extraction/corpus/open-xml.ts';
import { pptFile } from '../../tests/adapters/extraction/corpus/ppt-file.ts';
import { pdfFile, textPage } from '../../tests/adapters/extraction/pdf-files.ts';

/** A document of a type, unlike any with another number. */
export type Sample = (number: number) => string | Buffer;

const sentence = (number: number, at: number): string =>
  `Sentence ${at} of document ${number} tells of valve ${(number * 31 + at * 7) % 997} and of what it is good for.`;
const sentences = (number: number, from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => sentence(number, from + index)).join(' ');
/** Texts of some 700 letters each. */
const paragraphs = (number: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => sentences(number, 10 * index, 10));
const table = (number: number, rows: number): readonly (readonly (string | number)[])[] => [
  ['Part', 'Meaning', 'Stock'],
  ...Array.from({ length: rows }, (_, row) => [`part ${row}`, sentence(number, row), (number * row) % 1_000]),
];
const oldWorkbook = (number: number): Buffer => {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(table(number, 200).map((row) => [...row])), 'Parts');
  return write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer;
};

/** By type: documents of some pages, as offices have them. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  html: (number) =>
    `<title>${number}</title><main><h1>One</h1>${paragraphs(number, 30)
      .map((text) => `<p>${text}</p>`)
      .join('')}</main>`,
  md: (number) =>
    paragraphs(number, 30)
      .map((text, index) => `## Part ${index}\n\n${text}`)
      .join('\n\n'),
  txt: (number) => paragraphs(number, 30).join('\n\n'),
  jsonl: (number) =>
    paragraphs(number, 30)
      .map((text) => JSON.stringify({ text, number }))
      .join('\n'),
  csv: (number) =>
    table(number, 200)
      .map((row) => row.join(';'))
      .join('\n'),
  pdf: (number) =>
    pdfFile({
      pages: Array.from({ length: 6 }, (_, page) =>
        textPage(...Array.from({ length: 45 }, (__, line) => sentence(number, 45 * page + line))),
      ),
    }),
  docx: (number) =>
    docxFile(
      paragraphs(number, 30)
        .map((text, index) => paragraph(`Part ${index}`, 'Heading1') + paragraph(text))
        .join(''),
    ),
  pptx: (number) =>
    pptxFile(
      Array.from(
        { length: 20 },
        (_, slide) => shape([`Slide ${slide}`], 'title') + shape([sentences(number, slide, 5)]),
      ),
    ),
  xlsx: (number) => xlsxFile({ Parts: rowsOf(table(number, 200)) }),
  doc: (number) => docFile(paragraphs(number, 18).map((text) => ({ text: `${text}\r` }))),
  ppt: (number) =>
    pptFile(
      Array.from({ length: 20 }, (_, slide) => ({
        title: `Slide ${slide}`,
        lines: [sentences(number, slide, 5)],
      })),
    ),
  xls: oldWorkbook,
  png: (number) => pngFile(printed('WATER FALLS', number % 2 === 0 ? 'OLD MILL' : 'THE MILL')),
};

/** Seconds and not milliseconds each: fewer of them. */
export const SLOW: ReadonlySet<string> = new Set(['png']);
