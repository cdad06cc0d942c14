import { FileDamaged, FileStoreUnavailable } from '../../../application/ports/file-store.ts';
import { describeAddress, type FilesAddress } from './files-url.ts';

/** The relevant fields of an SDK error. Its message is not used: it may contain what was sent. */
interface SdkError {
  readonly name: string;
  readonly code: string;
  readonly status: number | undefined;
  /** Whether the service responded at all. */
  readonly answered: boolean;
}

// https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
const CREDENTIALS: { readonly [name: string]: string } = {
  InvalidAccessKeyId: 'the access key is unknown',
  SignatureDoesNotMatch: 'the secret access key is wrong',
  ExpiredToken: 'the credentials have expired',
  InvalidToken: 'the session token is wrong',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
};
const NO_CREDENTIALS = new Set(['CredentialsProviderError', 'TokenProviderError']);
const WRONG_REGION = new Set([
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
]);

const sdkErrorOf = (error: unknown): SdkError => {
  const { name, code, Code, $metadata } = (error ?? {}) as {
    readonly [field: string]: unknown;
    readonly $metadata?: { readonly httpStatusCode?: number };
  };
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const status = $metadata?.httpStatusCode;
  return { name: text(name), code: text(code) || text(Code), status, answered: status !== undefined };
};

/** The object existed and has been deleted. */
export class ObjectGone extends Error {
  override readonly name = 'ObjectGone';
}

const OWN_ERRORS = [FileStoreUnavailable, FileDamaged, ObjectGone, TypeError];

/** Whether there is no such key. A HEAD response has no body: only the status identifies a 404. */
export const isAbsent = (error: unknown): boolean => {
  const { name, status } = sdkErrorOf(error);
  return name === 'NoSuchKey' || (name === 'NotFound' && status === 404);
};

/** Whether the same request may succeed later. False if the SDK has made all its attempts. */
export const isTransient = (error: unknown): boolean => {
  if (OWN_ERRORS.some((known) => error instanceof known)) return false;
  const { answered, status, name } = sdkErrorOf(error);
  if (name === 'AbortError' || NO_CREDENTIALS.has(name)) return false;
  return !answered || status === undefined || status >= 500 || status === 429 || status === 408;
};

/**
 * Translates an SDK error to the port's error. Errors of the port and defects of this program stay unchanged.
 */
export const unavailable = (address: FilesAddress, error: unknown): unknown => {
  if (OWN_ERRORS.some((known) => error instanceof known)) return error;
  const sdkError = sdkErrorOf(error);
  const at = describeAddress(address);
  const of = (...args: ConstructorParameters<typeof FileStoreUnavailable>) =>
    new FileStoreUnavailable(...args);
  if (sdkError.name === 'AbortError')
    return of('stopped', `the call to the file store, ${at}, was cancelled`);
  if (NO_CREDENTIALS.has(sdkError.name)) {
    return of(
      'refused',
      `there are no credentials for ${at}: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
    );
  }
  if (error instanceof Error && error.message === 'Region is missing') {
    return of('missing', `no region is set for ${at}: add ?region=… to the URL or set AWS_REGION`);
  }
  return sdkError.answered
    ? answered(sdkError, at)
    : of('unreachable', `${at} cannot be reached: ${sdkError.code || sdkError.name}`);
};

/** The error for a caller whose limit has passed. */
export const timedOut = (address: FilesAddress, ms: number): FileStoreUnavailable =>
  new FileStoreUnavailable('unreachable', `${describeAddress(address)} has not responded within ${ms} ms`);

const answered = ({ name, code, status }: SdkError, at: string): FileStoreUnavailable => {
  const known = CREDENTIALS[name] ?? CREDENTIALS[code];
  if (name === 'NoSuchBucket') return new FileStoreUnavailable('missing', `${at} does not exist`);
  if (known !== undefined) return new FileStoreUnavailable('refused', `${at} denies access: ${known}`);
  if (WRONG_REGION.has(name) || status === 301) {
    return new FileStoreUnavailable(
      'missing',
      `${at} is in another region: add ?region=… to the URL or set AWS_REGION`,
    );
  }
  if (status === 401 || status === 403) {
    const needed = 's3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket';
    return new FileStoreUnavailable(
      'refused',
      `${at} denies access (${status}); the service needs ${needed}`,
    );
  }
  if (status !== undefined && (status >= 500 || status === 429)) {
    return new FileStoreUnavailable('overloaded', `${at} responds with ${status}`);
  }
  return new FileStoreUnavailable('failed', `${at} responds with ${status} ${name}`);
};
