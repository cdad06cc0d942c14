import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAddressPolicy } from '../../../adapters/crawler/address-policy.ts';

const strict = createAddressPolicy([]);

describe('createAddressPolicy', () => {
  it.each(['93.184.216.34', '8.8.8.8', '2606:2800:220:1::1', '2a00:1450:4001::5', '::ffff:8.8.8.8'])(
    'allows the public address %s',
    (address) => {
      expect(strict.allowsAddress(address)).toBe(true);
    },
  );

  it.each([
    ['0.0.0.0', 'this host'],
    ['10.1.2.3', 'RFC 1918'],
    ['100.64.0.1', 'carrier-grade NAT'],
    ['127.0.0.1', 'loopback'],
    ['169.254.169.254', 'link-local, where clouds keep credentials'],
    ['192.0.0.8', 'IETF assignments'],
    ['198.18.0.1', 'benchmarking'],
    ['224.0.0.1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::127.0.0.1', 'IPv4-compatible'],
    ['::ffff:127.0.0.1', 'IPv4-mapped'],
    ['::ffff:0:127.0.0.1', 'IPv4-translated'],
    ['64:ff9b::7f00:1', 'NAT64'],
    ['64:ff9b:1::7f00:1', 'local NAT64'],
    ['100::1', 'discard'],
    ['2001::1', 'Teredo'],
    ['2001:db8::1', 'documentation'],
    ['2002:7f00:1::', '6to4'],
    ['fc00::1', 'unique local'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local with a zone'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['4000::1', 'not assigned'],
    ['not an address', 'nothing'],
  ])('refuses %s (%s)', (address) => {
    expect(strict.allowsAddress(address)).toBe(false);
  });

  it('refuses every private IPv4 address in every IPv6 form that embeds it', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const privateAddress = fc.oneof(
      fc.tuple(fc.constantFrom(10, 127), octet, octet, octet),
      fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
      fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
    );
    fc.assert(
      fc.property(privateAddress, ([a, b, c, d]) => {
        const [high, low] = [((a << 8) | b).toString(16), ((c << 8) | d).toString(16)];
        const forms = [`${a}.${b}.${c}.${d}`, `::ffff:${high}:${low}`, `::${high}:${low}`];
        forms.push(`64:ff9b::${high}:${low}`, `2002:${high}:${low}::1`);
        expect(forms.filter((form) => strict.allowsAddress(form))).toEqual([]);
      }),
    );
  });

  it('allows the networks and addresses that the operator names, and no others', () => {
    const policy = createAddressPolicy(['10.1.0.0/16', ' 192.168.7.7 ', 'fd00:1::/32']);
    const addresses = ['10.1.2.3', '::ffff:10.1.2.3', '192.168.7.7', 'fd00:1::5'];
    expect(addresses.filter((address) => !policy.allowsAddress(address))).toEqual([]);
    const others = ['10.2.0.1', '192.168.7.8', 'fd00:2::5', '127.0.0.1'];
    expect(others.filter((address) => policy.allowsAddress(address))).toEqual([]);
  });

  it('vouches for exactly the named host and port', () => {
    const policy = createAddressPolicy(['Wiki.internal:8080', '127.0.0.1:3000', '[::1]:443']);
    expect(policy.isExplicitlyAllowed('wiki.internal', 8080)).toBe(true);
    expect(policy.isExplicitlyAllowed('127.0.0.1', 3000)).toBe(true);
    expect(policy.isExplicitlyAllowed('::1', 443)).toBe(true);
    expect(policy.isExplicitlyAllowed('wiki.internal', 80)).toBe(false);
    expect(policy.isExplicitlyAllowed('a.wiki.internal', 8080)).toBe(false);
    expect(policy.isExplicitlyAllowed('127.0.0.1', 3001)).toBe(false);
    expect(policy.allowsAddress('127.0.0.1')).toBe(false);
  });

  it('refuses a literal address in a URL as the connection to it would be, and resolves no name', () => {
    const policy = createAddressPolicy(['10.0.0.0/8', '127.0.0.1:3000', '[::1]:443']);
    const refused = (text: string): boolean => policy.refusesLiteral(new URL(text));
    const no = ['http://169.254.169.254/', 'http://[::1]/', 'http://0x7f000001/', 'http://127.0.0.1:3001/'];
    expect(no.filter(refused)).toEqual(no);
    const yes = ['http://10.1.2.3/', 'http://127.0.0.1:3000/', 'https://[::1]/', 'http://localhost/'];
    expect([...yes, 'http://93.184.216.34/'].filter(refused)).toEqual([]);
  });

  it.each([
    ...['wiki.internal', 'localhost', '', '8080', '127', '010.0.0.1', '0x7f.0.0.1', '1.2.3.4.5'].map(
      (entry) => [entry, 'is neither CIDR nor host:port'],
    ),
    ['10.0.0.0/99', 'is not a CIDR: '],
    ['10/8', 'is not a CIDR: '],
    ['::1:80', 'can be read in two ways: write ::1:80/128, or host and port as [::1:80]:443'],
    ['fd00::1', 'can be read in two ways: write fd00::1/128'],
    ['127.0.0.1:080', 'has an invalid port'],
    ['x:65536', 'has an invalid port'],
    ['user@x:80', 'never matches: URLs have x:80'],
    ['..:80', 'has no host name'],
    ['http://x:80', 'is neither CIDR nor host:port'],
    ['8080:80', 'never matches: URLs have 0.0.31.144:80'],
    ['bücher.example:80', 'never matches: URLs have xn--bcher-kva.example:80'],
    ['[0:0:0:0:0:0:0:1]:80', 'never matches: URLs have [::1]:80'],
    ['[::ffff:127.0.0.1]:80', 'never matches: an IPv4 address inside an IPv6 one'],
    ['::ffff:10.0.0.0/104', 'never matches: an IPv4 address inside an IPv6 one'],
  ])('refuses the entry %j, and says what to write', (entry = '', why = '') => {
    const message = `allowed address ${JSON.stringify(entry)} ${why}`;
    expect(() => createAddressPolicy([entry])).toThrow(message);
  });

  it('takes every host and port in the form that URLs have', () => {
    const url = fc.tuple(fc.webAuthority(), fc.integer({ min: 1, max: 65_535 }));
    fc.assert(
      fc.property(url, ([authority, port]) => {
        const { hostname } = new URL(`http://${authority.replace(/:\d+$/, '')}:${port}/`);
        const policy = createAddressPolicy([`${hostname}:${port}`]);
        expect(policy.isExplicitlyAllowed(hostname, port)).toBe(true);
      }),
    );
  });
});
