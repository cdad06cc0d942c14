import type { ExtractableFileType } from '../../../application/ports/document-reader.ts';

/** The claimed type of a document; each claim is in lower case or null. */
export interface FileClaims {
  /** Without parameters. Null also for generic types such as application/octet-stream. */
  readonly mediaType: string | null;
  /** Extension of the file name or of the URL path, with its dot; '' for a name without an extension. */
  readonly extension: string | null;
}

const SAYS_NOTHING = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'application/unknown']);

export const readClaims = (request: {
  readonly mediaType?: string;
  readonly fileName?: string;
  readonly url?: string;
}): FileClaims => {
  const mediaType = (request.mediaType ?? '').split(';')[0]!.trim().toLowerCase();
  const path = request.fileName ?? (request.url === undefined ? null : URL.parse(request.url)?.pathname);
  const name = path?.split('/').at(-1);
  return {
    mediaType: SAYS_NOTHING.has(mediaType) ? null : mediaType,
    extension: name === undefined || name === '' ? null : (/\.[^.\s]+$/.exec(name)?.[0] ?? '').toLowerCase(),
  };
};

/**
 * The media type counts, then the extension. Servers send Markdown and JSON Lines as plain text: then the extension is
 * more specific.
 */
export const claimedKind = ({ mediaType, extension }: FileClaims): ExtractableFileType | null => {
  const byExtension = extension === null ? null : (BY_EXTENSION.get(extension) ?? null);
  const byMediaType = mediaType === null ? null : (BY_MEDIA_TYPE.get(mediaType) ?? null);
  if (mediaType === null) return byExtension;
  return byMediaType === 'txt' && byExtension !== null && REFINES_TEXT.has(byExtension)
    ? byExtension
    : byMediaType;
};

const REFINES_TEXT = new Set<ExtractableFileType>(['md', 'jsonl']);

/** Values separated by commas, semicolons or tabs. The API has no type for them, so they are `txt`. */
export const claimsSeparatedValues = ({ mediaType, extension }: FileClaims): boolean =>
  SEPARATED.has(mediaType ?? '') || extension === '.csv' || extension === '.tsv';

const SEPARATED = new Set(['text/csv', 'text/tab-separated-values', 'application/csv']);

/** Types with their extensions and their media types. */
const TYPES: readonly (readonly [ExtractableFileType, extensions: string, mediaTypes: string])[] = [
  ['html', '.html .htm .xhtml', 'text/html application/xhtml+xml'],
  ['md', '.md .markdown', 'text/markdown text/x-markdown'],
  ['txt', '.txt .text .log .csv .tsv', 'text/plain text/csv application/csv text/tab-separated-values'],
  ['jsonl', '.jsonl .ndjson', 'application/jsonl application/x-jsonlines application/x-ndjson'],
  ['pdf', '.pdf', 'application/pdf application/x-pdf'],
  ['doc', '.doc .dot', 'application/msword'],
  ['docx', '.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['docm', '.docm', 'application/vnd.ms-word.document.macroenabled.12'],
  ['ppt', '.ppt .pot .pps', 'application/vnd.ms-powerpoint'],
  ['pptx', '.pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['pptm', '.pptm', 'application/vnd.ms-powerpoint.presentation.macroenabled.12'],
  ['xls', '.xls .xlt', 'application/vnd.ms-excel'],
  ['xlsx', '.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['xlsm', '.xlsm', 'application/vnd.ms-excel.sheet.macroenabled.12'],
  ['png', '.png', 'image/png'],
  ['jpg', '.jpg .jpeg', 'image/jpeg'],
  ['webp', '.webp', 'image/webp'],
  ['heic', '.heic', 'image/heic'],
  ['heif', '.heif', 'image/heif'],
  ['wav', '.wav', 'audio/wav audio/x-wav'],
  ['mp3', '.mp3', 'audio/mpeg'],
  ['aiff', '.aiff .aif', 'audio/aiff'],
  ['aac', '.aac', 'audio/aac'],
  ['m4a', '.m4a', 'audio/mp4'],
  ['ogg', '.ogg .oga', 'audio/ogg'],
  ['flac', '.flac', 'audio/flac'],
  ['mp4', '.mp4', 'video/mp4'],
  ['mpg', '.mpg .mpeg', 'video/mpeg'],
  ['mov', '.mov', 'video/quicktime'],
  ['avi', '.avi', 'video/x-msvideo'],
  ['flv', '.flv', 'video/x-flv'],
  ['webm', '.webm', 'video/webm'],
  ['wmv', '.wmv', 'video/x-ms-wmv'],
  ['3gp', '.3gp', 'video/3gpp'],
];

const byName = (at: 1 | 2): ReadonlyMap<string, ExtractableFileType> =>
  new Map(TYPES.flatMap((row) => row[at].split(' ').map((name) => [name, row[0]] as const)));
const BY_EXTENSION = byName(1);
const BY_MEDIA_TYPE = byName(2);

/** The name of a document: its file name, or the last segment of its URL. */
export const nameIn = (request: { readonly fileName?: string; readonly url?: string }): string => {
  const name = request.fileName ?? lastPart(URL.parse(request.url ?? '')?.pathname ?? '') ?? '';
  return name.split(/[/\\]/).at(-1) ?? '';
};

/** The fallback title of a document: its file name or the last segment of its URL. */
export const titleFromName = (request: { readonly fileName?: string; readonly url?: string }): string => {
  const url = request.url === undefined ? null : URL.parse(request.url);
  const stem = (nameIn(request) || (url?.hostname ?? '')).replace(/\.[A-Za-z0-9]{1,8}$/, '').trim();
  return stem === '' ? (url?.hostname ?? 'Untitled') : stem;
};

const lastPart = (path: string): string | null => {
  const part = path.split('/').findLast((segment) => segment !== '');
  if (part === undefined) return null;
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a stray percent sign
  }
};
