import { type ConnectionOptions, InvalidConnectionString, optionsOf, refuse } from './connection-options.ts';

export { InvalidConnectionString };

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export interface StoreAddress extends ConnectionOptions {
  /** At least one. */
  readonly nodes: readonly Endpoint[];
  /** The nodes are to be asked who leads: there are several, or one name may stand for several. */
  readonly discover: boolean;
  readonly credentials: { readonly username: string; readonly password: string } | undefined;
}

const SHAPE = /^esdb(\+discover)?:\/\/(?:([^:@/?]+):([^:@/?]+)@)?([^@/?]+)\/*(?:\?(.*))?$/s;
const NODE = /^([^\s$+!?*'();[\]{}|"%~#<>=&:,/]+)(?::(\d{1,5}))?$/;
const DEFAULT_PORT = 2113;

/**
 * Reads `esdb://user:password@host:2113,host2:2113?tls=true` or `esdb+discover://…`. What is refused is never repeated:
 * it may hold a password. `nodePreference`, `gossipTimeout`, `maxDiscoverAttempts`, `discoveryInterval` and
 * `defaultDeadline` are taken and have no effect: all calls go to the leader, and how long is waited is `Patience`.
 *
 * @throws InvalidConnectionString
 */
export const readConnectionString = (text: string): StoreAddress => {
  const trimmed = text.trim();
  if (!/^esdb(\+discover)?:\/\//.test(trimmed)) refuse('it must begin with esdb:// or esdb+discover://');
  const [, discover, username, password, hosts = '', query = ''] =
    SHAPE.exec(trimmed) ??
    refuse('it must read user:password@host:port?option=value, with the password percent-encoded');
  const nodes = hosts.split(',').map(nodeOf);
  const credentials =
    username === undefined || password === undefined
      ? undefined
      : { username: decoded(username), password: decoded(password) };
  return {
    nodes,
    discover: discover !== undefined || nodes.length > 1,
    credentials,
    ...optionsOf(query),
  };
};

const nodeOf = (text: string): Endpoint => {
  const [, host, port = DEFAULT_PORT] =
    NODE.exec(text.trim()) ?? refuse('its nodes must read host:port, separated by commas');
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
    return refuse('its ports must be numbers from 1 to 65535');
  }
  return { host, port: Number(port) };
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse('user and password must be percent-encoded');
  }
};
