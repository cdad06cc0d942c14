import type { UnsupportedDocument } from '../../../application/ports/document-reader.ts';
import { isCompoundFile, openCompoundFile } from '../archive/compound-file.ts';
import { openZip } from '../archive/zip.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
import { isMsg } from '../mail/read-mail.ts';
import { claimedKind } from './claims.ts';
import { BY_MEDIA_TYPE, type FileClaims, type Format } from './formats.ts';
import { TEXT_FORMATS, hasTextOnly, isText, textFormat } from './text-kind.ts';

type Kind = Format | UnsupportedDocument;

/** Texts and pages also have these extensions, and the original programs open them. */
const LOOSELY_NAMED = new Set<Format>(['doc', 'xls', 'ppt', 'msg']);

/**
 * The type of a document: from its bytes if they are decisive, else the media type, else the extension, else an
 * inspection of the text.
 *
 * @throws {ExtractionFailure} `empty`; `encrypted`; `truncated`; `mislabelled` for a document that claims a binary type
 * and has no supported one
 */
export const fileKind = async (bytes: Buffer, claims: FileClaims): Promise<Kind> => {
  const claimed = claimedKind(claims);
  if (bytes.length === 0) {
    // A server may return an empty page; an empty file is a mistake.
    if (claimed === 'html') return 'html';
    throw new ExtractionFailure('empty', 'the file is empty');
  }
  if (isPdf(bytes)) return 'pdf';
  const binary = claimed !== null && !TEXT_FORMATS.has(claimed) ? claimed : null;
  const found = await binaryKind(bytes, claimed !== null && binary === null);
  if (found !== null && 'kind' in found) return found.kind;
  if (found !== null) {
    const what = found.mediaType ?? 'of no known type';
    if (binary !== null) throw mislabelled(binary, what);
    return unsupported(found.mediaType ?? claims.mediaType, `the bytes are ${what}`);
  }
  const told = textFormat(bytes, binary === null ? claimed : null, claims);
  if (typeof told !== 'string') return unsupported(told.mediaType, `the bytes are ${told.mediaType}`);
  if (binary === null) {
    if (claimed !== null || told !== 'txt' || hasTextOnly(bytes)) return told;
    return unsupported(claims.mediaType, 'the bytes are text and something else');
  }
  if (told === binary || LOOSELY_NAMED.has(binary)) return told;
  throw mislabelled(binary, told === 'html' ? 'a page of HTML' : 'text');
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

const mislabelled = (called: Format, is: string): ExtractionFailure =>
  new ExtractionFailure('mislabelled', `it is called a file of type ${called}, but is ${is}`);

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

/** A page may mention `%PDF-`. */
const isMarkup = (bytes: Uint8Array): boolean => {
  const first = bytes.find((byte) => byte > 0x20 && byte < 0x80);
  return first === 0x3c;
};

/** A supported type, or the media type of an unsupported one. */
type FoundKind = { readonly kind: Format } | { readonly mediaType: string };

export const isZip = (bytes: Buffer): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5 || bytes[2] === 7);

/** Excel 2, 3 and 4 wrote their records without a compound file ([MS-XLS] 2.4.21 describes the later form). */
const isOldWorkbook = (bytes: Buffer): boolean =>
  bytes[0] === 9 &&
  (bytes[1] === 0 || bytes[1] === 2 || bytes[1] === 4) &&
  (bytes[2] === 4 || bytes[2] === 6) &&
  bytes[3] === 0;

/**
 * Content types of main parts, by the text after the vendor. Templates and shows are read like documents and
 * presentations.
 */
const MAIN_PARTS: readonly (readonly [RegExp, Format])[] = [
  [/wordprocessingml\.(?:document|template)\.main\+xml/i, 'docx'],
  [/ms-word\.(?:document|template)\.macroEnabled(?:Template)?\.main\+xml/i, 'docm'],
  [/presentationml\.(?:presentation|slideshow|template)\.main\+xml/i, 'pptx'],
  [/ms-powerpoint\.(?:presentation|slideshow|template)\.macroEnabled\.main\+xml/i, 'pptm'],
  [/spreadsheetml\.(?:sheet|template)\.main\+xml/i, 'xlsx'],
  [/ms-excel\.(?:sheet|template)\.macroEnabled\.main\+xml/i, 'xlsm'],
];

