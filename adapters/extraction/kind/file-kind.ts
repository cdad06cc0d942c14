import type { ExtractableFileType, UnsupportedDocument } from '../../../application/ports/document-reader.ts';
import { languageOf } from '../code/languages.ts';
import { isCompoundFile } from '../archive/compound-file.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
import { isRichText } from '../office/rtf/read-rtf.ts';
import { claimedKind, type FileClaims } from './claims.ts';
import { mediaKind } from './media-kind.ts';
import { compoundKind, isOldWorkbook, isZip, zipKind, type FoundKind } from './office-kind.ts';
import { isMarkupPage, isText } from './text-bytes.ts';

type Kind = ExtractableFileType | UnsupportedDocument;

const TEXT_KINDS = new Set<ExtractableFileType>(['html', 'md', 'txt', 'jsonl', 'wiki_page']);
/** Under these names lie texts and pages as well: the programs that open them take those too. */
const LOOSELY_NAMED = new Set<ExtractableFileType>(['doc', 'xls', 'ppt']);

/**
 * The type of a document: its bytes decide where they can, then the media type, then the extension, then a look at
 * the text.
 *
 * @throws {ExtractionFailure} `empty`; `encrypted`; `truncated`; `mislabelled` for what is called a type of binary files
 * and is of none that is read
 */
export const fileKind = async (bytes: Buffer, claims: FileClaims): Promise<Kind> => {
  const claimed = claimedKind(claims);
  if (bytes.length === 0) {
    // A server may answer with a page of nothing; a file of nothing is a mistake.
    if (claimed === 'html') return 'html';
    throw new ExtractionFailure('empty', 'the file is empty');
  }
  if (isPdf(bytes)) return 'pdf';
  const binary = claimed !== null && !TEXT_KINDS.has(claimed) ? claimed : null;
  const found = await binaryKind(bytes, claimed !== null && binary === null);
  if (found !== null && 'kind' in found) return found.kind;
  if (found !== null) {
    const what = found.mediaType ?? 'of no known type';
    if (binary !== null) throw mislabelled(binary, what);
    return unsupported(found.mediaType ?? claims.mediaType, `the bytes are ${what}`);
  }
  if (binary === null) return claimed ?? textKind(bytes, claims);
  if (LOOSELY_NAMED.has(binary)) return isMarkupPage(bytes) ? 'html' : looseText(bytes, binary);
  throw mislabelled(binary, isMarkupPage(bytes) ? 'a page of HTML' : 'text');
};

/** Null for text. */
const binaryKind = async (
  bytes: Buffer,
  saidToBeText: boolean,
): Promise<FoundKind | { readonly mediaType: null } | null> => {
  if (isZip(bytes)) return zipKind(bytes);
  if (isCompoundFile(bytes)) return compoundKind(bytes);
  if (isOldWorkbook(bytes)) return { kind: 'xls' };
  if (isText(bytes, saidToBeText)) return null;
  return (await mediaKind(bytes)) ?? { mediaType: null };
};

const mislabelled = (called: ExtractableFileType, is: string): ExtractionFailure =>
  new ExtractionFailure('mislabelled', `it is called a file of type ${called}, but is ${is}`);

/** Rich text stands under the names of Word documents, and is read as one. */
const looseText = (bytes: Buffer, claimed: ExtractableFileType): ExtractableFileType => {
  if (!isRichText(bytes)) return 'txt';
  if (claimed === 'doc') return 'doc';
  throw mislabelled(claimed, 'rich text (application/rtf)');
};

const textKind = (bytes: Buffer, { mediaType, extension }: FileClaims): Kind => {
  if (mediaType !== null) return unsupported(mediaType, `the media type is ${mediaType}`);
  const start = bytes.toString('latin1', 0, 1_024);
  if (/^[^<]{0,64}<(?:!doctype\s+html|html|head|body)[\s>]/i.test(start)) return 'html';
  if (extension === null || extension === '') return 'txt';
  if (languageOf(extension) !== null) return 'txt';
  return unsupported(null, `the extension is ${extension}`);
};

const unsupported = (mediaType: string | null, message: string): UnsupportedDocument => ({
  kind: 'unsupported',
  mediaType,
  message,
});

/** Readers accept up to 1,024 bytes before the header (ISO 32000-1, annex H, implementation note 13). */
const isPdf = (bytes: Buffer): boolean =>
  bytes.subarray(0, 1_024).includes('%PDF-', 0, 'latin1') &&
  !isMarkup(bytes) &&
  !isZip(bytes) &&
  !isCompoundFile(bytes);

/** A page may speak of `%PDF-`. */
const isMarkup = (bytes: Uint8Array): boolean => {
  const first = bytes.find((byte) => byte > 0x20 && byte < 0x80);
  return first === 0x3c;
};
