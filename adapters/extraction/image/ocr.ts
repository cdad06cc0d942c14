import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ExtractionFailure } from '../extraction-failure.ts';
import { type GreyPicture, doubled, greyOf, pixmap, shrunk } from './grey-picture.ts';

/** The used part of Tesseract (tesseract.js-core): its C++ API, compiled to WebAssembly. */
interface Tesseract {
  readonly FS: { writeFile(path: string, bytes: Uint8Array): void };
  readonly TessBaseAPI: new () => Recogniser;
  getValue(address: number, type: 'i32'): number;
}
interface Recogniser {
  Init(folder: null, language: string, engine: number): number;
  SetVariable(name: string, value: string): void;
  /** 1 when the image is not readable. */
  SetImageFile(exifOrientation: number, radians: number): number;
  Recognize(monitor: null): number;
  GetUTF8Text(): string;
  MeanTextConf(): number;
  GetInputImage(): Pix;
  Clear(): void;
}
/** A decoded image, with an address of its pixels (Leptonica): rows of 32-bit words, the first pixel highest. */
interface Pix {
  get_w(): number;
  get_h(): number;
  /** Bits per pixel: 1 with 1 for black, 8, or 32 of red, green, blue and alpha. */
  get_d(): number;
  /** 4 with alpha. */
  get_spp(): number;
  get_wpl(): number;
  get_data(): number;
}

const NEURAL = 1;
/** In percent. Below it there is no text: recognition in photographs has a confidence of 0 to 40. */
const MIN_CONFIDENCE = 50;
/** In percent. Print has 75 to 95 if it is upright, and 15 to 45 if it is turned or too small. */
const SURE = 70;
/** Of an A4 page at 125 dpi: small print of smaller images is read better at twice their size. */
const SMALL_PIXELS = 1_500_000;
/** In so many pixels an image is tried in other directions: an A4 page at 100 dpi. */
const TRIED_PIXELS = 1_000_000;
/** Orientations of Exif: turned by 90, 270 and 180 degrees. */
const TURNED = [6, 8, 3];
const UPRIGHT = 1;
/** 40 megapixels need half a gigabyte; an A4 page at 600 dpi has 35. */
const MAX_PIXELS = 40_000_000;

let loaded: Promise<{ readonly library: Tesseract; readonly recogniser: Recogniser }> | undefined;

/**
 * Printed text of an image in Latin script, with its lines and paragraphs; '' when there is none. An image that shows
 * no print is tried turned by quarters. Takes 3 s of CPU time per page.
 *
 * @param image PNG, JPEG, WebP, GIF or a portable pixmap
 * @throws {ExtractionFailure} `parser_failed` when the image is not readable
 */
export const recogniseText = async (image: Uint8Array): Promise<string> => {
  loaded ??= load();
  const tesseract = await loaded;
  try {
    return inBestDirection(tesseract, image);
  } finally {
    tesseract.recogniser.Clear();
  }
};

type Loaded = Awaited<NonNullable<typeof loaded>>;

const inBestDirection = (tesseract: Loaded, image: Uint8Array): string => {
  const given = show(tesseract, image, exifOrientation(image));
  const isLarge = given.get_w() * given.get_h() >= SMALL_PIXELS;
  // A large image is shown as it came, but that the library takes transparent pixels for black.
  const asGiven = isLarge && given.get_spp() !== 4 ? recognised(tesseract) : null;
  if (asGiven !== null && asGiven.confidence >= SURE) return asGiven.text;
  const picture = pictureOf(tesseract, given);
  const sizes = (isLarge ? [picture] : [picture, doubled(picture)]).map(pixmap);
  const upright = asGiven ?? bestOf(tesseract, sizes, UPRIGHT);
  if (upright.confidence >= SURE) return upright.text;
  const side = Math.ceil(Math.sqrt((picture.width * picture.height) / TRIED_PIXELS));
  const tried = isLarge && side > 1 ? [pixmap(shrunk(picture, side))] : sizes;
  for (const turn of TURNED) {
    const found = bestOf(tesseract, tried, turn);
    if (found.confidence >= SURE) return tried === sizes ? found.text : bestOf(tesseract, sizes, turn).text;
  }
  return upright.confidence < MIN_CONFIDENCE ? '' : upright.text;
};

