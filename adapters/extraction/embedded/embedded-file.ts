import { isCompoundFile, openCompoundFile, type CompoundFile } from '../archive/compound-file.ts';

/** A document within another one. */
export interface EmbeddedFile {
  /** As its user sees it; '' where the file gives none. */
  readonly name: string;
  /** A file, or the storage of another one that holds it. */
  readonly content: Buffer | CompoundFile;
}

/** What an object of OLE holds, mails of Outlook too; null for one that only its own program can show. */
export const objectIn = (storage: CompoundFile): EmbeddedFile | null => {
  for (const stream of [
    'WordDocument',
    'Workbook',
    'Book',
    'PowerPoint Document',
    'EncryptedPackage',
    '__properties_version1.0',
  ])
    if (storage.has(stream)) return { name: '', content: storage };
  for (const stream of ['Package', 'CONTENTS', 'EmbeddedOdf']) {
    const content = storage.read(stream);
    if (content !== null && content.length > 0) return { name: '', content };
  }
  const native = storage.read('\u0001Ole10Native');
  return native === null ? null : readPackaged(native);
};

/** A part of a file is the object itself, or a file of streams around it. */
export const embeddedPart = (part: Buffer): EmbeddedFile | null =>
  isCompoundFile(part) ? objectIn(openCompoundFile(part)) : { name: '', content: part };

/**
 * A file of any type that was put into a document: its size, flags, its name, where it was, two numbers, where a copy was,
 * and its bytes ([MS-OLEDS] 2.3.6 says only that they are native data).
 */
const readPackaged = (native: Buffer): EmbeddedFile | null => {
  if (native.length < 8 || native.readUInt16LE(4) !== 2) return null;
  const name = textAt(native, 6);
  const path = textAt(native, name.end);
  if (path.end + 8 > native.length) return null;
  const at = path.end + 8 + native.readUInt32LE(path.end + 4);
  if (at + 4 > native.length) return null;
  const content = native.subarray(at + 4, at + 4 + native.readUInt32LE(at));
  return content.length === 0 ? null : { name: name.text.split(/[/\\]/).at(-1)!, content };
};

const textAt = (bytes: Buffer, at: number): { readonly text: string; readonly end: number } => {
  const end = bytes.indexOf(0, at);
  return end === -1
    ? { text: '', end: bytes.length }
    : { text: bytes.toString('latin1', at, end), end: end + 1 };
};
