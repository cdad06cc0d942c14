import type { ExtractionLimits, PartialRead } from '../../../application/ports/document-reader.ts';
import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import type { EmbeddedFile } from '../embedded/embedded-file.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
import { annotationTexts } from './annotations.ts';
import { withBookmarks } from './bookmarks.ts';
import { pageText } from './page-lines.ts';
import type { TextRun } from './text-runs.ts';
import { drawnGlyphs } from './drawn-glyphs.ts';
import type { Operators } from './drawing-steps.ts';
import { withPdf } from './pdfjs.ts';
import { hasRightToLeft } from './written-order.ts';
import {
  type ProcessorMs,
  type ScanReader,
  readScan,
  readScans,
  scannedText,
  withScans,
} from './scanned-page.ts';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';

interface PdfText {
  readonly title: string | null;
  readonly language: string | null;
  /** One for each page with text. */
  readonly units: TextUnit[];
  readonly unread?: PartialRead;
  /** Files that are attached to the document. */
  readonly attachments?: readonly EmbeddedFile[];
}

/** A document may claim any number of pages; reading stops after this many consecutive broken ones. */
const MAX_BROKEN_PAGES = 20;

export interface PdfOptions extends Pick<ExtractionLimits, 'textCharacters' | 'timeMs'> {
  /** Called after each page. */
  readonly onPages?: (read: number, pages: number) => void;
}

/**
 * Text of a PDF by page, with its annotations and forms. A broken page is skipped if another one is readable; in a
 * document without any text, the first scanned pages are recognised.
 *
 * @throws {ExtractionFailure} `encrypted`, `parser_failed`
 */
export const readPdf = (
  bytes: Uint8Array,
  { textCharacters, timeMs, onPages }: PdfOptions,
  processorMs: ProcessorMs = usedMs,
  scanReader: ScanReader = scannedText,
): Promise<PdfText> =>
  withPdf(bytes, async (document, operators) => {
    const until = processorMs() + SHARE * timeMs;
    const { info } = await document.getMetadata();
    const isLate = (): boolean => processorMs() > until;
    const pages = await readPages(document, textCharacters, operators, isLate, onPages);
    // Only for a document without any printed text: in others some pages are pictures.
    const readNext = (number: number): Promise<string> => readScan(document, number, operators, scanReader);
    const found = pages.printed
      ? { units: pages.units, ...(pages.unread !== undefined && { unread: pages.unread }) }
      : withScans(pages.units, await readScans(document.numPages, readNext, until, processorMs));
    return {
      ...describe(info),
      ...found,
      units: await withBookmarks(document, found.units),
      attachments: await attachmentsOf(document),
    };
  });

/** Share of the document's time: a recognition in progress must finish, and its text must be prepared. */
const SHARE = 0.75;

const usedMs: ProcessorMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

interface Pages {
  readonly units: TextUnit[];
  /** Whether there is text besides notes and forms. */
  readonly printed: boolean;
  readonly unread?: PartialRead;
}

const readPages = async (
  document: PDFDocumentProxy,
  maxCharacters: number,
  operators: Operators,
  isLate: () => boolean,
  onPages?: PdfOptions['onPages'],
): Promise<Pages> => {
  const units: TextUnit[] = [];
  let printed = false;
  let characters = 0;
  let broken = 0;
  for (let number = 1; number <= document.numPages && broken < MAX_BROKEN_PAGES; number += 1) {
    if (number > 1 && isLate()) {
      const message = `the first ${number - 1} of its ${document.numPages} pages were read within the time`;
      return { units, printed, unread: { code: 'partly_read', message } };
    }
    const page = await readPage(document, number, operators);
    broken = page === null ? broken + 1 : 0;
    const text = page?.text ?? '';
    printed ||= page?.printed === true;
    if (text !== '') units.push({ headingPath: [], pageNumber: number, text });
    characters += text.length;
    if (characters > maxCharacters) break;
    onPages?.(number, document.numPages);
    // The library keeps what it has parsed of each page. Without it, pages that share nothing are read as fast.
    if (number % PAGES_AT_ONCE === 0) await document.cleanup();
  }
  if (units.length === 0 && broken > 0)
    throw new ExtractionFailure('parser_failed', 'no page of the PDF is readable');
  return { units, printed };
};

/** The library's memory is bounded by what so many pages need: dense ones 50 kB each. */
const PAGES_AT_ONCE = 250;

/** Texts of XFA form pages have no positions. */
const UNPLACED: Omit<TextRun, 'str'> = { height: 1, transform: [1, 0, 0, 1, 0, 0], hasEOL: true };

const readPage = async (
  document: PDFDocumentProxy,
  number: number,
  operators: Operators,
): Promise<{ readonly text: string; readonly printed: boolean } | null> => {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const annotations = await page.getAnnotations({ intent: 'display' }).catch(() => []);
    const content = await contentOf(page, items, operators);
    page.cleanup();
    const text = [content, ...annotationTexts(annotations)].filter((part) => part !== '');
    return { text: text.join('\n\n'), printed: content !== '' };
  } catch {
    return null;
  }
};

/** The library turns each run of letters that are written from right to left by itself, and ligatures with it. */
const contentOf = async (
  page: PDFPageProxy,
  items: Awaited<ReturnType<PDFPageProxy['getTextContent']>>['items'],
  operators: Operators,
): Promise<string> => {
  const runs = items.flatMap((item) => ('str' in item ? [{ ...UNPLACED, ...item }] : []));
  if (!runs.some(({ str }) => hasRightToLeft(str))) return pageText(runs);
  // A page whose drawing is broken keeps its runs, in the order of the library.
  const glyphs = await drawnGlyphs(page, operators).catch(() => null);
  return glyphs === null ? pageText(runs) : pageText(glyphs, true);
};

const describe = (info: object): Omit<PdfText, 'units'> => {
  const fields = info as { readonly Title?: unknown; readonly Language?: unknown };
  const title = typeof fields.Title === 'string' ? fields.Title.trim() : '';
  return {
    title: title === '' || isPlaceholder(title) ? null : title,
    language: typeof fields.Language === 'string' && fields.Language !== '' ? fields.Language : null,
  };
};

/** Default titles of programs. */
const isPlaceholder = (title: string): boolean =>
  /^(?:untitled|title|document\d*|microsoft (?:word|powerpoint) - .*|.*\.(?:docx?|pptx?|xlsx?|indd|tex|dvi|qxd))$/i.test(
    title,
  );

/** Maximum number of attachments: each is decompressed completely. */
const MOST = 100;
const MAX_BYTES = 64 * 1_024 ** 2;

/** Attachments of a document, by their displayed names (ISO 32000-1, 7.11.4); skips broken ones. */
const attachmentsOf = async (document: PDFDocumentProxy): Promise<readonly EmbeddedFile[]> => {
  const found: EmbeddedFile[] = [];
  const listed = await document.getAttachments().catch(() => null);
  let left = MAX_BYTES;
  for (const [id, { filename }] of [...(listed ?? [])].slice(0, MOST)) {
    const content = await document.getAttachmentContent(id).catch(() => null);
    if (!(content instanceof Uint8Array) || content.length === 0) continue;
    left -= content.length;
    if (left < 0) break;
    found.push({ name: filename, content: Buffer.from(content) });
  }
  return found;
};
