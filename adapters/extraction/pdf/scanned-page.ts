import type { PDFPageProxy } from 'pdfjs-dist';
import { pixmap } from '../image/heic.ts';
import { recogniseText } from '../image/ocr.ts';
import { composed, type Pixels } from './page-picture.ts';
import { combined, paintedImages, type Matrix, type PaintedImage } from './painted-images.ts';

/** An image as pdfjs unpacks it; `kind` says how many bits a pixel has. */
interface Unpacked {
  readonly width?: unknown;
  readonly height?: unknown;
  readonly kind?: unknown;
  readonly data?: unknown;
}

/** Of all images together: smaller ones are logos and rules. */
const LEAST_PIXELS = 20_000;
const PATIENCE_MS = 5_000;
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
  if (images.reduce((sum, { width, height }) => sum + width * height, 0) < LEAST_PIXELS) return '';
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
  }, PATIENCE_MS);
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
