export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Paths of PEM files; without `authority`, Node's trusted authorities apply. */
interface TlsFiles {
  readonly authority?: string;
  readonly certificate?: string;
  readonly key?: string;
}

export interface StoreAddress {
  /** At least one. */
  readonly nodes: readonly Endpoint[];
  /**
   * Whether to ask the nodes which of them is the leader: there are several, or one host name resolves to
   * several.
   */
  readonly discover: boolean;
  readonly credentials: { readonly username: string; readonly password: string } | undefined;
  /** Null means no TLS. */
  readonly tls: TlsFiles | null;
  /** Name of this process in the server's lists. */
  readonly connectionName?: string;
  /** Milliseconds between two pings, and the timeout of a ping; null means no pings. */
  readonly keepAlive: { readonly intervalMs: number; readonly timeoutMs: number } | null;
}

/** The message never repeats the connection string, which may contain a password. */
export class InvalidConnectionString extends Error {
  override readonly name = 'InvalidConnectionString';
}

export const invalid = (reason: string): never => {
  throw new InvalidConnectionString(`the EventStoreDB connection string cannot be used: ${reason}`);
};

const SHAPE = /^esdb(\+discover)?:\/\/(?:([^:@/?]+):([^:@/?]+)@)?([^@/?]+)\/*(?:\?(.*))?$/s;
const NODE = /^([^\s$+!?*'();[\]{}|"%~#<>=&:,/]+)(?::(\d{1,5}))?$/;
const DEFAULT_PORT = 2113;
const KEEP_ALIVE_MS = 10_000;

/** Allowed values of the options. Option names ignore case, `_` and `-`, as in all clients of the store. */
const OPTIONS: Readonly<Record<string, RegExp>> = {
  tls: /^(true|false)$/,
  tlscafile: /./,
  tlsverifycert: /^(true|false)$/,
  usercertfile: /./,
  userkeyfile: /./,
  nodepreference: /^(leader|follower|read_?only_?replica|random)$/i,
  maxdiscoverattempts: /^\d+$/,
  discoveryinterval: /^\d+$/,
  gossiptimeout: /^\d+$/,
  connectionname: /./,
  defaultdeadline: /^\d+$/,
  keepaliveinterval: /^(-1|\d+)$/,
  keepalivetimeout: /^(-1|\d+)$/,
  throwonappendfailure: /^(true|false)$/,
};
type Options = ReadonlyMap<string, string>;

/**
 * Reads `esdb://user:password@host:2113,host2:2113?tls=true` or `esdb+discover://…`. `nodePreference`,
 * `gossipTimeout`, `maxDiscoverAttempts`, `discoveryInterval` and `defaultDeadline` are accepted without
 * effect: all calls go to the leader, and `Deadlines` sets the time limits.
 *
 * @throws InvalidConnectionString
 */
export const readConnectionString = (text: string): StoreAddress => {
  const trimmed = text.trim();
  if (!/^esdb(\+discover)?:\/\//.test(trimmed)) invalid('it must begin with esdb:// or esdb+discover://');
  const [, discover, username, password, hosts = '', query = ''] =
    SHAPE.exec(trimmed) ??
    invalid('it must read user:password@host:port?option=value, with the password percent-encoded');
  const nodes = hosts.split(',').map(nodeOf);
  const decode = (part: string): string => decoded(part, 'user and password must be percent-encoded');
  const credentials =
    username === undefined || password === undefined
      ? undefined
      : { username: decode(username), password: decode(password) };
  const options = optionsOf(query);
  const connectionName = options.get('connectionname');
  return {
    nodes,
    discover: discover !== undefined || nodes.length > 1,
    credentials,
    tls: options.get('tls') === 'false' ? null : tlsFilesOf(options),
    ...(connectionName !== undefined && { connectionName }),
    keepAlive: keepAliveOf(options),
  };
};

const nodeOf = (text: string): Endpoint => {
  const [, host, port = DEFAULT_PORT] =
    NODE.exec(text.trim()) ?? invalid('its nodes must read host:port, separated by commas');
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
    return invalid('its ports must be numbers from 1 to 65535');
  }
  return { host, port: Number(port) };
};

const optionsOf = (query: string): Options => {
  const options = new Map<string, string>();
  for (const pair of query.split('&').filter((part) => part !== '')) {
    const [name = '', value = ''] = pair.split('=');
    const known = name.trim().toLowerCase().replaceAll(/[_-]/g, '');
    const shape = OPTIONS[known] ?? invalid('it contains an unknown option');
    if (value === '') invalid('it contains an option without a value');
    if (!shape.test(value.trim())) invalid(`its option ${known} has an invalid value`);
    options.set(known, decoded(value.trim(), 'its options must be percent-encoded'));
  }
  if (options.get('tlsverifycert') === 'false') {
    invalid('tlsVerifyCert=false is not supported: name the authority of the certificate with tlsCAFile');
  }
  if (options.get('throwonappendfailure') === 'false') invalid('throwOnAppendFailure=false is not supported');
  return options;
};

const tlsFilesOf = (options: Options): TlsFiles => {
  const [authority, certificate, key] = ['tlscafile', 'usercertfile', 'userkeyfile'].map((name) =>
    options.get(name),
  );
  if ((certificate === undefined) !== (key === undefined)) {
    invalid('userCertFile and userKeyFile must be given together');
  }
  return {
    ...(authority !== undefined && { authority }),
    ...(certificate !== undefined && key !== undefined && { certificate, key }),
  };
};

const keepAliveOf = (options: Options): StoreAddress['keepAlive'] => {
  const intervalMs = Number(options.get('keepaliveinterval') ?? KEEP_ALIVE_MS);
  const timeoutMs = Number(options.get('keepalivetimeout') ?? KEEP_ALIVE_MS);
  return intervalMs < 0 || timeoutMs < 0 ? null : { intervalMs, timeoutMs };
};

const decoded = (text: string, otherwise: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return invalid(otherwise);
  }
};
