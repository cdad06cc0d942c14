import { FileDamaged, FileStoreUnavailable } from '../../../application/ports/file-store.ts';
import { describeAddress, type FilesAddress } from './files-url.ts';

/** What an error of the SDK tells. Its message is left alone: it may repeat what was sent. */
interface Told {
  readonly name: string;
  readonly code: string;
  readonly status: number | undefined;
  /** An asked service answered, whatever it said. */
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

const toldBy = (error: unknown): Told => {
  const { name, code, Code, $metadata } = (error ?? {}) as {
    readonly [field: string]: unknown;
    readonly $metadata?: { readonly httpStatusCode?: number };
  };
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const status = $metadata?.httpStatusCode;
  return { name: text(name), code: text(code) || text(Code), status, answered: status !== undefined };
};

/** The object was there and is there no more. */
export class ObjectGone extends Error {
  override readonly name = 'ObjectGone';
}

const OURS = [FileStoreUnavailable, FileDamaged, ObjectGone, TypeError];

/** Whether there is no such key. A HEAD has no body: its 404 is named by the status alone. */
export const isAbsent = (error: unknown): boolean => {
  const { name, status } = toldBy(error);
  return name === 'NoSuchKey' || (name === 'NotFound' && status === 404);
};

/** Whether the same request may do better a moment later. Not where the SDK has tried all it may. */
export const isTransient = (error: unknown): boolean => {
  if (OURS.some((known) => error instanceof known)) return false;
  const { answered, status, name } = toldBy(error);
  if (name === 'AbortError' || NO_CREDENTIALS.has(name)) return false;
  return !answered || status === undefined || status >= 500 || status === 429 || status === 408;
};

/** The port's error for one of the SDK; what is the port's already, or the program's own fault, stays as it is. */
export const unavailable = (address: FilesAddress, error: unknown): unknown => {
  if (OURS.some((known) => error instanceof known)) return error;
  const told = toldBy(error);
  const at = describeAddress(address);
  const of = (...args: ConstructorParameters<typeof FileStoreUnavailable>) =>
    new FileStoreUnavailable(...args);
  if (told.name === 'AbortError') return of('stopped', `the file store, ${at}, was not waited for`);
  if (NO_CREDENTIALS.has(told.name)) {
    return of(
      'refused',
      `there are no credentials for ${at}: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
    );
  }
  if (error instanceof Error && error.message === 'Region is missing') {
    return of('missing', `no region is set for ${at}: add ?region=… to the URL or set AWS_REGION`);
  }
  return told.answered
    ? answered(told, at)
    : of('unreachable', `${at} cannot be reached: ${told.code || told.name}`);
};

/** For one who did not wait any longer than this. */
export const silent = (address: FilesAddress, ms: number): FileStoreUnavailable =>
  new FileStoreUnavailable('unreachable', `${describeAddress(address)} has not answered within ${ms} ms`);

const answered = ({ name, code, status }: Told, at: string): FileStoreUnavailable => {
  const known = CREDENTIALS[name] ?? CREDENTIALS[code];
  if (name === 'NoSuchBucket') return new FileStoreUnavailable('missing', `${at} does not exist`);
  if (known !== undefined) return new FileStoreUnavailable('refused', `${at} refuses: ${known}`);
  if (WRONG_REGION.has(name) || status === 301) {
    return new FileStoreUnavailable(
      'missing',
      `${at} is in another region: give ?region=… in the URL or AWS_REGION`,
    );
  }
  if (status === 401 || status === 403) {
    const needed = 's3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket';
    return new FileStoreUnavailable('refused', `${at} refuses access (${status}); needed are ${needed}`);
  }
  if (status !== undefined && (status >= 500 || status === 429)) {
    return new FileStoreUnavailable('overloaded', `${at} answers ${status}`);
  }
  return new FileStoreUnavailable('failed', `${at} answers ${status} ${name}`);
};
