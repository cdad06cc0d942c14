import {
  type FetchedItem,
  SourceUnavailable,
  SourceRefused,
} from '../../../application/sources/ingestion/listed/listed-source.ts';
import { ResponseTooLarge, RequestRefused, bytesOf } from '../../http-client/provider-response.ts';
import type { ProviderClient } from '../../http-client/client.ts';
import { fileInBlock, filesOf, type HostedFile } from './hosted-file.ts';
import { pageUrl } from './markdown.ts';
import type { WikiApi } from './wiki-api.ts';

interface FileReader {
  readonly api: WikiApi;
  /** Requests without the wiki's secret: files are stored elsewhere. */
  readonly storage: ProviderClient;
  readonly maxBytes: number;
}

/** Locator of a file: the page id and the key of the file. */
export const fileLocator = (pageId: string, key: string): string => `${pageId}/${key}`;
export const fileOfLocator = (locator: string): { readonly pageId: string; readonly key: string } | null => {
  const [pageId, key, ...more] = locator.split('/');
  return pageId === undefined || key === undefined || more.length > 0 ? null : { pageId, key };
};

/**
 * Fetches the bytes of a file. Its URL is valid for an hour; when it has expired, a new one is requested once.
 *
 * @param held the file as it was seen a moment ago
 */
export const fetchFile = async (
  reader: FileReader,
  { pageId, key }: { readonly pageId: string; readonly key: string },
  held: HostedFile | undefined,
  signal: AbortSignal,
): Promise<FetchedItem> => {
  const first = held ?? (await findFile(reader.api, pageId, key, signal));
  if (first === null) return { kind: 'gone' };
  const outcome = await download(reader, pageId, first, signal);
  if (held === undefined || outcome.kind !== 'failed' || outcome.code !== REFUSED) return outcome;
  const newest = await findFile(reader.api, pageId, key, signal);
  return newest === null ? { kind: 'gone' } : download(reader, pageId, newest, signal);
};

const REFUSED = 'refused';

const findFile = async (
  api: WikiApi,
  pageId: string,
  key: string,
  signal: AbortSignal,
): Promise<HostedFile | null> => {
  try {
    if (!key.includes('.')) return fileInBlock(await api.block(key, signal));
    const page = await api.page(pageId, signal);
    return filesOf(page, []).find((file) => file.key === key) ?? null;
  } catch (error) {
    if (error instanceof RequestRefused) return null;
    throw error;
  }
};

const download = (
  { storage, maxBytes }: FileReader,
  pageId: string,
  { key, name, url }: HostedFile,
  signal: AbortSignal,
): Promise<FetchedItem> => {
  const place = `${pageUrl(pageId)}${key.includes('.') ? '' : `#${key.replaceAll('-', '')}`}`;
  return storage
    .ask<FetchedItem>(
      { url: new URL(url), maxBytes },
      async (answer) => {
        const mediaType = answer.header('content-type')?.split(';')[0]?.trim();
        const about = { fileName: name, url: place, ...(mediaType !== undefined && { mediaType }) };
        return { kind: 'document', document: { body: await bytesOf(answer), ...about } };
      },
      signal,
    )
    .catch((error: unknown) => outcomeOf(error, maxBytes, { title: name, url: place }));
};

interface About {
  readonly title: string;
  readonly url: string;
}

/**
 * The outcome of an error. Errors concern only this file, because it is stored outside of the wiki; only a request to
 * retry later is rethrown.
 */
const outcomeOf = (error: unknown, maxBytes: number, about: About): FetchedItem => {
  if (error instanceof ResponseTooLarge)
    return {
      kind: 'skipped',
      reason: 'too_large',
      message: `the file has more than ${maxBytes} bytes`,
      ...about,
    };
  if (error instanceof SourceUnavailable && error.notBefore === undefined)
    return failed('not_answered', error.message, about);
  // The request had no credentials, so none can be wrong.
  if (error instanceof SourceRefused && error.code === 'credentials_rejected')
    return failed(REFUSED, 'the storage of the wiki answers 401', about);
  if (error instanceof SourceRefused) return failed(error.code, error.message, about);
  if (error instanceof RequestRefused) return failed(REFUSED, error.message, about);
  throw error;
};

const failed = (code: string, message: string, about: About): FetchedItem => ({
  kind: 'failed',
  code,
  message,
  ...about,
});
