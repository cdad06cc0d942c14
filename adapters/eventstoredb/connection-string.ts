/** The address of an event store that cannot be used as it is. The message never repeats the text: it may hold a password. */
export class InvalidConnectionString extends Error {
  override readonly name = 'InvalidConnectionString';
}

export interface StoreAddress {
  /** As given, for the client. */
  readonly text: string;
  readonly tls: boolean;
  readonly credentials: { readonly username: string; readonly password: string } | undefined;
}

const SHAPE = /^esdb(?:\+discover)?:\/\/(?:([^:@/?]+):([^:@/?]+)@)?[^@/?]+\/*(?:\?(.*))?$/s;
/** What the client knows, as it compares: without case, `_` and `-`. It prints the whole text when it meets another. */
const OPTIONS = new Set([
  'tls',
  'tlscafile',
  'tlsverifycert',
  'usercertfile',
  'userkeyfile',
  'nodepreference',
  'maxdiscoverattempts',
  'discoveryinterval',
  'gossiptimeout',
  'connectionname',
  'defaultdeadline',
  'keepaliveinterval',
  'keepalivetimeout',
  'throwonappendfailure',
]);

/**
 * Checks `esdb://user:password@host:2113,host2:2113?tls=true` or `esdb+discover://…` before the client sees it, because
 * the client writes texts that it does not like to the console, passwords included.
 *
 * @throws InvalidConnectionString
 */
export const readConnectionString = (text: string): StoreAddress => {
  const trimmed = text.trim();
  if (!/^esdb(\+discover)?:\/\//.test(trimmed)) refuse('it must begin with esdb:// or esdb+discover://');
  const [, username, password, query] =
    SHAPE.exec(trimmed) ??
    refuse('it must read user:password@host:port?option=value, with the password percent-encoded');
  const options = readOptions(query ?? '');
  if (options.get('tlsverifycert') === 'false') {
    refuse('tlsVerifyCert=false is not supported: name the authority of the certificate with tlsCAFile');
  }
  if (options.get('throwonappendfailure') === 'false') refuse('throwOnAppendFailure=false is not supported');
  const credentials =
    username === undefined || password === undefined
      ? undefined
      : { username: decoded(username), password: decoded(password) };
  return { text: trimmed, tls: options.get('tls') !== 'false', credentials };
};

const readOptions = (query: string): ReadonlyMap<string, string> => {
  const options = new Map<string, string>();
  for (const pair of query.split('&').filter((part) => part !== '')) {
    const [name = '', value = ''] = pair.split('=');
    const known = name.trim().toLowerCase().replaceAll(/[_-]/g, '');
    if (!OPTIONS.has(known)) refuse('it holds an option that the client does not know');
    if (value === '') refuse('it holds an option without a value');
    options.set(known, value.trim());
  }
  return options;
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse('user and password must be percent-encoded');
  }
};

const refuse = (reason: string): never => {
  throw new InvalidConnectionString(`the EventStoreDB connection string cannot be used: ${reason}`);
};
