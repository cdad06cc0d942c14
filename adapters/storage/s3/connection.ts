import { createHash } from 'node:crypto';
import type { S3, S3ClientConfig } from '@aws-sdk/client-s3';
import { timedOut, unavailable } from './failure.ts';
import type { FilesAddress } from './files-url.ts';

export interface ConnectionOptions {
  readonly address: FilesAddress;
  /** Default: the sources of the AWS SDK: environment, profiles, roles of container and machine. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Maximum number of requests per call. Default: 4. */
  readonly attempts?: number;
  /** Idle timeout of a connection in use. Default: 30 s. */
  readonly idleMs?: number;
  /** How long a caller waits for a response to begin. Default: 4 s. */
  readonly callerMs?: number;
}

const CONNECT_MS = 5_000;
/** How long a caller waits for a response to begin, all attempts together. */
const CALLER_MS = 4_000;

/**
 * The same connection, with a limit for callers that wait. Once a response has begun it may take any time,
 * because its reader may be slow.
 *
 * @throws FileStoreUnavailable also from `raw`, if no response has begun after `ms`
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
      throw late.signal.aborted ? timedOut(address, ms) : error;
    } finally {
      clearTimeout(timer);
    }
  };
  return { ...connection, raw, ask: askThrough(address, raw) };
};

/** Passed to every call together with its input. */
export interface CallOptions {
  readonly abortSignal: AbortSignal;
}

export interface Connection {
  readonly address: FilesAddress;
  readonly attempts: number;
  /**
   * One call, which the SDK repeats with growing delays while a retry may help.
   *
   * @throws the error of `call`, as the SDK throws it
   */
  readonly raw: <Answer>(
    call: (s3: S3, options: CallOptions) => Promise<Answer>,
    signal?: AbortSignal,
  ) => Promise<Answer>;
  /**
   * Like `raw`.
   *
   * @throws FileStoreUnavailable for every failure of the service or the network
   */
  readonly ask: Connection['raw'];
  /** Aborts running calls; later calls fail. */
  readonly close: () => Promise<void>;
}

/** Connects at the first call. The SDK is also loaded then, because loading it takes time and memory. */
export const createConnection = (options: ConnectionOptions): Connection => {
  const { address, attempts = 4 } = options;
  const closing = new AbortController();
  let connecting: Promise<S3> | undefined;
  const raw: Connection['raw'] = async (call, signal) => {
    connecting ??= connect(options, attempts);
    const abortSignal = signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal]);
    return rejectOnAbort(call(await connecting, { abortSignal }), abortSignal);
  };
  return {
    address,
    attempts,
    raw,
    ask: askThrough(address, raw),
    close: async () => {
      closing.abort();
      (await connecting)?.destroy();
    },
  };
};

const askThrough =
  (address: FilesAddress, raw: Connection['raw']): Connection['ask'] =>
  (call, signal) =>
    raw(call, signal).catch((error: unknown) => {
      throw unavailable(address, error);
    });

/**
 * The SDK obeys the signal during a request, but not while it looks for credentials or waits for its next
 * attempt.
 */
const rejectOnAbort = async <Answer>(response: Promise<Answer>, signal: AbortSignal): Promise<Answer> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(Object.assign(new Error('aborted'), { name: 'AbortError' }));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([response, promise]);
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

/**
 * Each download holds a socket as long as its reader is slow: with the SDK's default of 50, downloads would
 * block writes.
 */
const MAX_SOCKETS = 500;

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const configOf = ({ address, credentials, idleMs }: ConnectionOptions, attempts: number) => {
  const config: S3ClientConfig = {
    forcePathStyle: address.pathStyle,
    maxAttempts: attempts,
    retryMode: 'standard',
    // Every put sends our own SHA-256, and every read verifies it: no second checksum, and no bodies in
    // aws-chunked encoding, which many services do not support.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The errors contain what the SDK would log to the console.
    logger: SILENT,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
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

/**
 * DeleteObjects needs a checksum. AWS accepts the SDK's CRC-32, many other services only Content-MD5: send
 * both.
 */
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
