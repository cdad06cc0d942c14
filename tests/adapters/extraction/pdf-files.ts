import { constants, deflateRawSync, deflateSync } from 'node:zlib';

/** Builds small PDF files by hand (ISO 32000-1), sound and hostile ones. */

export interface PdfPage {
  /** Operators of the content stream. */
  readonly content: string | Buffer;
  /** Filters of the content stream, as written in its dictionary. */
  readonly filter?: string;
  /** Clockwise, in degrees, before it is shown. */
  readonly rotate?: 0 | 90 | 180 | 270;
  /** Dictionaries of its annotations. */
  readonly annotations?: readonly string[];
  /** Further fonts, as written in the dictionary of fonts. */
  readonly fonts?: string;
}

export interface PdfParts {
  readonly pages: readonly PdfPage[];
  /** Entries of the information dictionary. */
  readonly info?: string;
  readonly catalog?: string;
  /** What the page tree claims; by default what is true. */
  readonly count?: number;
  /** Entries of the trailer. */
  readonly trailer?: string;
  /** Objects behind those of the pages: of a document of one page they have the numbers from 7. */
  readonly objects?: readonly string[];
}

/** Lines of text, each 14 points below the last; `null` leaves a gap. */
export const textPage = (...lines: readonly (string | null)[]): PdfPage => {
  const shown = lines.map((line) => (line === null ? '0 -28 Td' : `(${escaped(line)}) Tj 0 -14 Td`));
  return { content: `BT /F1 12 Tf 72 720 Td ${shown.join(' ')} ET` };
};

const escaped = (text: string): string => text.replaceAll(/[\\()]/g, String.raw`\$&`);

/** An object with a stream. @param entries of its dictionary */
export const pdfStream = (entries: string, content: string): string =>
  `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`;

/** The appearance of an annotation, which shows text. */
export const appearance = (content: string): string =>
  pdfStream(
    '/Type /XObject /Subtype /Form /BBox [0 0 200 40] /Resources << /Font << /F1 3 0 R >> >>',
    content,
  );

export const pdfFile = (parts: PdfParts): Buffer => {
  const { pages, info = '', catalog = '', count, trailer = '', objects: more = [] } = parts;
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`);
  const objects: (string | Buffer)[] = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${count ?? pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((page, index) => [pageObject(5 + 2 * index, page), contentObject(page)]),
    `<< ${info} >>`,
    ...more,
  ];
  return assembled(objects, `/Root 1 0 R /Info ${objects.length - more.length} 0 R ${trailer}`);
};

const pageObject = (content: number, { annotations = [], rotate = 0, fonts = '' }: PdfPage): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R ${fonts} >> >> /Contents ${content} 0 R
    /Rotate ${rotate} /Annots [${annotations.join(' ')}] >>`;

const contentObject = ({ content, filter }: PdfPage): Buffer => {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  const dictionary = `<< /Length ${bytes.length} ${filter === undefined ? '' : `/Filter ${filter}`} >>`;
  return Buffer.concat([Buffer.from(`${dictionary}\nstream\n`), bytes, Buffer.from('\nendstream')]);
};

const assembled = (objects: readonly (string | Buffer)[], trailer: string): Buffer => {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let at = parts[0]!.length;
  for (const [index, object] of objects.entries()) {
    const bytes = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object as string),
      Buffer.from('\nendobj\n'),
    ]);
    offsets.push(at);
    parts.push(bytes);
    at += bytes.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} ${trailer} >>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
};

/** A page whose few kilobytes unfold in two steps to so many megabytes of spaces. */
export const bombPage = (megabytes: number): PdfPage => {
  const block = deflateRawSync(Buffer.alloc(1_024 * 1_024, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const blocks = Array.from({ length: megabytes }, () => block);
  // zlib header (RFC 1950), the block so many times, an empty last block (RFC 1951).
  const inner = Buffer.concat([Buffer.from([0x78, 0xda]), ...blocks, Buffer.from([0x03, 0x00])]);
  return { content: deflateSync(inner), filter: '[/FlateDecode /FlateDecode]' };
};

/** Names an encryption handler that asks for a password which nobody gave. */
export const ENCRYPTED = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /Length 40 /O <${'28'.repeat(32)}> /U <${'5a'.repeat(32)}> >> /ID [<${'00'.repeat(16)}> <${'00'.repeat(16)}>]`;

/** Operators that paint an image onto the unit square of a matrix, packed. @param entries of its dictionary but its size */
export const paintImage = (
  matrix: readonly number[],
  { width, height, data }: { readonly width: number; readonly height: number; readonly data: Buffer },
  entries = '/CS /G /BPC 8',
): string =>
  `q ${matrix.join(' ')} cm BI /W ${width} /H ${height} ${entries} /F [/AHx /Fl] ID ${deflateSync(data).toString('hex')}> EI Q\n`;

/** Where a glyph stands, and the letters that it stands for. */
export interface PlacedGlyph {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** In thousandths of the font size. By default 500; vowel marks have none. */
  readonly width?: number;
}

/** A page of glyphs in this order, of 10 points, whose font says which letters each of them stands for. */
export const glyphPdf = (glyphs: readonly PlacedGlyph[]): Buffer => {
  const known = [...new Set(glyphs.map(({ text }) => text))];
  const code = (text: string): string => (known.indexOf(text) + 1).toString(16).padStart(4, '0');
  const hex = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');
  const letters = known.map((text) => `<${code(text)}> <${hex(text)}>`);
  const widths = glyphs.map(({ text, width }) => `${known.indexOf(text) + 1} [${width ?? 500}]`);
  const shown = glyphs.map(({ text, x, y }) => `1 0 0 1 ${x} ${y} Tm <${code(text)}> Tj`);
  return pdfFile({
    pages: [{ content: `BT /F2 10 Tf ${shown.join(' ')} ET`, fonts: '/F2 7 0 R' }],
    objects: [
      '<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /Identity-H /DescendantFonts [8 0 R] /ToUnicode 9 0 R >>',
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Any /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /W [${widths.join(' ')}] >>`,
      pdfStream(
        '',
        `begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange ${letters.length} beginbfchar ${letters.join(' ')} endbfchar endcmap`,
      ),
    ],
  });
};
