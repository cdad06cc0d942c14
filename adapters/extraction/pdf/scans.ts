import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import type { UnreadRest } from '../../../application/ports/document-reader.ts';
import type { scannedText } from './scanned-page.ts';

interface ScannedText {
  readonly units: TextUnit[];
  /** Pages that are left. */
  readonly unread?: UnreadRest;
}

/** Processor time that this process has used, in milliseconds. */
export type ProcessorMs = () => number;

/** Text of one page whose print is a picture. What it throws costs that page alone. */
export type ScanReader = typeof scannedText;

/** Notes on a scanned page follow its print. */
export const withScans = (notes: readonly TextUnit[], scans: ScannedText): ScannedText => ({
  ...scans,
  units: [...scans.units, ...notes].toSorted((a, b) => a.pageNumber - b.pageNumber),
});

/** A page full of print takes some six seconds of processor time. */
const MOST_SCANS = 10;

/** Text of the first pages as pictures of print: as many as there is time for, at least one. A page that breaks is told as unread. */
export const readScans = async (
  pages: number,
  readNext: (number: number) => Promise<string>,
  until: number,
  processorMs: ProcessorMs,
): Promise<ScannedText> => {
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
export const readScan = async (
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
