import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import type { ExtractionLimits, UnreadRest } from '../../../application/ports/document-reader.ts';
import type { EmbeddedFile } from '../embedded/embedded-file.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
import { attachmentsOf } from './attachments.ts';
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
  readonly unread?: UnreadRest;
  /** Files that are attached to the document. */
  readonly attachments?: readonly EmbeddedFile[];
}

/** Processor time that this process has used, in milliseconds. */
export type ProcessorMs = () => number;

/** Text of one page whose print is a picture. What it throws costs that page alone. */
export type ScanReader = typeof scannedText;

/** A document may claim any number of pages; after so many broken ones in a row no more are looked for. */
const MAX_BROKEN_PAGES = 20;

/**
 * Text of a PDF by page, with what its annotations and forms show. A broken page is passed over as long as another one can be read; of a document
 * without any text its first pictures of print are read.
 *
 * @throws {ExtractionFailure} `encrypted`, `parser_failed`, `too_large`
 */
export const readPdf = (
  bytes: Uint8Array,
  { textCharacters, timeMs }: Pick<ExtractionLimits, 'textCharacters' | 'timeMs'>,
  processorMs: ProcessorMs = usedMs,
  scanReader: ScanReader = scannedText,
): Promise<PdfText> =>
  withPdf(bytes, async (document, operators) => {
    const until = processorMs() + SHARE * timeMs;
    const { info } = await document.getMetadata();
    const units = await readPages(document, textCharacters);
    // Only of a document without any text: some pages of others are pictures.
    const readNext = (number: number): Promise<string> => readScan(document, number, operators, scanReader);
    const found =
      units.length === 0 ? await readScans(document.numPages, readNext, until, processorMs) : { units };
    return { ...describe(info), ...found, attachments: await attachmentsOf(document) };
  });

/** Of the time that the document has: what is begun must be ended, and prepared. */
const SHARE = 0.75;

const usedMs: ProcessorMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

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

/** A page full of print takes some six seconds of processor time. */
const MOST_SCANS = 10;

/** Text of the first pages as pictures of print: as many as there is time for, at least one. A page that breaks is told as unread. */
const readScans = async (
  pages: number,
  readNext: (number: number) => Promise<string>,
  until: number,
  processorMs: ProcessorMs,
): Promise<Pick<PdfText, 'units' | 'unread'>> => {
  const units: TextUnit[] = [];
  const broken: number[] = [];
  let longest = 0;
  let read = 0;
  for (let begun = processorMs(); read < Math.min(pages, MOST_SCANS); begun = processorMs()) {
    if (read > 0 && begun + longest > until) break;
    read += 1;
    const text = await readNext(read).catch(() => null);
    longest = Math.max(longest, processorMs() - begun);
    if (text === null) broken.push(read);
    else if (text !== '') units.push({ headingPath: [], pageNumber: read, text });
  }
  const message = unreadScans(pages, read, broken);
  return message === null ? { units } : { units, unread: { code: 'partly_read', message } };
};

/** Null: nothing is left. */
const unreadScans = (pages: number, read: number, broken: readonly number[]): string | null => {
  const told: string[] = [];
  if (read < pages) told.push(`those of the first ${read} of its ${pages} pages were read`);
  if (broken.length > 0) told.push(`page ${broken.join(', ')} could not be read`);
  return told.length === 0 ? null : `it has no text but in pictures: ${told.join(', and ')}`;
};

/** Gives back the memory of its images, whether they can be read or not. */
const readScan = async (
  document: PDFDocumentProxy,
  number: number,
  operators: Readonly<Record<string, number>>,
  scanReader: ScanReader,
): Promise<string> => {
  const page = await document.getPage(number);
  try {
    return await scanReader(page, operators);
  } finally {
    page.cleanup();
  }
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
