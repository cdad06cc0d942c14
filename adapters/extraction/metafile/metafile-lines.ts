import { gunzipSync } from 'node:zlib';
import { emfLines, isEmf } from './emf.ts';
import { isWmf, wmfLines } from './wmf.ts';

/** Drawings take some hundred KB. */
const MOST_BYTES = 32 * 1_024 ** 2;

/** Whether a picture is a list of what to draw, and not of points: EMF or WMF. */
export const isMetafile = (bytes: Buffer): boolean => isEmf(bytes) || isWmf(bytes);

/** Lines of text that a picture draws, packed by gzip or not; none for pictures of points. */
export const metafileLines = (bytes: Buffer): readonly string[] => {
  const picture = bytes[0] === 0x1f && bytes[1] === 0x8b ? unpacked(bytes) : bytes;
  if (isEmf(picture)) return emfLines(picture);
  return isWmf(picture) ? wmfLines(picture) : [];
};

const unpacked = (bytes: Buffer): Buffer => {
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_BYTES });
  } catch {
    return Buffer.alloc(0);
  }
};
