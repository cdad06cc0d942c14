import {
  type Matrix,
  type OperatorList,
  type Operators,
  combined,
  drawingSteps,
  isMatrix,
} from './drawing-steps.ts';
import { type GreyPicture, greyOf } from '../image/grey-picture.ts';

/** A decompressed image. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Bits per pixel: 1, from the highest bit on, rows padded to bytes; 24; 32 with alpha at the end. */
  readonly bits: 1 | 24 | 32;
  readonly data: Uint8Array | Uint8ClampedArray;
  /** Position of its unit square in points, y from above. */
  readonly matrix: Matrix;
  /** Zeros are ink, and ones are transparent. */
  readonly isMask: boolean;
}

/** An A4 page at 350 dpi: more pixels do not improve the recognition, and cost ten times as many bytes. */
const MAX_PIXELS = 12_000_000;
const MAX_SIDE = 30_000;
/** Maximum number of times the picture may be painted over. */
const MAX_LAYERS = 6;

/** Combines images as they are displayed, upright, in the resolution of the largest one if that is within the limit. */
export const composed = (images: readonly Pixels[]): GreyPicture | null => {
  const placed = images.map((image) => ({ image, matrix: pixelMatrix(image) })).filter(isFlat);
  const largest = placed.toSorted(({ image: a }, { image: b }) => area(b) - area(a))[0];
  if (largest === undefined) return null;
  const boxes = placed.map(({ image, matrix }) => boxOf(image, matrix));
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  const wide = Math.max(...boxes.map((box) => box.right)) - left;
  const high = Math.max(...boxes.map((box) => box.bottom)) - top;
  const scale = Math.min(
    1 / Math.min(...stepsOf(largest.matrix)),
    Math.sqrt(MAX_PIXELS / (wide * high)),
    MAX_SIDE / wide,
    MAX_SIDE / high,
  );
  const width = Math.max(1, Math.round(wide * scale));
  const height = Math.max(1, Math.round(high * scale));
  const picture = { width, height, data: new Uint8Array(width * height).fill(255) };
  let painted = 0;
  for (const { image, matrix } of placed) {
    painted += paint(picture, image, combined([scale, 0, 0, scale, -left * scale, -top * scale], matrix));
    if (painted > MAX_LAYERS * width * height) break;
  }
  return picture;
};

const area = ({ width, height }: Pixels): number => width * height;

/** Matrix for pixels counted from the upper left one, instead of the unit square, whose lower left corner is at 0. */
const pixelMatrix = ({ matrix, width, height }: Pixels): Matrix =>
  combined(matrix, [1 / width, 0, 0, -1 / height, 0, 1]);

/** Distance from one pixel to the next one to the right, and to the next one below. */
const stepsOf = ([a, b, c, d]: Matrix): readonly [number, number] => [Math.hypot(a, b), Math.hypot(c, d)];

const isFlat = ({ matrix: [a, b, c, d, e, f] }: { readonly matrix: Matrix }): boolean =>
  Math.abs(a * d - b * c) > 1e-12 && Number.isFinite(a * d - b * c) && Number.isFinite(e + f);

const boxOf = ({ width, height }: Pixels, [a, b, c, d, e, f]: Matrix) => {
  const across = [e, a * width + e, c * height + e, a * width + c * height + e];
  const down = [f, b * width + f, d * height + f, b * width + d * height + f];
  return {
    left: Math.min(...across),
    right: Math.max(...across),
    top: Math.min(...down),
    bottom: Math.max(...down),
  };
};

/**
 * Each pixel of the picture becomes the mean of the image pixels around its position.
 *
 * @returns number of pixels read
 */
