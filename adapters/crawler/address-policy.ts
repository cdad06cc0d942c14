import ipaddr from 'ipaddr.js';
import { type Network, readAllowedAddress } from './allowed-address.ts';

/** Which addresses may be connected to. */
export interface AddressPolicy {
  /** An IP address as text, without brackets. */
  readonly allowsAddress: (address: string) => boolean;
  /** Whether the operator vouches for this very host and port, whatever address it resolves to. */
  readonly vouchesFor: (hostname: string, port: number) => boolean;
  /** Whether the host of a URL is a literal address that may not be connected to. Names are not resolved. */
  readonly refusesLiteral: (url: URL) => boolean;
}

/** IPv6 is public inside 2000::/3 only (RFC 4291), less what embeds or documents other addresses. */
const GLOBAL_UNICAST: Network = ipaddr.parseCIDR('2000::/3');
const NOT_PUBLIC: readonly Network[] = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((cidr) =>
  ipaddr.parseCIDR(cidr),
);

/**
 * Public addresses, and those that `allowed` names: CIDR (`10.1.0.0/16`), a single IPv4 address, or `host:port`
 * (`wiki.internal:8080`, `[fd00::1]:443`), compared exactly.
 *
 * @throws Error for an entry that is none of these, can never match, or can be read in two ways: a typing error must not
 * open or close anything silently. It says what to write.
 */
export const createAddressPolicy = (allowed: readonly string[]): AddressPolicy => {
  const networks: Network[] = [];
  const hosts = new Set<string>();
  for (const entry of allowed.map((text) => text.trim().toLowerCase())) {
    const read = readAllowedAddress(entry);
    if ('network' in read) networks.push(read.network);
    else hosts.add(read.host);
  }
  const allowsAddress = (address: string): boolean => {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return isPublic(parsed) || networks.some((network) => contains(network, parsed));
  };
  const vouchesFor = (hostname: string, port: number): boolean =>
    hosts.has(`${hostname.toLowerCase()}:${port}`);
  return {
    allowsAddress,
    vouchesFor,
    refusesLiteral: (url) => {
      const { host, port } = targetOf(url);
      return ipaddr.isValid(host) && !vouchesFor(host, port) && !allowsAddress(host);
    },
  };
};

const targetOf = ({ hostname, port, protocol }: URL): { readonly host: string; readonly port: number } => ({
  host: hostname.replace(/^\[(.*)\]$/, '$1'),
  port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
});

/** What `notPublic` says of a URL whose host is a literal address. */
export const refusalOf = (url: URL): string => {
  const { host, port } = targetOf(url);
  return notPublic(host, host, port);
};

/** Why an address was refused, and what would let the service reach it: for people. */
export const notPublic = (hostname: string, address: string, port: number): string => {
  const written = (host: string): string => (host.includes(':') ? `[${host}]` : host);
  const what = hostname === address ? 'is' : `resolves to ${address}, which is`;
  // As it is compared: an IPv4 address inside an IPv6 one counts as itself.
  const plain = ipaddr.process(address).toString();
  const cidr = `${plain}/${plain.includes(':') ? 128 : 32}`;
  return (
    `${hostname} ${what} not a public address: to reach it, start the service with ` +
    `KNOWLEDGER_ALLOW_ADDRESSES=${written(hostname)}:${port} or with a CIDR that holds it, such as ${cidr}`
  );
};

const contains = ([network, bits]: Network, address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  network.kind() === address.kind() && address.match(network, bits);

const isPublic = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean => {
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return true;
  return contains(GLOBAL_UNICAST, address) && !NOT_PUBLIC.some((network) => contains(network, address));
};
