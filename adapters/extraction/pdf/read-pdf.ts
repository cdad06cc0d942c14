import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
import { annotationTexts } from './annotations.ts';
import { pageText } from './page-lines.ts';
import type { TextRun } from './page-lines.ts';
import { withPdf } from './pdfjs.ts';
import { scannedText } from './scanned-page.ts';

export interface PdfText {
  readonly title: string | null;
  readonly language: string | null;
  /** One for each page with text. */
  readonly units: TextUnit[];
}

/** A document may claim any number of pages; after so many broken ones in a row no more are looked for. */
const MAX_BROKEN_PAGES = 20;

/**
 * Text of a PDF by page, with what its annotations and forms show. A broken page is passed over as long as another one can be read; of a document
 * without any text its first pictures of print are read.
 *
 * @throws {ExtractionFailure} `encrypted`, `parser_failed`, `too_large`
 */
export const readPdf = (bytes: Uint8Array, maxCharacters: number): Promise<PdfText> =>
  withPdf(bytes, async (document, operators) => {
    const { info } = await document.getMetadata();
    const units = await readPages(document, maxCharacters);
    // Only of a document without any text: some pages of others are pictures.
    const scanned = units.length === 0 ? await readScans(document, operators) : units;
    return { ...describe(info), units: scanned };
  });

const readPages = async (document: PDFDocumentProxy, maxCharacters: number): Promise<TextUnit[]> => {
  const units: TextUnit[] = [];
  let characters = 0;
  let broken = 0;
  for (let number = 1; number <= document.numPages && broken < MAX_BROKEN_PAGES; number += 1) {
    const text = await readPage(document, number);
    broken = text === null ? broken + 1 : 0;
    characters += text?.length ?? 0;
    if (characters > maxCharacters) {
      throw new ExtractionFailure('too_large', `it has more than ${maxCharacters} characters of text`);
    }
    if (text !== null && text !== '') units.push({ headingPath: [], pageNumber: number, text });
  }
  if (units.length === 0 && broken > 0)
    throw new ExtractionFailure('parser_failed', 'no page of the PDF is readable');
  return units;
};

/** Each takes some three seconds of processor time. */
const MOST_SCANS = 10;

/** Text of the first pages as pictures of print. */
const readScans = async (
  document: PDFDocumentProxy,
  operators: Readonly<Record<string, number>>,
): Promise<TextUnit[]> => {
  const units: TextUnit[] = [];
  for (let number = 1; number <= Math.min(document.numPages, MOST_SCANS); number += 1) {
    const text = await document
      .getPage(number)
      .then((page) => scannedText(page, operators))
      .catch(() => '');
    if (text !== '') units.push({ headingPath: [], pageNumber: number, text });
  }
  return units;
};

const readPage = async (document: PDFDocumentProxy, number: number): Promise<string | null> => {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const shown = annotationTexts(await page.getAnnotations({ intent: 'display' }).catch(() => []));
    page.cleanup();
    const content = pageText(items.filter((item): item is TextRun & typeof item => 'str' in item));
    return [content, ...shown].filter((text) => text !== '').join('\n\n');
  } catch {
    return null;
  }
};

const describe = (info: object): Omit<PdfText, 'units'> => {
  const fields = info as { readonly Title?: unknown; readonly Language?: unknown };
  const title = typeof fields.Title === 'string' ? fields.Title.trim() : '';
  return {
    title: title === '' || isPlaceholder(title) ? null : title,
    language: typeof fields.Language === 'string' && fields.Language !== '' ? fields.Language : null,
  };
};

/** What programs fill in when nobody gave a title. */
const isPlaceholder = (title: string): boolean =>
  /^(?:untitled|title|document\d*|microsoft (?:word|powerpoint) - .*|.*\.(?:docx?|pptx?|xlsx?|indd|tex|dvi|qxd))$/i.test(
    title,
  );
