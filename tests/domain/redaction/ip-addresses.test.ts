import { describe, expect, it } from 'vitest';
import { ipDetector } from '../../../domain/redaction/detectors/ip-address.ts';

const found = (text: string): readonly string[] =>
  ipDetector.find(text, 0).map(({ start, end }) => text.slice(start, end));

describe('an address of version 4', () => {
  it.each([
    ['1.1.1.1:8', '1.1.1.1'],
    ['1.1.1.1:65535', '1.1.1.1'],
    ['1.1.1.1:655351'],
    ['1.1.1.1:8:8'],
    ['1.1.1.1:f'],
    ['::1.1.1.1', '::1.1.1.1'],
    ['1.1.1.1.:', '1.1.1.1'],
    ['\f1.1.1.1'],
    ['1.1.1.1\f'],
  ])('is all of its run, but for a port and the end of a sentence: %j', (text, ...addresses) => {
    expect(found(text)).toEqual(addresses);
  });
});

describe('an address of version 6', () => {
  it.each([
    ['1:2:3:4:5:6:7:8', true],
    ['1:2:3:4:5:6:7', false],
    ['1:2:3:4:5:6:7:8:9', false],
    ['1:2:3:4:5:6:1.2.3.4', true],
    ['1:2:3:4:5:1.2.3.4', false],
    ['1:2:3:4:5:6:7:1.2.3.4', false],
    ['1.2.3.4:2:3:4:5:6:7', false],
    ['::ffff:1.2.3.4', true],
    ['::ffff:1.2.3.256', false],
    ['1::', true],
    ['a::', false],
    ['a::b', false],
    ['a::1', true],
    ['1::2::3', false],
    ['1:2:3:4:5:6:7::', true],
    ['::2:3:4:5:6:7:8', true],
    ['1:2:3:4:5:6:7::8', false],
    ['1::2:3:4:5:6:7:8', false],
    ['12345::1', false],
    ['1::12345', false],
    ['1::g', false],
    ['FFFF::ABCD:1', true],
    ['1234:1234:1234:1234:1234:1234:255.255.255.255', true],
    ['x::1', false],
    ['_::1', false],
    ['1::1x', false],
    [':::1', false],
  ])('has eight groups, or fewer and one gap: %s is %s', (address, is) => {
    expect(found(`at ${address} now`)).toEqual(is ? [address] : []);
  });

  it.each([
    ['[::]', true],
    ['[ ::', false],
    ['::/0', true],
    ['::/x', false],
    ['x :: /0', false],
    ['on    ::', false],
    ['on::', false],
    ['::', false],
  ])('is :: in brackets, and with a prefix: %s is %s', (text, is) => {
    expect(found(text)).toEqual(is ? ['::'] : []);
  });
});

describe('looking for addresses', () => {
  it('judges a run whole where it begins inside of one', () => {
    expect(ipDetector.find('1.1.1.1', 0)).toEqual([{ start: 0, end: 7 }]);
    expect(ipDetector.find('11.1.1.1 2.2.2.2', 1)).toEqual([{ start: 9, end: 16 }]);
    expect(ipDetector.find('4.1.1.1.1', 2)).toEqual([]);
    expect(ipDetector.find(`${'x'.repeat(60)} 4.1.1.1.1`, 63)).toEqual([]);
  });
});
