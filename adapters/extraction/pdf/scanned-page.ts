import type { PartialRead } from '../../../application/ports/document-reader.ts';
import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import { recogniseText } from '../image/ocr.ts';
import { pixmap } from '../image/grey-picture.ts';
import { type Matrix, combined } from './drawing-steps.ts';
import { type PaintedImage, type Pixels, composed, paintedImages } from './page-picture.ts';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';

/** An image as pdfjs decompresses it; `kind` gives the bits per pixel. */
interface Unpacked {
  readonly width?: unknown;
  readonly height?: unknown;
  readonly kind?: unknown;
  readonly data?: unknown;
}

/** Total of all images: smaller ones are logos and rules. */
const MIN_PIXELS = 20_000;
const STALL_LIMIT_MS = 5_000;
const BITS: ReadonlyMap<unknown, Pixels['bits']> = new Map([
  [1, 1],
  [2, 24],
  [3, 32],
]);

/**
 * Printed text of a page without other text: a scan of one image or of strips, in any rotation. '' when there is none.
 */
export const scannedText = async (
  page: PDFPageProxy,
  operators: Readonly<Record<string, number>>,
): Promise<string> => {
  const shown = page.getViewport({ scale: 1 }).transform as unknown as Matrix;
  const waiting = { patient: true };
  const images: Pixels[] = [];
  for (const painted of paintedImages(await page.getOperatorList(), operators)) {
    const pixels = asPixels(painted, await unpacked(page, painted.image, waiting), shown);
    if (pixels !== null) images.push(pixels);
  }
  if (images.reduce((sum, { width, height }) => sum + width * height, 0) < MIN_PIXELS) return '';
  const picture = composed(images);
  return picture === null ? '' : recogniseText(pixmap(picture));
};

/** The image arrives after the operators that name it. Once one image has not arrived, no further one is awaited. */
const unpacked = async (
  page: PDFPageProxy,
  image: unknown,
  waiting: { patient: boolean },
): Promise<Unpacked> => {
  const held = (image ?? {}) as Unpacked;
  const name = typeof image === 'string' ? image : held.data;
  if (typeof name !== 'string') return held;
  const from = name.startsWith('g_') ? page.commonObjs : page.objs;
  if (!waiting.patient && !from.has(name)) return {};
  const { promise, resolve } = Promise.withResolvers<Unpacked>();
  const timer = setTimeout(() => {
    waiting.patient = false;
    resolve({});
  }, STALL_LIMIT_MS);
  from.get(name, (found: Unpacked | null) => resolve(found ?? {}));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
};

/** Null when it is not an image, or is broken. */
const asPixels = (
  { matrix, isMask }: PaintedImage,
  { width, height, kind, data }: Unpacked,
  shown: Matrix,
): Pixels | null => {
  const bits = isMask ? 1 : BITS.get(kind);
  const isData = data instanceof Uint8Array || data instanceof Uint8ClampedArray;
  if (bits === undefined || !isData) return null;
  const size = { width: Number(width), height: Number(height) };
  const rowBytes = bits === 1 ? (size.width + 7) >> 3 : (size.width * bits) / 8;
  if (!(size.width > 0 && size.height > 0) || data.length < rowBytes * size.height) return null;
  return { ...size, bits, data, isMask, matrix: combined(shown, matrix) };
};

interface ScannedText {
  readonly units: TextUnit[];
  /** The pages that were not read. */
  readonly unread?: PartialRead;
}

/** CPU time of this process so far, in milliseconds. */
export type ProcessorMs = () => number;

/** Text of one scanned page. An error concerns only that page. */
export type ScanReader = typeof scannedText;

/** Notes on a scanned page follow its text. */
export const withScans = (notes: readonly TextUnit[], scans: ScannedText): ScannedText => ({
  ...scans,
  units: [...scans.units, ...notes].toSorted((a, b) => a.pageNumber - b.pageNumber),
});

/** A full page takes about six seconds of CPU time. */
const MAX_SCANS = 10;

/**
 * Recognises the text of the first scanned pages: as many as time allows, at least one. A failing page is reported as
 * unread.
 */
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
  for (let begun = processorMs(); read < Math.min(pages, MAX_SCANS); begun = processorMs()) {
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

/** Null when all were read. */
const unreadScans = (pages: number, read: number, broken: readonly number[]): string | null => {
  const told: string[] = [];
  if (read < pages) told.push(`those of the first ${read} of its ${pages} pages were read`);
  if (broken.length > 0) told.push(`page ${broken.join(', ')} could not be read`);
  return told.length === 0 ? null : `it has no text but in pictures: ${told.join(', and ')}`;
};

/** Releases the memory of its images, even on failure. */
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
