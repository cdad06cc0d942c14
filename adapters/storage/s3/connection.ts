import { createHash } from 'node:crypto';
import type { S3, S3ClientConfig } from '@aws-sdk/client-s3';
import { silent, unavailable } from './failure.ts';
import type { FilesAddress } from './files-url.ts';

export interface ConnectionOptions {
  readonly address: FilesAddress;
  /** Default: where the AWS SDK looks for them: environment, profiles, roles of container and machine. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Requests in all for one answer. Default: 4. */
  readonly attempts?: number;
  /** For the connection to stand. Default: 5 s. */
  readonly connectMs?: number;
  /** For which nothing may come or go on a connection in use. Default: 30 s. */
  readonly idleMs?: number;
  /** For which a caller waits for an answer to begin. Default: 4 s. */
  readonly callerMs?: number;
}

/** How long a caller waits for an answer to begin, all attempts together. */
const CALLER_MS = 4_000;

/**
 * The same connection for somebody who waits. Once an answer has begun it may take as long as it likes: its reader may
 * be slow.
 *
 * @throws FileStoreUnavailable also from `raw`, where no answer has begun after `ms`
 */
export const forCallers = (connection: Connection, ms = CALLER_MS): Connection => {
  const { address } = connection;
  const raw: Connection['raw'] = async (call, signal) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), ms);
    try {
      return await connection.raw(
        call,
        signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
      );
    } catch (error) {
      throw late.signal.aborted ? silent(address, ms) : error;
    } finally {
      clearTimeout(timer);
    }
  };
  return { ...connection, raw, ask: asking(address, raw) };
};

/** What every call is given beside its input. */
export interface CallOptions {
  readonly abortSignal: AbortSignal;
}

export interface Connection {
  readonly address: FilesAddress;
  readonly attempts: number;
  /**
   * One exchange, repeated by the SDK while it may help, with growing delays.
   *
   * @throws what `call` throws, as the SDK gives it
   */
  readonly raw: <Answer>(
    call: (s3: S3, options: CallOptions) => Promise<Answer>,
    signal?: AbortSignal,
  ) => Promise<Answer>;
  /** `raw`. @throws FileStoreUnavailable for whatever the service or the way to it does */
  readonly ask: Connection['raw'];
  /** Aborts what is under way; what is asked later fails. */
  readonly close: () => Promise<void>;
}

/** Connects at the first question. The SDK is loaded then too: it takes time and memory that others need not spend. */
export const createConnection = (options: ConnectionOptions): Connection => {
  const { address, attempts = 4 } = options;
  const closing = new AbortController();
  let connecting: Promise<S3> | undefined;
  const raw: Connection['raw'] = async (call, signal) => {
    connecting ??= connect(options, attempts);
    const abortSignal = signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal]);
    return orAborted(call(await connecting, { abortSignal }), abortSignal);
  };
  return {
    address,
    attempts,
    raw,
    ask: asking(address, raw),
    close: async () => {
      closing.abort();
      (await connecting)?.destroy();
    },
  };
};

const asking =
  (address: FilesAddress, raw: Connection['raw']): Connection['ask'] =>
  (call, signal) =>
    raw(call, signal).catch((error: unknown) => {
      throw unavailable(address, error);
    });

/** The SDK heeds the signal within an exchange, not while it looks for credentials or waits for its next attempt. */
const orAborted = async <Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(Object.assign(new Error('aborted'), { name: 'AbortError' }));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

const connect = async (options: ConnectionOptions, attempts: number): Promise<S3> => {
  const { S3 } = await import('@aws-sdk/client-s3');
  const s3 = new S3(configOf(options, attempts));
  addContentMd5(s3);
  return s3;
};

/** Each download holds one for as long as its reader is slow: with the SDK's 50 they would hold up the writers. */
const MAX_SOCKETS = 500;

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const configOf = ({ address, credentials, connectMs, idleMs }: ConnectionOptions, attempts: number) => {
  const config: S3ClientConfig = {
    forcePathStyle: address.pathStyle,
    maxAttempts: attempts,
    retryMode: 'standard',
    // Our own SHA-256 goes with every put and is verified on every read: no second checksum, and no bodies in
    // aws-chunked encoding, which many services do not read.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // What it would say is in the errors, and on the console nobody asked for it.
    logger: SILENT,
    requestHandler: {
      connectionTimeout: connectMs ?? 5_000,
      socketTimeout: idleMs ?? 30_000,
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
    ...(address.endpoint !== undefined && { endpoint: address.endpoint }),
    ...(address.region !== undefined && { region: address.region }),
    ...(credentials !== undefined && { credentials }),
  };
  return config;
};

/** DeleteObjects needs a checksum. AWS takes the SDK's CRC-32, many other services only Content-MD5: both are sent. */
const addContentMd5 = (s3: S3): void => {
  s3.middlewareStack.add(
    (next, context) => async (args) => {
      const request = args.request as { readonly body?: unknown; readonly headers: Record<string, string> };
      if (context['commandName'] === 'DeleteObjectsCommand' && typeof request.body === 'string') {
        request.headers['content-md5'] = createHash('md5').update(request.body).digest('base64');
      }
      return next(args);
    },
    { step: 'build', name: 'contentMd5' },
  );
};
