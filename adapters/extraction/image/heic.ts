import { createRequire } from 'node:module';
import { ExtractionFailure } from '../extraction-failure.ts';
import { refuseHugeImage } from './ocr.ts';

interface HeifImage {
  get_width(): number;
  get_height(): number;
  display(
    into: { readonly data: Uint8ClampedArray; readonly width: number; readonly height: number },
    done: (shown: object | null) => void,
  ): void;
}
interface Library {
  readonly HeifDecoder: new () => { decode(bytes: Uint8Array): readonly HeifImage[] };
}

/** The version that is tested; `package.json` has the same. Under the LGPL, so users may leave it out: see NOTICE. */
const PACKAGE = 'libheif-js@1.23.2';

/** @throws {ExtractionFailure} `parser_failed` where the package is not installed */
const loadLibrary = (): Library => {
  try {
    // Loads itself when it is first required.
    return createRequire(import.meta.url)('libheif-js/wasm-bundle') as Library;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error;
    throw new ExtractionFailure(
      'parser_failed',
      `HEIC images need a package that is not installed: npm install --omit=dev --save-optional ${PACKAGE}`,
    );
  }
};

/**
 * The first image of a HEIC or HEIF file as a portable pixmap, which needs no compression (libheif, in WebAssembly).
 *
 * @throws {ExtractionFailure} `parser_failed`, `too_large`
 */
export const heicAsPixmap = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const [image] = new (loadLibrary().HeifDecoder)().decode(bytes);
  if (image === undefined) throw new ExtractionFailure('parser_failed', 'no image in it is readable');
  const size = { width: image.get_width(), height: image.get_height() };
  refuseHugeImage(size);
  const data = new Uint8ClampedArray(size.width * size.height * 4);
  const shown = await new Promise<object | null>((resolve) => {
    image.display({ data, ...size }, resolve);
  });
  if (shown === null) throw new ExtractionFailure('parser_failed', 'its image is not readable');
  return pixmap(data, { ...size, channels: 4 });
};

/** Red, green and blue (or grey alone) of each pixel behind a header (netpbm, PPM and PGM). Transparent ones become white. */
export const pixmap = (
  data: Uint8Array | Uint8ClampedArray,
  {
    width,
    height,
    channels,
  }: { readonly width: number; readonly height: number; readonly channels: 1 | 3 | 4 },
): Uint8Array => {
  const header = Buffer.from(`${channels === 1 ? 'P5' : 'P6'}\n${width} ${height}\n255\n`, 'latin1');
  const kept = channels === 1 ? 1 : 3;
  const out = Buffer.alloc(header.length + width * height * kept, 255);
  header.copy(out);
  for (let pixel = 0, at = header.length; pixel < width * height; pixel += 1) {
    const from = pixel * channels;
    const visible = channels !== 4 || data[from + 3]! > 127;
    for (let channel = 0; channel < kept; channel += 1, at += 1) {
      if (visible) out[at] = data[from + channel]!;
    }
  }
  return out;
};
