import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ExtractionFailure } from '../extraction-failure.ts';

/** The used part of Tesseract (tesseract.js-core): its C++ API, compiled to WebAssembly. */
interface Tesseract {
  readonly FS: { writeFile(path: string, bytes: Uint8Array): void };
  readonly TessBaseAPI: new () => Recogniser;
}
interface Recogniser {
  Init(folder: null, language: string, engine: number): number;
  SetVariable(name: string, value: string): void;
  /** 1 when the image is not readable. */
  SetImageFile(exifOrientation: number, radians: number): number;
  Recognize(monitor: null): number;
  GetUTF8Text(): string;
  MeanTextConf(): number;
  Clear(): void;
}

const NEURAL = 1;
/** In percent. Below it there is no text: recognition in photographs has a confidence of 0 to 40. */
const MIN_CONFIDENCE = 50;
/** 40 megapixels need half a gigabyte; an A4 page at 600 dpi has 35. */
const MAX_PIXELS = 40_000_000;

let loaded: Promise<{ readonly library: Tesseract; readonly recogniser: Recogniser }> | undefined;

/**
 * Printed text of an image in Latin script, with its lines and paragraphs; '' when there is none. Takes 3 s of CPU time
 * per page.
 *
 * @param image PNG, JPEG, WebP or a portable pixmap
 * @throws {ExtractionFailure} `parser_failed` when the image is not readable
 */
export const recogniseText = async (image: Uint8Array): Promise<string> => {
  loaded ??= load();
  const { library, recogniser } = await loaded;
  library.FS.writeFile('/input', image);
  if (recogniser.SetImageFile(exifOrientation(image), 0) === 1)
    throw new ExtractionFailure('parser_failed', 'the image is not readable');
  recogniser.Recognize(null);
  const text = recogniser.MeanTextConf() < MIN_CONFIDENCE ? '' : recogniser.GetUTF8Text();
  recogniser.Clear();
  return text.trim();
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
