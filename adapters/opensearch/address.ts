export type SignIn =
  | { readonly by: 'password'; readonly username: string; readonly password: string }
  /** Signature version 4 of a managed domain in this region. */
  | { readonly by: 'aws'; readonly region: string };

export interface OpenSearchAddress {
  /** Without credentials; at least one. */
  readonly nodes: readonly string[];
  /** PEM of the authority of its certificates; without it Node's trusted authorities apply. */
  readonly authority?: string;
  readonly signIn?: SignIn;
}

/** The message never repeats the URL, which may contain a password. */
export class InvalidOpenSearchUrl extends Error {
  override readonly name = 'InvalidOpenSearchUrl';
}

const invalid = (reason: string): never => {
  throw new InvalidOpenSearchUrl(`the URL of OpenSearch cannot be used: ${reason}`);
};

/**
 * Reads `https://user:password@host:9200`, or several such URLs with commas between them, with the same credentials or
 * none.
 *
 * @throws InvalidOpenSearchUrl
 */
export const readOpenSearchUrl = (text: string): Pick<OpenSearchAddress, 'nodes' | 'signIn'> => {
  const urls = text.split(',').map((part) => URL.parse(part.trim()) ?? invalid('it is no URL'));
  const nodes = urls.map((url) => {
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      invalid('it must begin with https:// or http://');
    if (url.search !== '' || url.hash !== '') invalid('it must have no query and no fragment');
    return `${url.origin}${url.pathname.replace(/\/$/, '')}`;
  });
  const credentials = new Set(
    urls.flatMap(({ username, password }) => (username === '' ? [] : [`${username}:${password}`])),
  );
  if (credentials.size > 1) invalid('its nodes must have the same user and password');
  const [pair] = credentials;
  if (pair === undefined) return { nodes };
  const [username = '', password = ''] = pair.split(':').map(decoded);
  return { nodes, signIn: { by: 'password', username, password } };
};

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return invalid('user and password must be percent-encoded');
  }
};
