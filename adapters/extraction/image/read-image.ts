import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import type { ImageFileType } from '../../../application/ports/document-reader.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
import { heicAsPixmap } from './heic.ts';
import { imageSize } from './image-size.ts';
import { recogniseText, refuseHugeImage } from './ocr.ts';

export interface ImageText {
  readonly title: null;
  readonly language: null;
  /** None where the image shows no text. */
  readonly units: TextUnit[];
}

/** Printed text of an image, in Latin script. @throws {ExtractionFailure} `parser_failed`, `too_large` */
export const readImage = async (bytes: Buffer, type: ImageFileType): Promise<ImageText> => {
  const isHeif = type === 'heic' || type === 'heif';
  if (!isHeif) refuseHugeImage(sizeOf(bytes));
  const text = await recogniseText(isHeif ? await heicAsPixmap(bytes) : bytes);
  return {
    title: null,
    language: null,
    units: text === '' ? [] : [{ headingPath: [], pageNumber: 0, text }],
  };
};

/** Without it nobody knows how much memory the image takes. @throws {ExtractionFailure} `parser_failed` */
const sizeOf = (bytes: Buffer) => {
  const size = imageSize(bytes);
  if (size === null) throw new ExtractionFailure('parser_failed', 'the image does not say how large it is');
  return size;
};
