/** The location of the files: a bucket and a prefix of every key. */
export interface FilesAddress {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  /** Origin of the service. If undefined, the SDK's own configuration applies, else AWS. */
  readonly endpoint: string | undefined;
  /** If undefined, the SDK's own configuration applies. */
  readonly region: string | undefined;
  /** Puts the bucket into the path instead of the host name, as most services other than AWS require. */
  readonly pathStyle: boolean;
}

/** The URL cannot be used. The message says why and repeats nothing that may be secret. */
export class InvalidFilesUrl extends Error {
  override readonly name = 'InvalidFilesUrl';
}

const FORM = 's3://bucket/prefix?endpoint=https://…&region=…&path-style=true';
// Buckets of AWS have 3 to 63 characters; other services still accept the older names.
const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/;
// The characters that every service accepts in a key without encoding.
const PREFIX = /^[A-Za-z0-9!_.*'()-]+(\/[A-Za-z0-9!_.*'()-]+)*$/;
const REGION = /^[A-Za-z0-9-]{1,64}$/;
const PARAMETERS = new Set(['endpoint', 'region', 'path-style']);
const MAX_PREFIX = 500;

/**
 * Reads `s3://bucket/prefix` with the optional parameters `endpoint`, `region` and `path-style` (default:
 * true with an endpoint, else false). Credentials are not allowed in it: the AWS SDK finds them.
 *
 * @throws InvalidFilesUrl
 */
export const parseFilesUrl = (text: string): FilesAddress => {
  const url = URL.parse(text);
  if (url?.protocol !== 's3:') throw new InvalidFilesUrl(`takes ${FORM}`);
  if (url.username !== '' || url.password !== '') throw noCredentials();
  if (url.hash !== '' || url.port !== '') throw new InvalidFilesUrl(`takes no port and no fragment: ${FORM}`);
  if (!BUCKET.test(url.hostname)) throw new InvalidFilesUrl(`names no bucket: ${FORM}`);
  for (const name of url.searchParams.keys()) {
    if (!PARAMETERS.has(name) || url.searchParams.getAll(name).length > 1) {
      throw new InvalidFilesUrl(`takes the parameters ${[...PARAMETERS].join(', ')}, each once: ${FORM}`);
    }
  }
  const endpoint = endpointOf(url.searchParams.get('endpoint'));
  return {
    bucket: url.hostname,
    prefix: prefixOf(url.pathname),
    endpoint,
    region: regionOf(url.searchParams.get('region')),
    pathStyle: flagOf(url.searchParams.get('path-style')) ?? endpoint !== undefined,
  };
};

/** Describes the address for people, without secrets. */
export const describeAddress = ({ bucket, endpoint }: FilesAddress): string =>
  endpoint === undefined ? `bucket "${bucket}"` : `bucket "${bucket}" at ${endpoint}`;

const prefixOf = (path: string): string => {
  const prefix = path.replace(/^\//, '').replace(/\/$/, '');
  if (prefix === '') return '';
  if (prefix.length <= MAX_PREFIX && PREFIX.test(prefix)) return `${prefix}/`;
  throw new InvalidFilesUrl(
    `takes a prefix of at most ${MAX_PREFIX} letters, digits and !_.*'()-, in parts between slashes`,
  );
};

const endpointOf = (text: string | null): string | undefined => {
  if (text === null) return undefined;
  const url = URL.parse(text);
  if (url !== null && (url.username !== '' || url.password !== '')) throw noCredentials();
  const whole = url !== null && url.pathname === '/' && url.search === '' && url.hash === '';
  if (whole && (url.protocol === 'http:' || url.protocol === 'https:')) return url.origin;
  throw new InvalidFilesUrl('takes as endpoint http://host:port or https://host:port, and nothing behind it');
};

const regionOf = (text: string | null): string | undefined => {
  if (text === null || REGION.test(text)) return text ?? undefined;
  throw new InvalidFilesUrl('takes as region a name such as eu-central-1');
};

const flagOf = (text: string | null): boolean | undefined => {
  if (text === null) return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidFilesUrl('takes as path-style true or false');
};

const noCredentials = (): InvalidFilesUrl =>
  new InvalidFilesUrl(
    'takes no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or what else the AWS SDK reads',
  );
