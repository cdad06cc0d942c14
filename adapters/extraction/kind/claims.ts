import type { ExtractableFileType } from '../../../application/ports/document-reader.ts';

/** What a document is said to be, each claim in lower case or null. */
export interface FileClaims {
  /** Without parameters. Null also for types that say nothing, such as application/octet-stream. */
  readonly mediaType: string | null;
  /** Of the file name or of the path of the address, with its dot; '' where there is a name without one. */
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

/** The media type counts, then the extension. Servers send Markdown and lines of JSON as plain text: the extension says more. */
export const claimedKind = ({ mediaType, extension }: FileClaims): ExtractableFileType | null => {
  const byExtension = extension === null ? null : (BY_EXTENSION.get(extension) ?? null);
  const byMediaType = mediaType === null ? null : (BY_MEDIA_TYPE.get(mediaType) ?? null);
  if (mediaType === null) return byExtension;
  return byMediaType === 'txt' && byExtension !== null && REFINES_TEXT.has(byExtension)
    ? byExtension
    : byMediaType;
};

const REFINES_TEXT = new Set<ExtractableFileType>(['md', 'jsonl']);

/** Values with commas, semicolons or tabs between them. The interface has no type of their own for them: `txt`. */
export const claimsSeparatedValues = ({ mediaType, extension }: FileClaims): boolean =>
  SEPARATED.has(mediaType ?? '') || extension === '.csv' || extension === '.tsv';

const SEPARATED = new Set(['text/csv', 'text/tab-separated-values', 'application/csv']);

const OPEN_XML = 'application/vnd.openxmlformats-officedocument.';

const BY_MEDIA_TYPE: ReadonlyMap<string, ExtractableFileType> = new Map(
  Object.entries({
    'text/html': 'html',
    'application/xhtml+xml': 'html',
    'text/markdown': 'md',
    'text/x-markdown': 'md',
    'text/plain': 'txt',
    'text/csv': 'txt',
    'application/csv': 'txt',
    'text/tab-separated-values': 'txt',
    'application/jsonl': 'jsonl',
    'application/x-jsonlines': 'jsonl',
    'application/x-ndjson': 'jsonl',
    'application/pdf': 'pdf',
    'application/x-pdf': 'pdf',
    'application/msword': 'doc',
    'application/vnd.ms-excel': 'xls',
    'application/vnd.ms-powerpoint': 'ppt',
    [`${OPEN_XML}wordprocessingml.document`]: 'docx',
    [`${OPEN_XML}spreadsheetml.sheet`]: 'xlsx',
    [`${OPEN_XML}presentationml.presentation`]: 'pptx',
    'application/vnd.ms-word.document.macroenabled.12': 'docm',
    'application/vnd.ms-excel.sheet.macroenabled.12': 'xlsm',
    'application/vnd.ms-powerpoint.presentation.macroenabled.12': 'pptm',
    'image/png': 'png',
    'image/jpeg': 'jpg',
    'image/webp': 'webp',
    'image/heic': 'heic',
    'image/heif': 'heif',
    'audio/wav': 'wav',
    'audio/x-wav': 'wav',
    'audio/mpeg': 'mp3',
    'audio/aiff': 'aiff',
    'audio/aac': 'aac',
    'audio/mp4': 'm4a',
    'audio/ogg': 'ogg',
    'audio/flac': 'flac',
    'video/mp4': 'mp4',
    'video/mpeg': 'mpg',
    'video/quicktime': 'mov',
    'video/x-msvideo': 'avi',
    'video/x-flv': 'flv',
    'video/webm': 'webm',
    'video/x-ms-wmv': 'wmv',
    'video/3gpp': '3gp',
  } as const),
);

const NAMED_AS_THEY_ARE: readonly ExtractableFileType[] = [
  ...([
    'html',
    'pdf',
    'ppt',
    'pptx',
    'pptm',
    'doc',
    'docx',
    'docm',
    'xls',
    'xlsx',
    'xlsm',
    'md',
    'txt',
  ] as const),
  ...([
    'jsonl',
    'png',
    'jpg',
    'webp',
    'heic',
    'heif',
    'wav',
    'mp3',
    'aiff',
    'aac',
    'm4a',
    'ogg',
    'flac',
  ] as const),
  ...(['mp4', 'mpg', 'mov', 'avi', 'flv', 'webm', 'wmv', '3gp'] as const),
];

const BY_EXTENSION: ReadonlyMap<string, ExtractableFileType> = new Map<string, ExtractableFileType>([
  ...NAMED_AS_THEY_ARE.map((name) => [`.${name}`, name] as const),
  ...Object.entries({
    '.htm': 'html',
    '.xhtml': 'html',
    '.markdown': 'md',
    '.text': 'txt',
    '.log': 'txt',
    '.csv': 'txt',
    '.tsv': 'txt',
    '.ndjson': 'jsonl',
    '.jpeg': 'jpg',
    '.aif': 'aiff',
    '.oga': 'ogg',
    '.mpeg': 'mpg',
    '.dot': 'doc',
    '.xlt': 'xls',
    '.pot': 'ppt',
    '.pps': 'ppt',
  } as const),
]);

/** What a document may be called: the name of its file, or the last part of its address. */
export const nameIn = (request: { readonly fileName?: string; readonly url?: string }): string => {
  const name = request.fileName ?? lastPart(URL.parse(request.url ?? '')?.pathname ?? '') ?? '';
  return name.split(/[/\\]/).at(-1) ?? '';
};

/** The title that stands for a document without one: the name of its file or of the last part of its address. */
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
