import type { FetchedItem } from '../../../application/sources/ingestion/listed/listed-source.ts';
import { isLfsPointer, looksLikeText } from './git-object.ts';
import type { TreeEntry } from './tree.ts';

/** Extensions by which readers know a document: for all others, text is plain text. */
const DOCUMENTS: ReadonlySet<string> = new Set(
  (
    'html htm xhtml md markdown pdf doc docx docm ppt pptx pptm xls xlsx xlsm jsonl csv tsv png jpg jpeg webp heic heif ' +
    'wav mp3 aiff aac m4a ogg flac mp4 mpg mpeg mov avi flv webm wmv 3gp'
  ).split(' '),
);

/** What is left out without a look at its bytes; null: they are wanted. */
export const leftOut = (entry: TreeEntry, maxBytes: number): FetchedItem | null => {
  if (entry.kind === 'symlink') return skipped('symlink', 'it is a symbolic link, which is not followed');
  if (entry.kind === 'submodule')
    return skipped(
      'submodule',
      'it is a submodule: another repository, which can be a data source of its own',
    );
  if (entry.bytes !== null && entry.bytes > maxBytes) return tooLarge(maxBytes);
  return null;
};

export const tooLarge = (maxBytes: number): FetchedItem =>
  skipped('too_large', `the file has more than ${maxBytes} bytes`);

/** A file of source code is plain text: its extension says nothing to readers of documents. */
export const fetchedFile = (path: string, body: Uint8Array, url: string): FetchedItem => {
  if (isLfsPointer(body)) return skipped('lfs_pointer', 'the file lies in Git LFS, which is not read');
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const isPlain = !DOCUMENTS.has(extension) && looksLikeText(body);
  return {
    kind: 'document',
    document: {
      body,
      fileName: nameIn(path),
      url,
      ...(isPlain && { mediaType: 'text/plain' }),
    },
  };
};

export const nameIn = (path: string): string => path.split('/').at(-1) ?? path;

const skipped = (reason: string, message: string): FetchedItem => ({ kind: 'skipped', reason, message });
