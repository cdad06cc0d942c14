import type { Dispatcher } from 'undici';
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
  const send = async (start: string, headers: Record<string, string>, signal: AbortSignal) => {
    let address = new URL(start);
    let linked: Digest | null = null;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const answer = await request(dispatcher, address, headers, signal);
      const header = (of: string): string | undefined => [answer.headers[of]].flat()[0];
      // Etag of the redirect target; other etags may be anything.
      linked ??= digestIn(header('x-linked-etag'));
      if (answer.statusCode < 300 || answer.statusCode >= 400) return { ...answer, address, linked };
      await answer.body.dump();
      const next = new URL(header('location') ?? '', address);
      if (next.protocol !== 'https:' && next.protocol !== address.protocol)
        throw new SourceFailed(`${address.host} leads to an address without encryption`, { passing: false });
      address = next;
    }
    throw new SourceFailed(`${address.host} leads on without an end`, { passing: false });
  };

  return {
    offer: async (signal) => {
      const path = `${base}/api/models/${name}/revision/${encodeURIComponent(revision)}?blobs=true`;
      const { statusCode, body, address } = await send(path, { accept: 'application/json' }, signal);
      if (statusCode !== 200) {
        await body.dump();
        throw refusal(statusCode, address, `${name} at ${revision}`);
      }
      const listed = fieldsOf(await jsonOf(body));
      if (typeof listed['sha'] !== 'string' || !Array.isArray(listed['siblings']))
        throw new SourceFailed(`${address.host} answers no list of files`, { passing: false });
      commit = listed['sha'];
      const files = (listed['siblings'] as readonly unknown[]).flatMap((each) => offered(fieldsOf(each)));
      const bases = [fieldsOf(listed['cardData'])['base_model']]
        .flat()
        .filter((one) => typeof one === 'string');
      return { revision: commit, bases, files };
    },
    open: async ({ path }, from, signal) => {
      const place = `${base}/${name}/resolve/${commit}/${path.split('/').map(encodeURIComponent).join('/')}`;
      const range = from > 0 ? { range: `bytes=${from}-` } : {};
      const { statusCode, body, headers, linked, address } = await send(place, range, signal);
      const goesOn = statusCode === 206 && String(headers['content-range']).startsWith(`bytes ${from}-`);
      if (statusCode !== 200 && !goesOn) {
        await body.dump();
        throw refusal(statusCode, address, path);
      }
      return { from: goesOn ? from : 0, digest: linked, body: told(body, address) };
    },
  };
};

const request = async (
  dispatcher: Dispatcher,
  { origin, pathname, search, host }: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> => {
  try {
    const sent = { 'user-agent': 'knowledger', ...headers };
    return await dispatcher.request({
      origin,
      path: pathname + search,
      method: 'GET',
      headers: sent,
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    const word = wordOf(error);
    throw new SourceFailed(`${host} cannot be reached: ${word}. ${BY_HAND}`, {
      passing: !PERMANENT_FAULTS.test(word),
    });
  }
};

/** What to do without a network, too. */
const BY_HAND = 'Bring the files from where it can, and name their folder by --from';

/** Certificates, responses that are not HTTP, unknown names, a closed agent. */
const PERMANENT_FAULTS =
  /^(?:CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HPE_|ENOTFOUND|UND_ERR_(?:DESTROYED|CLOSED|INVALID))/;

/** The safe description of a connection error: messages of undici and node:net contain addresses. */
const wordOf = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: string };
  return typeof code === 'string' ? code : (name ?? 'unknown');
};

const refusal = (status: number, { host }: URL, what: string): SourceFailed => {
  const passing = [408, 425, 429].includes(status) || (status >= 500 && status !== 501 && status !== 505);
  // A hub does not reveal whether a hidden model exists.
  const hidden = status === 401 || status === 403 || status === 404;
  return new SourceFailed(
    hidden
      ? `${host} has no ${what} that anybody may have (${status}): look at its name, or fetch it by hand and name the folder by --from`
      : `${host} answers ${status} for ${what}`,
    { passing },
  );
};

/** Attributes an interrupted body to the source. */
const told = async function* (body: AsyncIterable<Uint8Array>, { host }: URL): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw new SourceFailed(`${host} broke off: ${wordOf(error)}`, { passing: true });
  }
};

const jsonOf = async (body: AsyncIterable<Uint8Array>): Promise<unknown> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > MAX_LIST_BYTES) throw new SourceFailed('the list of files has no end', { passing: false });
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    throw new SourceFailed('the source answers something else than JSON', { passing: false });
  }
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
