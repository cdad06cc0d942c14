import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatTraceparent,
  normaliseTracestate,
  parseTraceparent,
  traceIdOf,
} from '../../domain/trace-context.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const hex = (length: number): fc.Arbitrary<string> =>
  fc
    .string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
    .filter((digits) => /[^0]/.test(digits));
const context = fc.record({
  traceId: hex(32),
  parentId: hex(16),
  sampled: fc.boolean(),
  random: fc.boolean(),
});

describe('traceparent', () => {
  it('is read back as it was written', () => {
    fc.assert(
      fc.property(context, (trace) => {
        const header = formatTraceparent(trace);
        expect(header).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[0-3]$/);
        expect(parseTraceparent(header)).toEqual(trace);
        expect(traceIdOf(header)).toBe(trace.traceId);
      }),
    );
  });

  it('is taken from spaces around it and with any flags, of which two are known', () => {
    fc.assert(
      fc.property(context, fc.nat(255), fc.stringMatching(/^[ \t]{0,3}$/), (trace, flags, space) => {
        const header = `00-${trace.traceId}-${trace.parentId}-${flags.toString(16).padStart(2, '0')}`;
        const [sampled, random] = [flags % 2 === 1, flags % 4 > 1];
        expect(parseTraceparent(space + header + space)).toEqual({ ...trace, sampled, random });
      }),
    );
  });

  it('of a later version may go on after a dash, and only so', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 254 }),
        context,
        fc.stringMatching(/^[!-~]{0,20}$/),
        (v, trace, rest) => {
          const later = formatTraceparent(trace).replace(/^00/, v.toString(16).padStart(2, '0'));
          expect(parseTraceparent(later)).toEqual(trace);
          expect(parseTraceparent(`${later}-${rest}`)).toEqual(trace);
          expect(parseTraceparent(`${later}.${rest}`)).toBeUndefined();
          expect(parseTraceparent(`${formatTraceparent(trace)}-${rest}`)).toBeUndefined();
        },
      ),
    );
  });

  it('is invalid in upper case', () => {
    fc.assert(
      fc.property(context, (trace) => {
        const header = formatTraceparent({ ...trace, traceId: `${trace.traceId.slice(1)}a` });
        expect(parseTraceparent(header.toUpperCase())).toBeUndefined();
      }),
    );
  });

  it.each([
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}-001`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE.slice(1)}-${SPAN}-01`,
    `0-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01\n`,
    `00_${TRACE}_${SPAN}_01`,
    '',
  ])('is invalid as %j', (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
    expect(traceIdOf(header)).toBeNull();
  });

  it('has no trace id where there is none', () => {
    expect([traceIdOf(undefined), traceIdOf(null)]).toEqual([null, null]);
  });
});

describe('tracestate', () => {
  const key = fc.stringMatching(/^[a-z0-9][a-z0-9_\-*/@]{0,20}$/);
  const value = fc.stringMatching(/^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,20}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/);
  const members = fc.uniqueArray(fc.tuple(key, value), {
    minLength: 1,
    maxLength: 32,
    selector: ([name]) => name,
  });

  it('is kept as it is when it is well formed', () => {
    fc.assert(
      fc.property(members, (list) => {
        const header = list.map(([name, text]) => `${name}=${text}`).join(',');
        expect(normaliseTracestate(header)).toBe(header);
      }),
    );
  });

  it('gives a list that is kept as it is, or nothing, from any text', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[ab=, \t@A]{0,30}$/));
    fc.assert(
      fc.property(text, (header) => {
        const kept = normaliseTracestate(header);
        expect(normaliseTracestate(kept)).toBe(kept);
      }),
      { numRuns: 1000 },
    );
  });

  const many = (count: number): string =>
    Array.from({ length: count }, (_, index) => `k${index}=1`).join(',');

  it.each([
    ['foo=1,bar=2', 'foo=1,bar=2'],
    [' foo=1 ,\t, bar=2,', 'foo=1,bar=2'],
    ['foo=1,bar=2,foo=3', 'foo=1,bar=2'],
    ['foo= 1', 'foo= 1'],
    ['0tenant@vendor=x', '0tenant@vendor=x'],
    [`${'k'.repeat(256)}=${'v'.repeat(256)}`, `${'k'.repeat(256)}=${'v'.repeat(256)}`],
    [many(32), many(32)],
  ])('%j becomes %j', (header, kept) => expect(normaliseTracestate(header)).toBe(kept));

  it.each([
    undefined,
    '',
    ' , ',
    'foo',
    'foo=',
    '=1',
    'Foo=1',
    '@foo=1',
    'foo=1=2',
    'foo=1;bar=é',
    'foo =1',
    'foo=1\n',
    `${'k'.repeat(257)}=1`,
    `k=${'v'.repeat(257)}`,
    'ok=1,not ok=2',
    many(33),
  ])('is dropped as %j', (header) => expect(normaliseTracestate(header)).toBeUndefined());
});
