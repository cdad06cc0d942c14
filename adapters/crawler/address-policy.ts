import ipaddr from 'ipaddr.js';

/** Decides which addresses the crawler may connect to. */
interface AddressPolicy {
  /** @param address an IP address as text, without brackets */
  readonly allowsAddress: (address: string) => boolean;
  /** Whether the operator allows this exact host and port, whatever address it resolves to. */
  readonly isExplicitlyAllowed: (hostname: string, port: number) => boolean;
  /** Whether the host of a URL is a literal address that is not allowed. Does not resolve names. */
  readonly refusesLiteral: (url: URL) => boolean;
}

/**
 * Public IPv6 addresses are inside 2000::/3 (RFC 4291), except ranges that embed other addresses, are reserved for
 * protocols, or are for documentation.
 */
const GLOBAL_UNICAST: Network = ipaddr.parseCIDR('2000::/3');
const NOT_PUBLIC: readonly Network[] = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((cidr) =>
  ipaddr.parseCIDR(cidr),
);

/**
 * Allows public addresses and those in `allowed`: CIDR (`10.1.0.0/16`), a single IPv4 address, or `host:port`
 * (`wiki.internal:8080`, `[fd00::1]:443`), compared exactly.
 *
 * @throws Error for an entry that is none of these, can never match, or is ambiguous: a typing error must not open or
 * close anything silently. The message says what to write.
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
  const isExplicitlyAllowed = (hostname: string, port: number): boolean =>
    hosts.has(`${hostname.toLowerCase()}:${port}`);
  return {
    allowsAddress,
    isExplicitlyAllowed,
    refusesLiteral: (url) => {
      const { host, port } = targetOf(url);
      return ipaddr.isValid(host) && !isExplicitlyAllowed(host, port) && !allowsAddress(host);
    },
  };
};

const targetOf = ({ hostname, port, protocol }: URL): { readonly host: string; readonly port: number } => ({
  host: hostname.replace(/^\[(.*)\]$/, '$1'),
  port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
});

/** The message of `notPublic` for a URL whose host is a literal address. */
export const refusalOf = (url: URL): string => {
  const { host, port } = targetOf(url);
  return notPublic(host, host, port);
};

/** A user message: why an address was refused, and which setting would allow it. */
export const notPublic = (hostname: string, address: string, port: number): string => {
  const written = (host: string): string => (host.includes(':') ? `[${host}]` : host);
  const what = hostname === address ? 'is' : `resolves to ${address}, which is`;
  // An IPv4 address embedded in an IPv6 address is compared as IPv4.
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

type Network = ReturnType<typeof ipaddr.parseCIDR>;
/** `host` is `host:port` without the brackets of an IPv6 address, in the form in which URL parts are compared. */
type AllowedAddress = { readonly network: Network } | { readonly host: string };

/**
 * Reads an entry in lower case, in its only valid spelling. Refuses other spellings and names the valid one: many
 * programs read `010.0.0.1` as 8.0.0.1 and `8080` as 0.0.31.144, and `::1:80` is an address, although a port may be
 * meant.
 *
 * @throws Error
 */
const readAllowedAddress = (entry: string): AllowedAddress => {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  if (bits !== undefined) return { network: networkOf(entry, address) };
  if (isPlainIpv4(entry)) return { network: [ipaddr.parse(entry), 32] };
  if (ipaddr.IPv6.isValid(entry)) {
    throw refused(entry, `can be read in two ways: write ${entry}/128, or host and port as [${entry}]:443`);
  }
  const [, host = '', port = ''] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  if (port === '') throw refused(entry, 'is neither CIDR nor host:port');
  return { host: hostAndPort(entry, host, port) };
};

const networkOf = (entry: string, address: string): Network => {
  if (!ipaddr.isValidCIDR(entry) || !(isPlainIpv4(address) || ipaddr.IPv6.isValid(address))) {
    throw refused(entry, 'is not a CIDR: write IPv4 as four decimal numbers, such as 10.1.0.0/16, or IPv6');
  }
  const network = ipaddr.parseCIDR(entry);
  if (isMapped(network[0])) throw refused(entry, MAPPED);
  return network;
};

/** URLs are normalised before the comparison, so an entry that is not in normal form would never match. */
const hostAndPort = (entry: string, host: string, port: string): string => {
  if (!/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65_535) {
    throw refused(entry, 'has an invalid port: write it as a number from 1 to 65535, without zeros before');
  }
  const normal = URL.parse(`http://${host}/`)?.hostname ?? '';
  const literal = host.startsWith('[');
  if (literal ? !ipaddr.IPv6.isValid(host.slice(1, -1)) : !NAME.test(normal)) {
    throw refused(entry, 'has no host name before its port');
  }
  if (literal && isMapped(ipaddr.parse(host.slice(1, -1)))) throw refused(entry, MAPPED);
  if (normal !== host) throw refused(entry, `never matches: URLs have ${normal}:${port}`);
  return `${literal ? host.slice(1, -1) : host}:${port}`;
};

/** Labels of letters, digits, hyphens and underscores; also matches an IPv4 address. */
const NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.?$/;
const PLAIN_IPV4 = /^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/;
const MAPPED = 'never matches: an IPv4 address inside an IPv6 one is compared as IPv4, so write that';

const isPlainIpv4 = (text: string): boolean => PLAIN_IPV4.test(text) && ipaddr.IPv4.isValid(text);

const isMapped = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();

const refused = (entry: string, why: string): Error =>
  new Error(`allowed address ${JSON.stringify(entry)} ${why}`);
