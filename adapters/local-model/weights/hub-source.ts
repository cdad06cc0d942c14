import type { Dispatcher } from 'undici';
import {
  ConnectionBroken,
  InvalidResponse,
  jsonOf,
  responseOf,
} from '../../http-client/provider-response.ts';
import { connectionFault, isTransientStatus } from '../../http-client/retry.ts';
import { type Digest, type OfferedFile, SourceFailed, type WeightsSource } from './source.ts';

export interface HubOptions {
  readonly dispatcher: Dispatcher;
  /** Base URL of the hub, or of a compatible mirror. */
  readonly url: string;
  readonly name: string;
  /** A branch, tag or commit. */
  readonly revision: string;
}

const MAX_REDIRECTS = 5;
const MAX_LIST_BYTES = 16 * 1024 * 1024;
type Fields = Readonly<Record<string, unknown>>;

/**
 * A model hub with Hugging Face's API: `/api/models/{name}/revision/{revision}?blobs=true` lists the files with their
 * hashes, `/{name}/resolve/{commit}/{path}` returns one, usually by a redirect to storage. Sends no credentials: models
 * that require an agreement must be fetched into a folder by hand.
 */
export const createHubSource = ({ dispatcher, url, name, revision }: HubOptions): WeightsSource => {
  const base = url.replace(/\/+$/, '');
  let commit = revision;
  const get = async (path: string, { what, from, maxBytes }: Wanted, signal: AbortSignal) => {
    let address = new URL(`${base}${path}`);
    let digest: Digest | null = null;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const received = await request(dispatcher, address, from, signal);
      const { status, header, body } = responseOf(received, address, maxBytes);
      // Etag of the redirect target; other etags may be anything.
      digest ??= digestIn(header('x-linked-etag'));
      const goesOn = status === 206 && header('content-range')?.startsWith(`bytes ${from}-`) === true;
      if (status === 200 || goesOn) return { from: goesOn ? from : 0, digest, body: told(body, address) };
      await received.body.dump();
      if (status < 300 || status >= 400) throw refusal(status, address, what);
      const next = new URL(header('location') ?? '', address);
      if (next.protocol !== 'https:' && next.protocol !== address.protocol)
        throw new SourceFailed(`${address.host} leads to an address without encryption`, { passing: false });
      address = next;
    }
    throw new SourceFailed(`${address.host} leads on without an end`, { passing: false });
  };

  return {
    offer: async (signal) => {
      const path = `/api/models/${name}/revision/${encodeURIComponent(revision)}?blobs=true`;
      const wanted = { what: `${name} at ${revision}`, from: 0, maxBytes: MAX_LIST_BYTES };
      const listed = fieldsOf(await jsonOf(await get(path, wanted, signal)).catch(asSourceFailed));
      if (typeof listed['sha'] !== 'string' || !Array.isArray(listed['siblings']))
        throw new SourceFailed('the hub answers no list of files', { passing: false });
      commit = listed['sha'];
      const files = (listed['siblings'] as readonly unknown[]).flatMap((each) => offered(fieldsOf(each)));
      const bases = [fieldsOf(listed['cardData'])['base_model']]
        .flat()
        .filter((one) => typeof one === 'string');
      return { revision: commit, bases, files };
    },
    open: ({ path }, from, signal) => {
      const place = `/${name}/resolve/${commit}/${path.split('/').map(encodeURIComponent).join('/')}`;
      return get(place, { what: path, from, maxBytes: Infinity }, signal);
    },
  };
};

interface Wanted {
  readonly what: string;
  /** Offset of the first byte. */
  readonly from: number;
  readonly maxBytes: number;
}

const request = async (
  dispatcher: Dispatcher,
  { origin, pathname, search, host }: URL,
  from: number,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> => {
  try {
    return await dispatcher.request({
      origin,
      path: pathname + search,
      method: 'GET',
      headers: { 'user-agent': 'knowledger', ...(from > 0 && { range: `bytes=${from}-` }) },
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    const { word, isTransient } = connectionFault(error);
    throw new SourceFailed(`${host} cannot be reached: ${word}. ${BY_HAND}`, { passing: isTransient });
  }
};

/** What to do without a network, too. */
const BY_HAND = 'Bring the files from where it can, and name their folder by --from';

const refusal = (status: number, { host }: URL, what: string): SourceFailed => {
  // A hub does not reveal whether a hidden model exists.
  const hidden = status === 401 || status === 403 || status === 404;
  return new SourceFailed(
    hidden
      ? `${host} has no ${what} that anybody may have (${status}): look at its name, or fetch it by hand and name the folder by --from`
      : `${host} answers ${status} for ${what}`,
    { passing: isTransientStatus(status) },
  );
};

/** Attributes an interrupted body to the source. */
const told = async function* (body: AsyncIterable<Uint8Array>, { host }: URL): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    if (!(error instanceof ConnectionBroken)) throw error;
    throw new SourceFailed(`${host} broke off: ${error.code}`, { passing: true });
  }
};

const asSourceFailed = (error: unknown): never => {
  if (!(error instanceof InvalidResponse)) throw error;
  throw new SourceFailed(`the hub ${error.message}`, { passing: false });
};

/** Ignores paths that lead out of the model's folder. */
const offered = ({ rfilename: path, size, blobId, lfs }: Fields): readonly OfferedFile[] => {
  if (typeof path !== 'string' || !/^[\w][\w.-]*(?:\/[\w][\w.-]*)*$/.test(path)) return [];
  const large = fieldsOf(lfs);
  const digest = digestIn(large['sha256']) ?? digestIn(large['oid']) ?? digestIn(blobId);
  const bytes = typeof large['size'] === 'number' ? large['size'] : size;
  return [{ path, bytes: typeof bytes === 'number' ? bytes : null, digest }];
};

/** The hash in an etag or an id: 64 digits are a SHA-256, 40 a git blob id; others mean nothing. */
const digestIn = (text: unknown): Digest | null => {
  const hex =
    typeof text === 'string'
      ? text
          .replace(/^W\//, '')
          .replaceAll('"', '')
          .replace(/^sha256:/, '')
      : '';
  if (/^[0-9a-f]{64}$/.test(hex)) return { kind: 'sha256', hex };
  return /^[0-9a-f]{40}$/.test(hex) ? { kind: 'git', hex } : null;
};

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
