import type { FetchedItem } from '../../../application/sources/ingestion/listed/listed-source.ts';
import { ResponseTooLarge, RequestRefused } from '../../http-client/provider-response.ts';
import { type DriveApi, reasonsIn } from './drive-api.ts';
import { type DriveFile, isNative } from './drive-file.ts';
import type { Entry } from './walk.ts';

interface Export {
  readonly type: string;
  readonly extension: string;
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const TEXT: Export = { type: 'text/plain', extension: 'txt' };
/**
 * Google's own types and their export types (the documentation of the Drive API, "Export MIME types"): formats that
 * keep headings, tables, sheets and slides. The second is tried when the first is too large. Other types cannot be
 * read.
 */
const EXPORTS: ReadonlyMap<string, readonly Export[]> = new Map([
  [
    'application/vnd.google-apps.document',
    [{ type: `${OFFICE}.wordprocessingml.document`, extension: 'docx' }, TEXT],
  ],
  ['application/vnd.google-apps.spreadsheet', [{ type: `${OFFICE}.spreadsheetml.sheet`, extension: 'xlsx' }]],
  [
    'application/vnd.google-apps.presentation',
    [{ type: `${OFFICE}.presentationml.presentation`, extension: 'pptx' }, TEXT],
  ],
]);

/** Fetches the content of a file. @throws errors that concern more than this file */
export const fetchContent = async (
  api: DriveApi,
  { file, isBroken }: Entry,
  maxBytes: number,
  signal: AbortSignal,
): Promise<FetchedItem> => {
  if (isBroken === true)
    return skipped(
      file,
      'broken_shortcut',
      `${named(file)} is a shortcut to a file that does not exist or is not shared with this account`,
    );
  if (!file.canDownload)
    return skipped(file, 'download_forbidden', `whoever owns ${named(file)} does not let it be downloaded`);
  if (isNative(file)) return exportedFile(api, file, maxBytes, signal);
  if (file.size === 0) return skipped(file, 'empty', `${named(file)} is empty`);
  if (file.size !== null && file.size > maxBytes) return tooLarge(file, maxBytes);
  const { id, name, mimeType } = file;
  try {
    const body = await api.download(id, maxBytes, signal);
    const type = mimeType === 'application/octet-stream' ? {} : { mediaType: mimeType };
    const document = { body, fileName: name, url: urlOf(file), ...type };
    return { kind: 'document', document, metadata: file.metadata };
  } catch (error) {
    return outcomeOf(error, file, maxBytes);
  }
};

const exportedFile = async (
  api: DriveApi,
  file: DriveFile,
  maxBytes: number,
  signal: AbortSignal,
): Promise<FetchedItem> => {
  const exports = EXPORTS.get(file.mimeType);
  if (exports === undefined)
    return skipped(
      file,
      'unsupported_file_type',
      `${named(file)} cannot be exported as text: its Google file type is ${file.mimeType}`,
    );
  for (const { type, extension } of exports) {
    try {
      const body = await api.exported(file.id, type, maxBytes, signal);
      const fileName = `${file.name}.${extension}`;
      const document = { body, fileName, url: urlOf(file), mediaType: type };
      return { kind: 'document', document, metadata: file.metadata };
    } catch (error) {
      if (!isTooLarge(error)) return outcomeOf(error, file, maxBytes);
    }
  }
  return skipped(file, 'too_large', `${named(file)} is too large in every export format`);
};

const isTooLarge = (error: unknown): boolean =>
  error instanceof ResponseTooLarge ||
  (error instanceof RequestRefused && reasonsIn(error.json).includes('exportSizeLimitExceeded'));

/** The outcome of an error that concerns only this file; rethrows all others. */
const outcomeOf = (error: unknown, file: DriveFile, maxBytes: number): FetchedItem => {
  if (error instanceof ResponseTooLarge) return tooLarge(file, maxBytes);
  if (!(error instanceof RequestRefused)) throw error;
  if (error.status === 404 || error.status === 410) return { kind: 'gone' };
  // Codes of the API, such as cannotDownloadAbusiveFile.
  const reasons = reasonsIn(error.json).filter((reason) => /^\w{1,60}$/.test(reason));
  const why = reasons.length === 0 ? error.message : `${error.message}, ${reasons.join(', ')}`;
  return failed(file, 'refused', why);
};

const tooLarge = (file: DriveFile, maxBytes: number): FetchedItem =>
  skipped(file, 'too_large', `${named(file)} has more than ${maxBytes} bytes`);

const skipped = (file: DriveFile, reason: string, message: string): FetchedItem => ({
  kind: 'skipped',
  reason,
  message,
  ...about(file),
});

/** The file is unavailable now. @param why without the file name */
export const failed = (file: DriveFile, code: string, why: string): FetchedItem => ({
  kind: 'failed',
  code,
  message: `${named(file)}: ${why}`,
  ...about(file),
});

const about = (file: DriveFile) => ({ title: file.name, url: urlOf(file) });

const LONGEST_NAME = 100;
/** Locators are ids, which mean nothing to users. */
const named = ({ name }: Pick<DriveFile, 'name'>): string =>
  JSON.stringify(name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);

const urlOf = ({ id, webUrl }: DriveFile): string =>
  webUrl ?? `https://drive.google.com/open?id=${encodeURIComponent(id)}`;
