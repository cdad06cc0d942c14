import type { ExtractableFileType } from '../../../application/ports/document-reader.ts';
import { openCompoundFile, type CompoundFile } from '../archive/compound-file.ts';
import { openZip } from '../archive/zip.ts';
import { ExtractionFailure } from '../extraction-failure.ts';

/** A type that is read, or the media type of one that is not. */
export type FoundKind = { readonly kind: ExtractableFileType } | { readonly mediaType: string };

export const isZip = (bytes: Buffer): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5 || bytes[2] === 7);

/** Excel 2, 3 and 4 wrote their records without a file of streams around them ([MS-XLS] 2.4.21 has the later form). */
export const isOldWorkbook = (bytes: Buffer): boolean =>
  bytes[0] === 9 &&
  (bytes[1] === 0 || bytes[1] === 2 || bytes[1] === 4) &&
  (bytes[2] === 4 || bytes[2] === 6) &&
  bytes[3] === 0;

/** Content types of main parts, by how they go on after their vendor. Templates and shows are read like their kind. */
const MAIN_PARTS: readonly (readonly [RegExp, ExtractableFileType])[] = [
  [/wordprocessingml\.(?:document|template)\.main\+xml/i, 'docx'],
  [/ms-word\.(?:document|template)\.macroEnabled(?:Template)?\.main\+xml/i, 'docm'],
  [/presentationml\.(?:presentation|slideshow|template)\.main\+xml/i, 'pptx'],
  [/ms-powerpoint\.(?:presentation|slideshow|template)\.macroEnabled\.main\+xml/i, 'pptm'],
  [/spreadsheetml\.(?:sheet|template)\.main\+xml/i, 'xlsx'],
  [/ms-excel\.(?:sheet|template)\.macroEnabled\.main\+xml/i, 'xlsm'],
];

const MAIN_PATHS: readonly (readonly [string, ExtractableFileType])[] = [
  ['word/document.xml', 'docx'],
  ['ppt/presentation.xml', 'pptx'],
  ['xl/workbook.xml', 'xlsx'],
  ['xl/workbook.bin', 'xlsx'],
];

/** @throws {ExtractionFailure} as `openZip` does */
export const zipKind = (bytes: Buffer): FoundKind => {
  const zip = openZip(bytes);
  const types = zip.read('[Content_Types].xml')?.toString('latin1').replaceAll('\0', '') ?? '';
  const kind =
    MAIN_PARTS.find(([pattern]) => pattern.test(types))?.[1] ??
    MAIN_PATHS.find(([path]) => zip.names.some((name) => name.toLowerCase() === path))?.[1];
  if (kind !== undefined) return { kind };
  const own = zip.read('mimetype')?.subarray(0, 100).toString('latin1').trim() ?? '';
  if (/^[\w.+-]+\/[\w.+-]+$/.test(own)) return { mediaType: own };
  return { mediaType: 'application/zip' };
};

/**
 * Office files from before 2007 are told apart by their streams; newer ones with a password are such a file too.
 *
 * @throws {ExtractionFailure} `encrypted`, and as `openCompoundFile` does
 */
export const compoundKind = (source: Buffer | CompoundFile): FoundKind => {
  const file = openCompoundFile(source);
  if (file.has('EncryptedPackage'))
    throw new ExtractionFailure('encrypted', 'the office file needs a password');
  if (file.has('WordDocument')) return { kind: 'doc' };
  if (file.has('Workbook') || file.has('Book')) return { kind: 'xls' };
  if (file.has('PowerPoint Document') || file.has('PP40')) return { kind: 'ppt' };
  return { mediaType: 'application/x-cfb' };
};