const MAIN_PATHS: readonly (readonly [string, Format])[] = [
  ['word/document.xml', 'docx'],
  ['ppt/presentation.xml', 'pptx'],
  ['xl/workbook.xml', 'xlsx'],
  ['xl/workbook.bin', 'xlsb'],
  ['meta-inf/container.xml', 'epub'],
];

/** @throws {ExtractionFailure} as `openZip` does */
export const zipKind = (bytes: Buffer): FoundKind => {
  const zip = openZip(bytes);
  const types = zip.read('[Content_Types].xml')?.toString('latin1').replaceAll('\0', '') ?? '';
  const kind =
    MAIN_PARTS.find(([pattern]) => pattern.test(types))?.[1] ??
    MAIN_PATHS.find(([path]) => zip.names.some((name) => name.toLowerCase() === path))?.[1];
  if (kind !== undefined) return { kind };
  const own = (zip.read('mimetype') ?? manifestType(zip))?.subarray(0, 100).toString('latin1').trim() ?? '';
  const format = BY_MEDIA_TYPE.get(own);
  if (format !== undefined) return { kind: format };
  if (/^[\w.+-]+\/[\w.+-]+$/.test(own)) return { mediaType: own };
  return { mediaType: 'application/zip' };
};

/** The type of an OpenDocument file that lacks its entry `mimetype`. */
const manifestType = (zip: ReturnType<typeof openZip>): Buffer | null => {
  const manifest = zip.read('META-INF/manifest.xml')?.toString('utf8') ?? '';
  const root = /<[^>]*full-path="\/"[^>]*>/.exec(manifest)?.[0] ?? '';
  const type = /media-type="([^"]*)"/.exec(root)?.[1];
  return type === undefined ? null : Buffer.from(type);
};

/**
 * The streams distinguish office files from before 2007; newer ones with a password are also compound files.
 *
 * @throws {ExtractionFailure} `encrypted`, and as `openCompoundFile` does
 */
const compoundKind = (bytes: Buffer): FoundKind => {
  const file = openCompoundFile(bytes);
  if (file.has('EncryptedPackage'))
    throw new ExtractionFailure('encrypted', 'the office file needs a password');
  if (file.has('WordDocument')) return { kind: 'doc' };
  if (file.has('Workbook') || file.has('Book')) return { kind: 'xls' };
  if (file.has('PowerPoint Document') || file.has('PP40')) return { kind: 'ppt' };
  return isMsg(file) ? { kind: 'msg' } : { mediaType: 'application/x-cfb' };
};

/** Extensions of `file-type` that differ from ours. */
const ALIASES: Readonly<Record<string, Format>> = {
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
  apng: 'png',
  // The API has no type for it; like PNG, it has few colours and no losses.
};

const READ: ReadonlySet<string> = new Set(
  'png jpg webp gif heic heif wav mp3 aiff aac m4a ogg flac mp4 mpg mov avi flv webm wmv 3gp'.split(' '),
);

/** Images, sound and video by their first bytes; other recognised types by media type; null for unknown ones. */
const mediaKind = async (bytes: Buffer): Promise<FoundKind | null> => {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(bytes);
  if (found === undefined) return unfinished(bytes);
  if (found.mime === 'image/heif' || found.mime === 'image/heif-sequence') return { kind: 'heif' };
  const name = ALIASES[found.ext] ?? found.ext;
  return READ.has(name) ? { kind: name as Format } : { mediaType: found.mime };
};

/** For these types the library needs more than the beginning, which damaged files do not have. */
const unfinished = (bytes: Buffer): FoundKind | null => {
  if (bytes.subarray(0, 3).equals(Buffer.from('ID3'))) return { kind: 'mp3' };
  return bytes.subarray(0, 16).equals(ASF) ? { kind: 'wmv' } : null;
};

const ASF = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex');
