import { BY_EXTENSION, BY_MEDIA_TYPE, type FileClaims, type Format } from './formats.ts';

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
 * The media type counts, then the extension. Servers send Markdown, JSON Lines and mails as plain text: then the
 * extension is more specific.
 */
export const claimedKind = ({ mediaType, extension }: FileClaims): Format | null => {
  const byExtension = extension === null ? null : (BY_EXTENSION.get(extension) ?? null);
  const byMediaType = mediaType === null ? null : (BY_MEDIA_TYPE.get(mediaType) ?? null);
  return byMediaType === 'txt' && byExtension !== null && REFINES_TEXT.has(byExtension)
    ? byExtension
    : (byMediaType ?? byExtension);
};

const REFINES_TEXT = new Set<Format>(['md', 'jsonl', 'ipynb', 'eml', 'mbox', 'rtf']);

/** Values separated by commas, semicolons or tabs. The API has no type for them, so they are `txt`. */
export const claimsSeparatedValues = ({ mediaType, extension }: FileClaims): boolean =>
  SEPARATED.has(mediaType ?? '') || extension === '.csv' || extension === '.tsv';

const SEPARATED = new Set(['text/csv', 'text/tab-separated-values', 'application/csv']);

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
