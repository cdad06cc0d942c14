import type { ExtractableFileType } from '../../../application/ports/document-reader.ts';

/** The claimed type of a document; each claim is in lower case or null. */
export interface FileClaims {
  /** Without parameters. Null also for generic types such as application/octet-stream. */
  readonly mediaType: string | null;
  /** Extension of the file name or of the URL path, with its dot; '' for a name without an extension. */
  readonly extension: string | null;
}

/** Formats without a value of `file_type` of their own, and the nearest one. */
const NEAREST = {
  eml: 'txt',
  msg: 'txt',
  mbox: 'txt',
  ipynb: 'md',
  rtf: 'doc',
  odt: 'docx',
  ods: 'xlsx',
  odp: 'pptx',
  xlsb: 'xlsx',
  epub: 'html',
  gif: 'png',
} as const satisfies Readonly<Record<string, ExtractableFileType>>;

/** What there is a reader for. */
export type Format = ExtractableFileType | keyof typeof NEAREST;

export const fileTypeOf = (format: Format): ExtractableFileType =>
  (NEAREST as Partial<Record<Format, ExtractableFileType>>)[format] ?? (format as ExtractableFileType);

/** Formats with their extensions and their media types, the usual one first. */
const FORMATS: readonly (readonly [Format, extensions: string, mediaTypes: string])[] = [
  ['html', '.html .htm .xhtml', 'text/html application/xhtml+xml'],
  ['md', '.md .markdown .mdx', 'text/markdown text/x-markdown text/mdx'],
  ['txt', '.txt .text .log .csv .tsv', 'text/plain text/csv application/csv text/tab-separated-values'],
  ['jsonl', '.jsonl .ndjson', 'application/jsonl application/x-jsonlines application/x-ndjson'],
  ['ipynb', '.ipynb', 'application/x-ipynb+json'],
  ['eml', '.eml', 'message/rfc822'],
  ['msg', '.msg', 'application/vnd.ms-outlook'],
  ['mbox', '.mbox', 'application/mbox'],
  ['pdf', '.pdf', 'application/pdf application/x-pdf'],
  ['rtf', '.rtf', 'application/rtf text/rtf application/x-rtf text/richtext'],
  ['doc', '.doc .dot', 'application/msword'],
  ['docx', '.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['docm', '.docm', 'application/vnd.ms-word.document.macroenabled.12'],
  ['odt', '.odt .ott .fodt', openDocument('text text-template text-flat-xml')],
  ['ppt', '.ppt .pot .pps', 'application/vnd.ms-powerpoint'],
  ['pptx', '.pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['pptm', '.pptm', 'application/vnd.ms-powerpoint.presentation.macroenabled.12'],
  ['odp', '.odp .otp .fodp', openDocument('presentation presentation-template presentation-flat-xml')],
  ['xls', '.xls .xlt', 'application/vnd.ms-excel'],
  ['xlsx', '.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['xlsm', '.xlsm', 'application/vnd.ms-excel.sheet.macroenabled.12'],
  ['xlsb', '.xlsb', 'application/vnd.ms-excel.sheet.binary.macroenabled.12'],
  ['ods', '.ods .ots .fods', openDocument('spreadsheet spreadsheet-template spreadsheet-flat-xml')],
  ['epub', '.epub', 'application/epub+zip'],
  ['png', '.png', 'image/png'],
  ['jpg', '.jpg .jpeg', 'image/jpeg'],
  ['webp', '.webp', 'image/webp'],
  ['gif', '.gif', 'image/gif'],
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

function openDocument(names: string): string {
  return names.replaceAll(/\S+/g, 'application/vnd.oasis.opendocument.$&');
}

const byName = (at: 1 | 2): ReadonlyMap<string, Format> =>
  new Map(FORMATS.flatMap((row) => row[at].split(' ').map((name) => [name, row[0]] as const)));
/** By extension in lower case, with its dot. */
export const BY_EXTENSION = byName(1);
/** By media type in lower case, without parameters. */
export const BY_MEDIA_TYPE = byName(2);

/** Media types of texts that are read as plain text or as Markdown, by extension. */
const TEXTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'text/csv': '.csv',
    'text/tab-separated-values': '.tsv',
    'text/mdx': '.mdx',
    'text/x-rst': '.rst',
    'text/asciidoc': '.adoc .asciidoc',
    'text/x-tex': '.tex',
    'text/vtt': '.vtt',
    'application/x-subrip': '.srt',
    'application/json': '.json',
    'application/yaml': '.yaml .yml',
    'application/toml': '.toml',
    'application/xml': '.xml',
    'application/sql': '.sql',
    'text/css': '.css',
    'text/javascript': '.js .mjs .cjs',
    'text/calendar': '.ics',
    'text/vcard': '.vcf',
    'application/xhtml+xml': '.xhtml',
  }).flatMap(([type, extensions]) => extensions.split(' ').map((extension) => [extension, type] as const)),
);
const OF_TEXT = new Set<Format>(['html', 'md', 'txt', 'wiki_page']);

/** The media type of a document: that of its format, and of a text the more exact one that is claimed. */
export const mediaTypeOf = (format: Format, { mediaType, extension }: FileClaims): string => {
  const usual = FORMATS.find(([of]) => of === format)?.[2].split(' ')[0] ?? 'text/markdown';
  if (!OF_TEXT.has(format)) return usual;
  const fits = (claimed: Format | undefined): boolean =>
    claimed === format || (claimed === undefined && format === 'txt');
  if (mediaType !== null && mediaType !== 'text/plain' && fits(BY_MEDIA_TYPE.get(mediaType))) {
    if (/^(?:text|application)\/[\w.+-]+$/.test(mediaType)) return mediaType;
  }
  const named = TEXTS.get(extension ?? '');
  return named !== undefined && fits(BY_EXTENSION.get(extension ?? '')) ? named : usual;
};
