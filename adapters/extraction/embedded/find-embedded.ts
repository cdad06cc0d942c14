import { constants, inflateSync } from 'node:zlib';
import type { ExtractableFileType } from '../../../application/ports/document-reader.ts';
import { isCompoundFile, openCompoundFile, type CompoundFile } from '../archive/compound-file.ts';
import { openZip } from '../archive/zip.ts';
import { openPackage, type OfficePackage } from '../office/package.ts';
import { readStreams } from '../office/ppt/read-ppt.ts';
import { allRecords, RECORD } from '../office/ppt/records.ts';
import { embeddedPart, objectIn, type EmbeddedFile } from './embedded-file.ts';

type Source = Buffer | CompoundFile;

/** Documents within a document of a type, in their order. Those that are broken are left out. */
export const embeddedIn = (kind: ExtractableFileType, source: Source): Iterable<EmbeddedFile> =>
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
    // The extension tells texts and pages apart.
    yield Buffer.isBuffer(found.content) && found.name === '' ? { ...found, name: extension(path) } : found;
  }
};

/** Pieces of other formats that stand for a part of the text of a Word document (ECMA-376-1, 11.3.1). */
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

/** Most programs write less; what unfolds to more is left out. */
const MAX_OBJECT_BYTES = 64 * 1_024 ** 2;
/** The size of the object when unfolded stands before it ([MS-PPT] 2.10.34). */
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
    // PowerPoint leaves out the end of what it packs.
    return inflateSync(packed, { maxOutputLength: MAX_OBJECT_BYTES, finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return null;
  }
};

const FINDERS: Partial<Record<ExtractableFileType, (source: Source) => Iterable<EmbeddedFile>>> = {
  docx: inPackage,
  docm: inPackage,
  pptx: inPackage,
  pptm: inPackage,
  xlsx: inPackage,
  xlsm: inPackage,
  doc: inStorages(/^_\d+$/, 'ObjectPool'),
  xls: inStorages(/^(?:mbd|lnk)[\da-f]{8}$/i, null),
  ppt: inPresentation,
};
