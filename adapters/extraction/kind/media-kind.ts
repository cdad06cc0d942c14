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
  if (found === undefined) return null;
  if (found.mime === 'image/heif' || found.mime === 'image/heif-sequence') return { kind: 'heif' };
  const name = ALIASES[found.ext] ?? found.ext;
  return READ.has(name) ? { kind: name as ExtractableFileType } : { mediaType: found.mime };
};
