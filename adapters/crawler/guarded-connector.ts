import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { type LookupFunction, type Socket, isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { createAddressPolicy, notPublic } from './address-policy.ts';

/** A connection to an address that is not public and that the operator did not allow. Nothing was sent. */
export class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed';
  readonly code = 'ADDRESS_NOT_ALLOWED';
  readonly address: string;
  constructor(hostname: string, address: string, port: number) {
    super(notPublic(hostname, address, port));
    this.address = address;
  }
}

/** Answers all addresses of a name, as `lookup` of node:dns does with `all`. */
export type ResolveName = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface GuardedAgentOptions {
  /** See `createAddressPolicy`. Default: none. */
  readonly allowAddresses?: readonly string[];
  readonly resolveName?: ResolveName;
  /** Time for name resolution, TCP and TLS together. Default 10 s. */
  readonly connectTimeoutMs?: number;
  /** Connections to one origin at once. Default 16. */
  readonly connections?: number;
  /** Default 32 KiB. */
  readonly maxHeaderBytes?: number;
}

/**
 * An undici agent that connects to public addresses only, over http and https. The check stands where the socket is
 * made, so that it holds for every redirect, every retry and every user of the agent. The addresses that were checked
 * are the ones handed to the socket: a name that resolves differently the next time gains nothing.
 *
 * Requests to other addresses fail with `AddressNotAllowed`. The caller closes or destroys the agent.
 */
export const createGuardedAgent = (options: GuardedAgentOptions = {}): Agent =>
  new Agent({
    connect: guardedConnector(options),
    connections: options.connections ?? 16,
    maxHeaderSize: options.maxHeaderBytes ?? 32 * 1024,
    pipelining: 1,
    allowH2: false,
  });

/**
 * Opens plain connections under the same guard, for what speaks to a server itself. `hostname` without brackets.
 *
 * Rejects with `AddressNotAllowed`, or with the error of the socket.
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
  const timeout = options.connectTimeoutMs ?? 10_000;
  const connectTo = (mayReach: (address: string) => boolean) =>
    buildConnector({ timeout, allowH2: false, lookup: checkedLookup(resolve, mayReach) });
  const toPublic = connectTo((address) => policy.allowsAddress(address));
  const toAny = connectTo(() => true);
  return (target, callback) => {
    const { hostname } = target;
    const port = portOf(target);
    if (policy.vouchesFor(hostname, port)) return toAny(target, callback);
    // node:net resolves names only: a literal never reaches the lookup.
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

/** Of a lookup, which is not told the port. */
class RefusedByLookup extends Error {
  override readonly name = 'RefusedByLookup';
  readonly address: string;
  constructor(address: string) {
    super(`${address} is not allowed`);
    this.address = address;
  }
}

/** One address that is not allowed spoils the whole answer: a mixed answer is how a rebinding attack begins. */
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
