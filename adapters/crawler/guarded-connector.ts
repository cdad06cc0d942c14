import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { type LookupFunction, type Socket, isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { createAddressPolicy, notPublic } from './address-policy.ts';

/** The address is not public and the operator did not allow it. Nothing was sent. */
export class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed';
  readonly code = 'ADDRESS_NOT_ALLOWED';
  readonly address: string;
  constructor(hostname: string, address: string, port: number) {
    super(notPublic(hostname, address, port));
    this.address = address;
  }
}

/** Returns all addresses of a name, like `lookup` of node:dns with `all`. */
export type ResolveName = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface GuardedAgentOptions {
  /** See `createAddressPolicy`. Default: none. */
  readonly allowAddresses?: readonly string[];
  readonly resolveName?: ResolveName;
  /** Concurrent connections per origin. Default 16. */
  readonly connections?: number;
}

const MAX_HEADER_BYTES = 32 * 1024;
/** Of name resolution, TCP and TLS together. */
const CONNECT_MS = 10_000;

/**
 * An undici agent that connects only to public addresses, over http and https. The check is made where the socket is
 * opened, so that it covers every redirect, every retry and every user of the agent. The socket connects to the checked
 * addresses, so a name that resolves differently the next time gains nothing. Requests to other addresses fail with
 * `AddressNotAllowed`. The caller closes or destroys the agent.
 */
export const createGuardedAgent = (options: GuardedAgentOptions = {}): Agent =>
  new Agent({
    connect: guardedConnector(options),
    connections: options.connections ?? 16,
    maxHeaderSize: MAX_HEADER_BYTES,
    pipelining: 1,
    allowH2: false,
  });

/**
 * Opens plain connections under the same guard, for code that speaks to a server itself.
 *
 * @param hostname without brackets
 * @throws AddressNotAllowed, or the error of the socket
 */
export const createGuardedDial = (
  options: GuardedAgentOptions,
): ((hostname: string, port: number) => Promise<Socket>) => {
  const connect = guardedConnector(options);
  return (hostname, port) =>
    new Promise((resolve, reject) => {
      connect({ hostname, port: String(port), protocol: 'http:' }, (error, socket) => {
        if (error === null) resolve(socket);
        else reject(error);
      });
    });
};

const guardedConnector = (options: GuardedAgentOptions): buildConnector.connector => {
  const policy = createAddressPolicy(options.allowAddresses ?? []);
  const resolve = options.resolveName ?? systemLookup;
  const connectTo = (mayReach: (address: string) => boolean) =>
    buildConnector({ timeout: CONNECT_MS, allowH2: false, lookup: checkedLookup(resolve, mayReach) });
  const toPublic = connectTo((address) => policy.allowsAddress(address));
  const toAny = connectTo(() => true);
  return (target, callback) => {
    const { hostname } = target;
    const port = portOf(target);
    if (policy.isExplicitlyAllowed(hostname, port)) return toAny(target, callback);
    // node:net resolves only names: a literal address never reaches the lookup.
    if (isIP(hostname) !== 0 && !policy.allowsAddress(hostname)) {
      return callback(new AddressNotAllowed(hostname, hostname, port), null);
    }
    toPublic(target, (...outcome) => {
      const [error] = outcome;
      if (!(error instanceof RefusedByLookup)) return callback(...outcome);
      callback(new AddressNotAllowed(hostname, error.address, port), null);
    });
  };
};

const portOf = ({ port, protocol }: buildConnector.Options): number => {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
};

/** Error of the lookup, which does not know the port. */
class RefusedByLookup extends Error {
  override readonly name = 'RefusedByLookup';
  readonly address: string;
  constructor(address: string) {
    super(`${address} is not allowed`);
    this.address = address;
  }
}

/** One address that is not allowed fails the whole lookup: a rebinding attack begins with a mixed result. */
const checkedLookup =
  (resolve: ResolveName, mayReach: (address: string) => boolean): LookupFunction =>
  (hostname, { all }, callback) => {
    resolve(hostname, { all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const refused = addresses.find(({ address }) => !mayReach(address));
      if (refused !== undefined) return callback(new RefusedByLookup(refused.address), '');
      const [first] = addresses;
      if (first === undefined) return callback(noAddress(hostname), '');
      // node:net asks for all addresses or for one, depending on its family selection.
      if (all === true) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };

const noAddress = (hostname: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
