/** The paths are of PEM files; without an authority those that Node trusts count. */
export interface TlsFiles {
  readonly authority?: string;
  readonly certificate?: string;
  readonly key?: string;
}
/** Milliseconds between two signs of life on a connection, and how long an answer to one is waited for. */
export interface KeepAlive {
  readonly intervalMs: number;
  readonly timeoutMs: number;
}
export interface ConnectionOptions {
  /** Null: without. */
  readonly tls: TlsFiles | null;
  /** How the server calls this process in its lists. */
  readonly connectionName?: string;
  /** Null: no signs are sent. */
  readonly keepAlive: KeepAlive | null;
}

/** The address of an event store that cannot be used as it is. The message never repeats the text: it may hold a password. */
export class InvalidConnectionString extends Error {
  override readonly name = 'InvalidConnectionString';
}

/** What an option may be. Names are compared without case, `_` and `-`, as all clients of the store do. */
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
const KEEP_ALIVE_MS = 10_000;

/** @throws InvalidConnectionString */
export const optionsOf = (query: string): ConnectionOptions => {
  const options = pairsOf(query);
  if (options.get('tlsverifycert') === 'false') {
    refuse('tlsVerifyCert=false is not supported: name the authority of the certificate with tlsCAFile');
  }
  if (options.get('throwonappendfailure') === 'false') refuse('throwOnAppendFailure=false is not supported');
  const connectionName = options.get('connectionname');
  return {
    tls: options.get('tls') === 'false' ? null : filesOf(options),
    ...(connectionName !== undefined && { connectionName }),
    keepAlive: keepAliveOf(options),
  };
};

const pairsOf = (query: string): ReadonlyMap<string, string> => {
  const options = new Map<string, string>();
  for (const pair of query.split('&').filter((part) => part !== '')) {
    const [name = '', value = ''] = pair.split('=');
    const known = name.trim().toLowerCase().replaceAll(/[_-]/g, '');
    const shape = OPTIONS[known] ?? refuse('it holds an option that is not known');
    if (value === '') refuse('it holds an option without a value');
    if (!shape.test(value.trim())) refuse(`its option ${known} has a value that it cannot have`);
    options.set(known, decoded(value.trim()));
  }
  return options;
};

const filesOf = (options: ReadonlyMap<string, string>): TlsFiles => {
  const [authority, certificate, key] = ['tlscafile', 'usercertfile', 'userkeyfile'].map((name) =>
    options.get(name),
  );
  if ((certificate === undefined) !== (key === undefined)) {
    refuse('userCertFile and userKeyFile must be given together');
  }
  return {
    ...(authority !== undefined && { authority }),
    ...(certificate !== undefined && key !== undefined && { certificate, key }),
  };
};

const keepAliveOf = (options: ReadonlyMap<string, string>): KeepAlive | null => {
  const intervalMs = Number(options.get('keepaliveinterval') ?? KEEP_ALIVE_MS);
  const timeoutMs = Number(options.get('keepalivetimeout') ?? KEEP_ALIVE_MS);
  return intervalMs < 0 || timeoutMs < 0 ? null : { intervalMs, timeoutMs };
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse('its options must be percent-encoded');
  }
};

export const refuse = (reason: string): never => {
  throw new InvalidConnectionString(`the EventStoreDB connection string cannot be used: ${reason}`);
};
