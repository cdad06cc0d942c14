import { describe, expect, it } from 'vitest';
import { schemaCompiler } from '../../../../adapters/system/json-schema/schema-compiler.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';

const { compile } = schemaCompiler;
const refusal = (schema: object): string => {
  try {
    compile(schema as Record<string, unknown>);
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError);
    expect((error as DomainError).code).toBe('schema_invalid');
    return (error as Error).message;
  }
  throw new Error('it was taken');
};
const nested = (levels: number): object => (levels === 0 ? {} : { not: nested(levels - 1) });

describe('a schema of a caller', () => {
  it('finds what is wrong with a value, all of it and by place', () => {
    const find = compile({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1 },
        born: { type: 'string', format: 'date' },
        kind: { enum: ['person', 'ship'] },
      },
      required: ['name', 'born'],
      additionalProperties: false,
    });
    expect(find({ name: 'Ada', born: '1815-12-10', kind: 'person' })).toEqual([]);
    expect(find({ name: '', born: 'long ago', kind: 'cat', more: 1 }).toSorted()).toEqual([
      '(root) has no field "more"',
      '/born must be a date like 2026-05-31',
      '/kind must be one of person, ship',
      '/name must not be empty',
    ]);
    expect(find('Ada')).toEqual(['(root) must be an object']);
  });

  it('may refer to its own definitions, as often as it likes', () => {
    const $defs = {
      money: { type: 'number', minimum: 0 },
      item: { properties: { cost: { $ref: '#/$defs/money' } } },
    };
    const find = compile({ $defs, type: 'array', items: { $ref: '#/$defs/item' } });
    expect(find([{ cost: 1 }, { cost: 2 }])).toEqual([]);
    expect(find([{ cost: 1 }, { cost: -2 }])).toEqual(['/1/cost must be at least 0']);
  });

  it('compares items without regard to the order of keys', () => {
    const find = compile({ type: 'array', uniqueItems: true });
    expect(find([{ a: 1, b: 2 }, { a: 1 }, 1, '1', [1]])).toEqual([]);
    expect(
      find([
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).toEqual(['(root) holds the same element twice']);
  });

  it('checks ten thousand items for duplicates, and tells no more than twenty problems', () => {
    const find = compile({ type: 'array', uniqueItems: true, items: { type: 'string' } });
    expect(find(Array.from({ length: 10_000 }, (_, i) => ({ i })))).toHaveLength(1);
    expect(find(Array.from({ length: 100 }, (_, i) => i))).toHaveLength(20);
  });

  it.each([
    ['a regular expression', { type: 'string', pattern: '^(a+)+$' }, 'schema: pattern is refused'],
    ['expressions for names', { patternProperties: { '(a+)+$': {} } }, 'patternProperties is refused'],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema.json' }, '$ref must lead'],
    ['a reference to nothing', { $ref: '#/$defs/none', $defs: {} }, '$ref must lead'],
    ['a reference to what every object has', { $ref: '#/$defs/constructor', $defs: {} }, '$ref must lead'],
    ['recursion through the root', { properties: { a: { $ref: '#' } } }, '$ref must lead'],
    ['recursion', { $defs: { a: { items: { $ref: '#/$defs/a' } } } }, 'recursion is not supported'],
    ['a dynamic reference', { $dynamicRef: '#a' }, '"$dynamicRef" is not supported'],
    ['an id', { $id: 'https://example.com/mine' }, '"$id" is not supported'],
    ['an unknown keyword', { type: 'object', colour: 'red' }, '"colour" is not supported'],
    ['definitions within', { properties: { a: { $defs: {} } } }, '$defs stands at the root only'],
    ['another draft', { $schema: 'http://json-schema.org/draft-07/schema#' }, '$schema must be that of'],
    ['an unknown format', { type: 'string', format: 'regex' }, 'schema/format: must be one of date, time'],
    ['half a rule', { minContains: 2 }, 'schema: "minContains" without "contains" is ignored'],
    ['no schema', { properties: { a: 1 } }, 'schema/properties/a: a schema is an object or a boolean'],
    ['no list', { anyOf: {} }, 'schema/anyOf: must be a list of schemas'],
    ['too many levels', nested(40), 'nested deeper than 32 levels'],
    [
      'a deep value',
      { const: JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as object },
      'nested deeper',
    ],
    ['too long a text', { description: 'x'.repeat(33_000) }, 'longer than 32000 characters'],
  ])('is refused for %s', (_what, schema, reason) => {
    expect(refusal(schema)).toContain(reason);
  });

  it('is refused for references that double at every step', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => {
        const next = { $ref: `#/$defs/d${i + 1}` };
        return [`d${i}`, i === 29 ? {} : { allOf: [next, next] }];
      }),
    );
    expect(refusal({ $defs, $ref: '#/$defs/d0' })).toContain('with all references written out');
  });

  it('does not take what every object inherits for a property', () => {
    const find = compile(
      JSON.parse('{"type":"object","required":["constructor"]}') as Record<string, unknown>,
    );
    expect(find({})).toEqual(['(root) lacks the field "constructor"']);
  });
});
