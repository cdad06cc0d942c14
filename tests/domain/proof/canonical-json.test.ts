import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../domain/proof/canonical-json.ts';

/** RFC 8785, section 3.2.2, and its test data of sorting in section 3.2.3. */
const RFC = JSON.parse(String.raw`{
  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
  "literals": [null, true, false]
}`);
const SORTED = JSON.parse(
  String.raw`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew","1":"One","\ud83d\ude00":"Emoji","\u0080":"Control","\u00f6":"Latin"}`,
);

describe('the canonical form of JSON', () => {
  it('is that of the examples in RFC 8785', () => {
    expect(canonicalJson(RFC)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
    expect([...canonicalJson(SORTED).matchAll(/:"(\w+)/g)].map(([, name]) => name)).toEqual([
      'Carriage',
      'One',
      'Control',
      'Latin',
      'Euro',
      'Emoji',
      'Hebrew',
    ]);
  });

  it('says the same as the value, whatever the order in which its members came', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const form = canonicalJson(value);
        expect(canonicalJson(JSON.parse(form))).toBe(form);
        expect(JSON.parse(form)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(value))).toBe(form);
      }),
    );
  });

  it('has members in order that objects have in another one, and any number of them', () => {
    const value = JSON.parse('{"b":[{"a":3,"9":2,"10":1}]}') as unknown;
    expect(canonicalJson(value)).toBe('{"b":[{"10":1,"9":2,"a":3}]}');
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":2}'))).toBe('{"__proto__":2,"b":1}');
    const names = Array.from({ length: 100 }, (_, n) => `n${n}`);
    const many = Object.fromEntries(names.map((name) => [name, 0]));
    expect(canonicalJson(many)).toBe(
      `{${names
        .toSorted()
        .map((name) => `"${name}":0`)
        .join(',')}}`,
    );
  });

  it('has a form for what JSON can escape alone', () => {
    expect(canonicalJson({ a: '\ud800', b: '\0' })).toBe(String.raw`{"a":"\ud800","b":"\u0000"}`);
    expect(canonicalJson({ a: undefined, b: -0 })).toBe('{"b":0}');
  });
});

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toReversed();
  return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)]));
};
