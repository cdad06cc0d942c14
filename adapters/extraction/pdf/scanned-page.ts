import type { PartialRead } from '../../../application/ports/document-reader.ts';
import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import { recogniseText } from '../image/ocr.ts';
import { pixmap } from '../image/read-image.ts';
import {
  type Matrix,
  type PaintedImage,
  type Pixels,
  combined,
  composed,
  paintedImages,
} from './page-picture.ts';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';

/** An image as pdfjs unpacks it; `kind` says how many bits a pixel has. */
interface Unpacked {
  readonly width?: unknown;
  readonly height?: unknown;
  readonly kind?: unknown;
  readonly data?: unknown;
}

/** Of all images together: smaller ones are logos and rules. */
const MIN_PIXELS = 20_000;
const STALL_LIMIT_MS = 5_000;
const BITS: ReadonlyMap<unknown, Pixels['bits']> = new Map([
  [1, 1],
  [2, 24],
  [3, 32],
]);

/** Printed text of a page that has no other text: a scan, of one image or of strips, in whatever way it is turned. '' where there is none. */
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
  return picture === null ? '' : recogniseText(pixmap(picture.data, { ...picture, channels: 1 }));
};

/** It comes behind the operators that name it. Once one has never come, no other is waited for. */
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

/** Null for what is no image, or is broken. */
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
  /** Pages that are left. */
  readonly unread?: PartialRead;
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
const MAX_SCANS = 10;

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
