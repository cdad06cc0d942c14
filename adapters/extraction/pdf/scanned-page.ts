import type { PDFPageProxy } from 'pdfjs-dist';
import { pixmap } from '../image/heic.ts';
import { recogniseText } from '../image/ocr.ts';

/** An image that a page paints, as pdfjs unpacks it; `kind` says how many bits a pixel has. */
interface PaintedImage {
  readonly width?: unknown;
  readonly height?: unknown;
  readonly kind?: unknown;
  readonly data?: Uint8Array | Uint8ClampedArray | null;
}

/** Smaller ones are logos and rules. */
const LEAST_PIXELS = 20_000;
const MOST_PIXELS = 40_000_000;
/** Of a page; a scan is one. */
const MOST_IMAGES = 20;
const PATIENCE_MS = 5_000;

/** Printed text of the largest image of a page, which has no other text: a scan. '' where there is none. */
export const scannedText = async (
  page: PDFPageProxy,
  operators: Readonly<Record<string, number>>,
): Promise<string> => {
  const { fnArray, argsArray } = await page.getOperatorList();
  const painting = new Set([operators['paintImageXObject'], operators['paintInlineImageXObject']]);
  const painted = fnArray.flatMap((operator, index) =>
    painting.has(operator) ? (argsArray[index] as readonly unknown[]).slice(0, 1) : [],
  );
  const images: PaintedImage[] = [];
  for (const named of painted.slice(0, MOST_IMAGES)) {
    images.push(typeof named === 'string' ? await unpacked(page, named) : (named ?? {}));
  }
  const largest = images.toSorted((a, b) => pixelsOf(b) - pixelsOf(a))[0];
  if (largest === undefined || pixelsOf(largest) < LEAST_PIXELS || pixelsOf(largest) > MOST_PIXELS) return '';
  const shown = asPixmap(largest);
  return shown === null ? '' : recogniseText(shown);
};

/** It comes behind the operators that name it; one that never comes is passed over. */
const unpacked = async (page: PDFPageProxy, name: string): Promise<PaintedImage> => {
  const from = name.startsWith('g_') ? page.commonObjs : page.objs;
  const { promise, resolve } = Promise.withResolvers<PaintedImage>();
  const timer = setTimeout(() => resolve({}), PATIENCE_MS);
  from.get(name, (image: PaintedImage | null) => resolve(image ?? {}));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
};

const pixelsOf = ({ width, height, data }: PaintedImage): number =>
  data === undefined || data === null ? 0 : Number(width) * Number(height);

/** Kinds of pdfjs: 1 is a bit for a pixel, rows filled up to bytes; 2 three bytes; 3 four. */
const asPixmap = ({ width, height, kind, data }: PaintedImage): Uint8Array | null => {
  const size = { width: Number(width), height: Number(height) };
  if (kind === 2) return pixmap(data!, { ...size, channels: 3 });
  if (kind === 3) return pixmap(data!, { ...size, channels: 4 });
  if (kind !== 1) return null;
  const rowBytes = (size.width + 7) >> 3;
  const grey = new Uint8Array(size.width * size.height);
  for (let y = 0, at = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1, at += 1) {
      grey[at] = ((data![y * rowBytes + (x >> 3)]! >> (7 - (x & 7))) & 1) * 255;
    }
  }
  return pixmap(grey, { ...size, channels: 1 });
};