const paint = ({ width, height, data }: GreyPicture, image: Pixels, matrix: Matrix): number => {
  const box = boxOf(image, matrix);
  const [from, to] = [Math.max(0, Math.floor(box.left)), Math.min(width, Math.ceil(box.right))];
  const [first, end] = [Math.max(0, Math.floor(box.top)), Math.min(height, Math.ceil(box.bottom))];
  const [a, b, c, d, e, f] = matrix;
  const whole = a * d - b * c;
  const around = stepsOf(matrix).map((step) => Math.min(8, Math.max(1, Math.round(1 / step))));
  const greyAt = greyReader(image);
  for (let y = first; y < end; y += 1) {
    for (let x = from; x < to; x += 1) {
      const [right, below] = [x + 0.5 - e, y + 0.5 - f];
      const u = (d * right - c * below) / whole;
      const v = (a * below - b * right) / whole;
      if (u < 0 || v < 0 || u >= image.width || v >= image.height) continue;
      const grey = meanAround(greyAt, image, [u, v], around);
      if (grey >= 0) data[y * width + x] = image.isMask ? Math.min(grey, data[y * width + x]!) : grey;
    }
  }
  return Math.max(0, to - from) * Math.max(0, end - first);
};

/** -1 when everything is transparent. */
const meanAround = (
  greyAt: (x: number, y: number) => number,
  { width, height }: Pixels,
  [u, v]: readonly [number, number],
  [across = 1, down = 1]: readonly number[],
): number => {
  const x0 = Math.max(0, Math.floor(u - (across - 1) / 2));
  const y0 = Math.max(0, Math.floor(v - (down - 1) / 2));
  let sum = 0;
  let count = 0;
  for (let y = y0; y < Math.min(height, y0 + down); y += 1) {
    for (let x = x0; x < Math.min(width, x0 + across); x += 1) {
      const grey = greyAt(x, y);
      if (grey < 0) continue;
      sum += grey;
      count += 1;
    }
  }
  return count === 0 ? -1 : Math.round(sum / count);
};

/** Reads a pixel of the image: 0 is black, 255 white, -1 transparent. */
const greyReader = ({ bits, data, width }: Pixels): ((x: number, y: number) => number) => {
  if (bits === 1) {
    const rowBytes = (width + 7) >> 3;
    return (x, y) => ((data[y * rowBytes + (x >> 3)]! >> (7 - (x & 7))) & 1) * 255;
  }
  const bytes = bits / 8;
  return (x, y) => {
    const at = (y * width + x) * bytes;
    if (bytes === 4 && data[at + 3]! < 128) return -1;
    return greyOf(data[at]!, data[at + 1]!, data[at + 2]!);
  };
};

/** An image that a page paints onto the unit square of `matrix`, as pdfjs names or contains it. */
export interface PaintedImage {
  readonly image: unknown;
  /** In points from the lower left corner of the page, y from below. */
  readonly matrix: Matrix;
  /** Its bits are ink and transparency instead of colours. */
  readonly isMask: boolean;
}

/** A scanner writes a page as one image, or as some dozens of strips. */
const MAX_IMAGES = 1_000;

/** The first thousand images in painting order; later ones cover earlier ones. */
export const paintedImages = (list: OperatorList, operators: Operators): readonly PaintedImage[] => {
  const found: PaintedImage[] = [];
  for (const { name, args, matrix } of drawingSteps(list, operators)) {
    if (found.length >= MAX_IMAGES) break;
    found.push(...imagesOf(name, args, matrix));
  }
  return found;
};

const imagesOf = (name: string, args: readonly unknown[], matrix: Matrix): readonly PaintedImage[] => {
  const [image] = args;
  if (name === 'paintImageXObject' || name === 'paintInlineImageXObject')
    return [{ image, matrix, isMask: false }];
  if (name === 'paintImageMaskXObject') return [{ image, matrix, isMask: true }];
  if (name !== 'paintImageMaskXObjectGroup') return [];
  return (image as readonly { readonly transform: unknown }[]).flatMap((each) =>
    isMatrix(each.transform) ? { image: each, matrix: combined(matrix, each.transform), isMask: true } : [],
  );
};
