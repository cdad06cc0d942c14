import type { ExtractableFileType } from '../../../application/ports/document-reader.ts';
import type { FoundKind } from './office-kind.ts';

/** Extensions that `file-type` gives, where they differ from ours. */
const ALIASES: Readonly<Record<string, ExtractableFileType>> = {
  asf: 'wmv',
  aif: 'aiff',
  opus: 'ogg',
  oga: 'ogg',
  ogx: 'ogg',
  m4b: 'm4a',
  m4v: 'mp4',
  mpeg: 'mpg',
  m1v: 'mpg',
  m2v: 'mpg',
  '3g2': '3gp',
};

const READ: ReadonlySet<string> = new Set(
  'png jpg webp heic heif wav mp3 aiff aac m4a ogg flac mp4 mpg mov avi flv webm wmv 3gp'.split(' '),
);

/** Images, sound and video by their first bytes; what else is recognised by its media type; null for what is not. */
export const mediaKind = async (bytes: Buffer): Promise<FoundKind | null> => {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(bytes);
  if (found === undefined) return unfinished(bytes);
  if (found.mime === 'image/heif' || found.mime === 'image/heif-sequence') return { kind: 'heif' };
  const name = ALIASES[found.ext] ?? found.ext;
  return READ.has(name) ? { kind: name as ExtractableFileType } : { mediaType: found.mime };
};

/** Of these the library wants to see more than the beginning, which damaged files do not have. */
const unfinished = (bytes: Buffer): FoundKind | null => {
  if (bytes.subarray(0, 3).equals(Buffer.from('ID3'))) return { kind: 'mp3' };
  return bytes.subarray(0, 16).equals(ASF) ? { kind: 'wmv' } : null;
};

const ASF = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex');
