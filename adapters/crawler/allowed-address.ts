import ipaddr from 'ipaddr.js';

export type Network = ReturnType<typeof ipaddr.parseCIDR>;
/** `host` as `host:port`, without the brackets of an IPv6 address: as the parts of a URL are compared. */
export type AllowedAddress = { readonly network: Network } | { readonly host: string };

/**
 * Reads an entry in lower case, in the one spelling that it has. Others are refused with that spelling: many programs
 * read `010.0.0.1` as 8.0.0.1 and `8080` as 0.0.31.144, and `::1:80` is an address, though a port may be meant.
 *
 * @throws Error
 */
export const readAllowedAddress = (entry: string): AllowedAddress => {
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
    throw refused(entry, 'is no CIDR: write IPv4 as four decimal numbers, such as 10.1.0.0/16, or IPv6');
  }
  const network = ipaddr.parseCIDR(entry);
  if (isMapped(network[0])) throw refused(entry, MAPPED);
  return network;
};

/** Compared with the parts of URLs, which have been normalised: what differs from its normal form never matches. */
const hostAndPort = (entry: string, host: string, port: string): string => {
  if (!/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65_535) {
    throw refused(
      entry,
      'has no port that there is: write it as a number from 1 to 65535, without zeros before',
    );
  }
  const normal = URL.parse(`http://${host}/`)?.hostname ?? '';
  const literal = host.startsWith('[');
  if (literal ? !ipaddr.IPv6.isValid(host.slice(1, -1)) : !NAME.test(normal)) {
    throw refused(entry, 'has no name of a host before its port');
  }
  if (literal && isMapped(ipaddr.parse(host.slice(1, -1)))) throw refused(entry, MAPPED);
  if (normal !== host) throw refused(entry, `never matches: URLs have ${normal}:${port}`);
  return `${literal ? host.slice(1, -1) : host}:${port}`;
};

/** Labels of letters, digits, hyphens and underscores; an IPv4 address is one as well. */
const NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.?$/;
const PLAIN_IPV4 = /^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/;
const MAPPED = 'never matches: an IPv4 address inside an IPv6 one is compared as IPv4, so write that';

const isPlainIpv4 = (text: string): boolean => PLAIN_IPV4.test(text) && ipaddr.IPv4.isValid(text);

const isMapped = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();

const refused = (entry: string, why: string): Error =>
  new Error(`allowed address ${JSON.stringify(entry)} ${why}`);