/** What is read with the highest confidence. */
const bestOf = (tesseract: Loaded, images: readonly Uint8Array[], orientation: number): Recognised =>
  images
    .map((image) => {
      show(tesseract, image, orientation);
      return recognised(tesseract);
    })
    .reduce((best, found) => (found.confidence > best.confidence ? found : best));

interface Recognised {
  readonly text: string;
  readonly confidence: number;
}

/** @throws {ExtractionFailure} `parser_failed` */
const show = ({ library, recogniser }: Loaded, image: Uint8Array, orientation = UPRIGHT): Pix => {
  library.FS.writeFile('/input', image);
  if (recogniser.SetImageFile(orientation, 0) === 1)
    throw new ExtractionFailure('parser_failed', 'the image is not readable');
  return recogniser.GetInputImage();
};

const recognised = ({ recogniser }: Loaded): Recognised => {
  recogniser.Recognize(null);
  return { text: recogniser.GetUTF8Text().trim(), confidence: recogniser.MeanTextConf() };
};

const pictureOf = ({ library }: Loaded, pix: Pix): GreyPicture => {
  const [width, height, depth, wordsPerRow] = [pix.get_w(), pix.get_h(), pix.get_d(), pix.get_wpl()];
  const [start, hasAlpha, perWord] = [pix.get_data(), pix.get_spp() === 4, 32 / depth];
  const data = new Uint8Array(width * height);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      const word = library.getValue(start + 4 * (y * wordsPerRow + Math.floor(x / perWord)), 'i32');
      if (depth === 1) data[at] = (word >>> (31 - (x & 31))) & 1 ? 0 : 255;
      else if (depth === 8) data[at] = word >>> (24 - 8 * (x & 3));
      else
        data[at] =
          hasAlpha && (word & 255) < 128 ? 255 : greyOf(word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255);
    }
  }
  return { width, height, data };
};

/** @throws {ExtractionFailure} `too_large` */
export const refuseHugeImage = ({
  width,
  height,
}: {
  readonly width: number;
  readonly height: number;
}): void => {
  if (width * height > MAX_PIXELS)
    throw new ExtractionFailure(
      'too_large',
      `the image has ${width} × ${height} pixels, more than ${MAX_PIXELS} are not read`,
    );
};

/** Without the library's own wrapper, which uses a thread: readers have none, and end with their process. */
const load = async () => {
  const require = createRequire(import.meta.url);
  const start = require('tesseract.js-core/tesseract-core-simd-lstm') as (
    options: object,
  ) => Promise<Tesseract>;
  const silent = (): void => {};
  const library = await start({ TesseractProgress: silent, print: silent, printErr: silent });
  const data = join(dirname(require.resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int');
  library.FS.writeFile('./eng.traineddata', gunzipSync(readFileSync(join(data, 'eng.traineddata.gz'))));
  const recogniser = new library.TessBaseAPI();
  if (recogniser.Init(null, 'eng', NEURAL) !== 0) throw new Error('the language data of Tesseract is broken');
  return { library, recogniser };
};

/** The tag 0x0112 of a short near the start (Exif 2.32, 4.6.5); 1 is upright. */
const exifOrientation = (image: Uint8Array): number => {
  const head = Buffer.from(image.buffer, image.byteOffset, Math.min(image.byteLength, 1_024));
  for (const [tag, at] of [
    [Buffer.from([0x12, 0x01, 3, 0, 1, 0, 0, 0]), 8],
    [Buffer.from([0x01, 0x12, 0, 3, 0, 0, 0, 1]), 9],
  ] as const) {
    const found = head.indexOf(tag);
    const value = found === -1 ? undefined : head[found + at];
    if (value !== undefined && value >= 1 && value <= 8) return value;
  }
  return 1;
};
