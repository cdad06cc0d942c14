import type { ImageFileType } from '../../../application/ports/document-reader.ts';
import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
import { firstPicture } from './animation.ts';
import { greyOf, pixmap } from './grey-picture.ts';
import { recogniseText, refuseHugeImage } from './ocr.ts';
import { createRequire } from 'node:module';

interface ImageText {
  readonly title: null;
  readonly language: null;
  /** Empty when the image shows no text. */
  readonly units: TextUnit[];
}

/**
 * Printed text of an image, in Latin script; of an animation that of its first picture.
 *
 * @throws {ExtractionFailure} `parser_failed`, `too_large`
 */
export const readImage = async (bytes: Buffer, type: ImageFileType): Promise<ImageText> => {
  const isHeif = type === 'heic' || type === 'heif';
  if (!isHeif) refuseHugeImage(sizeOf(bytes));
  const text = await recogniseText(isHeif ? await heicAsPixmap(bytes) : firstPicture(bytes));
  return {
    title: null,
    language: null,
    units: text === '' ? [] : [{ headingPath: [], pageNumber: 0, text }],
  };
};

/** Without a size, the memory need of the image is unknown. @throws {ExtractionFailure} `parser_failed` */
const sizeOf = (bytes: Buffer) => {
  const size = imageSize(bytes);
  if (size === null) throw new ExtractionFailure('parser_failed', 'the image does not say how large it is');
  return size;
};

/** Width and height in pixels from the header of an image; null when missing. */
const imageSize = (bytes: Buffer): { readonly width: number; readonly height: number } | null => {
  try {
    if (bytes.readUInt32BE(0) === 0x89504e47)
      return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    if (bytes.toString('latin1', 0, 4) === 'RIFF') return webpSize(bytes);
    if (bytes.toString('latin1', 0, 4) === 'GIF8')
      return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
    return bytes.readUInt16BE(0) === 0xffd8 ? jpegSize(bytes) : null;
  } catch {
    return null; // truncated within its header
  }
};

/** The frame header (ITU-T T.81, B.2.2) of any JPEG process. Skips bytes between segments, as decoders do. */
const jpegSize = (bytes: Buffer) => {
  for (let at = bytes.indexOf(0xff, 2); at !== -1 && at + 9 < bytes.length; at = bytes.indexOf(0xff, at)) {
    const marker = bytes[at + 1]!;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at +=
      marker === 0xff
        ? 1
        : marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)
          ? 2
          : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
};

/** The three forms of a WebP image (RFC 9649, section 2). */
const webpSize = (bytes: Buffer) => {
  const form = bytes.toString('latin1', 12, 16);
  if (form === 'VP8X') return { width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
  if (form === 'VP8L') {
    const bits = bytes.readUInt32LE(21);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (form !== 'VP8 ') return null;
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
};

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

/** The tested version; `package.json` has the same. Under the LGPL, so users may omit it: see NOTICE. */
const PACKAGE = 'libheif-js@1.23.2';

/** @throws {ExtractionFailure} `parser_failed` when the package is not installed */
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
 * The first image of a HEIC or HEIF file as a portable pixmap (libheif, in WebAssembly).
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
  const grey = new Uint8Array(size.width * size.height);
  for (let at = 0, from = 0; at < grey.length; at += 1, from += 4)
    grey[at] = data[from + 3]! < 128 ? 255 : greyOf(data[from]!, data[from + 1]!, data[from + 2]!);
  return pixmap({ ...size, data: grey });
};
