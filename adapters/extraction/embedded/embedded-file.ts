import { type CompoundFile, isCompoundFile, openCompoundFile } from '../archive/compound-file.ts';
import { openZip } from '../archive/zip.ts';
import type { Format } from '../kind/formats.ts';
import { type OfficePackage, openPackage } from '../office/package.ts';
import { readStreams } from '../office/ppt/read-ppt.ts';
import { RECORD, allRecords } from '../office/ppt/slides.ts';
import { constants, inflateSync } from 'node:zlib';

/** An embedded document. */
export interface EmbeddedFile {
  /** Its name for users; '' when the file has none. */
  readonly name: string;
  /** A file, or a storage of the compound file that contains it. */
  readonly content: Buffer | CompoundFile;
}

/** The content of an OLE object, including Outlook mails; null for one that only its own program can show. */
const objectIn = (storage: CompoundFile): EmbeddedFile | null => {
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

/** A part of a file is the object itself, or a compound file around it. */
const embeddedPart = (part: Buffer): EmbeddedFile | null =>
  isCompoundFile(part) ? objectIn(openCompoundFile(part)) : { name: '', content: part };

/**
 * A packaged file of any type: its size, flags, its name, its original path, two numbers, the path of a copy, and its
 * bytes ([MS-OLEDS] 2.3.6 only says that they are native data).
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

type Source = Buffer | CompoundFile;

/** The embedded documents of a document, in order. Skips broken ones. */
export const embeddedIn = (kind: Format, source: Source): Iterable<EmbeddedFile> =>
  FINDERS[kind]?.(source) ?? [];

/** Objects (ECMA-376-1, 15.2.10 and 15.2.11). */
const PARTS = /(?:^|\/)embeddings\/[^/]+$/i;

const inPackage = function* (source: Source): Generator<EmbeddedFile> {
  if (!Buffer.isBuffer(source)) return;
  const parts = openZip(source).names.filter((path) => PARTS.test(path));
  const file = openPackage(source);
  for (const path of [...chunksIn(file), ...parts]) {
    const part = file.bytes(path);
    const found = part === null ? null : embeddedPart(part);
    if (found === null) continue;
    // The extension distinguishes texts from pages.
    yield Buffer.isBuffer(found.content) && found.name === '' ? { ...found, name: extension(path) } : found;
  }
};

/** Pieces of other formats that replace a part of the text of a Word document (ECMA-376-1, 11.3.1). */
const chunksIn = (file: OfficePackage): readonly string[] => {
  const main = file.relationships('').find(({ type }) => type === 'officeDocument')?.target;
  const related = main === undefined ? [] : file.relationships(main);
  return related.flatMap(({ type, target, external }) => (type === 'aFChunk' && !external ? target : []));
};

const extension = (path: string): string => /\.(?:html?|xhtml|txt|md|eml)$/i.exec(path)?.[0] ?? '';

const inStorages = (pattern: RegExp, folder: string | null) =>
  function* (source: Source): Generator<EmbeddedFile> {
    if (Buffer.isBuffer(source) && !isCompoundFile(source)) return;
    const file = openCompoundFile(source);
    const holder = folder === null ? file : file.within(folder);
    for (const storage of holder.storages) {
      const found = pattern.test(storage) ? objectIn(holder.within(storage)) : null;
      if (found !== null) yield found;
    }
  };

/** Most programs write smaller objects; larger ones are skipped. */
const MAX_OBJECT_BYTES = 64 * 1_024 ** 2;
/** The decompressed size precedes the object ([MS-PPT] 2.10.34). */
const COMPRESSED = 1;

const inPresentation = function* (source: Source): Generator<EmbeddedFile> {
  const { stream } = readStreams(openCompoundFile(source));
  for (const { type, instance, body } of allRecords(stream)) {
    if (type !== RECORD.object) continue;
    const object = instance === COMPRESSED ? unfolded(body.subarray(4)) : body;
    const found = object === null || !isCompoundFile(object) ? null : embeddedPart(object);
    if (found !== null) yield found;
  }
};

const unfolded = (packed: Buffer): Buffer | null => {
  try {
    // PowerPoint omits the end of the compressed data.
    return inflateSync(packed, { maxOutputLength: MAX_OBJECT_BYTES, finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return null;
  }
};

const FINDERS: Partial<Record<Format, (source: Source) => Iterable<EmbeddedFile>>> = {
  docx: inPackage,
  docm: inPackage,
  pptx: inPackage,
  pptm: inPackage,
  xlsx: inPackage,
  xlsm: inPackage,
  xlsb: inPackage,
  doc: inStorages(/^_\d+$/, 'ObjectPool'),
  xls: inStorages(/^(?:mbd|lnk)[\da-f]{8}$/i, null),
  ppt: inPresentation,
};

/** Files that operating systems add to archives. */
const OF_SYSTEMS = /(?:^|\/)(?:__MACOSX\/|\.|desktop\.ini$|thumbs\.db$)/i;

/**
 * Files of a ZIP archive in order, named by the last segment of their paths. Skips those that cannot be decompressed.
 */
export const archivedFiles = function* (bytes: Buffer): Generator<EmbeddedFile> {
  const zip = openZip(bytes);
  for (const path of zip.names) {
    if (path.endsWith('/') || OF_SYSTEMS.test(path)) continue;
    const content = readable(() => zip.read(path));
    if (content !== null && content.length > 0)
      yield { name: path.slice(path.lastIndexOf('/') + 1), content };
  }
};

const readable = (read: () => Buffer | null): Buffer | null => {
  try {
    return read();
  } catch {
    return null;
  }
};
