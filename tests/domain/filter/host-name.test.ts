import { expect, it } from 'vitest';
import { hostName } from '../../../domain/filter/matches.ts';

it.each([
  [' Docs.Example.COM ', 'docs.example.com'],
  ['..example.com..', 'example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['Exa mple', 'exa mple'],
  ['A\0 b', 'a\uFFFD b'],
  ['', ''],
])('the host of %j is written %j', (domain, host) => expect(hostName(domain)).toBe(host));
