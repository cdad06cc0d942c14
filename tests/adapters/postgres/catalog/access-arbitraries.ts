import fc from 'fast-check';
import type { Attributes, PolicyFilter } from '../../../../domain/authz/policy-filter.ts';

/** What a random document is made of; it has a chunk for each heading. */
export interface RawDocument {
  readonly departments: readonly string[];
  readonly level: number | null;
  readonly headings: readonly string[];
  readonly fileType: 'html' | 'pdf';
}

/** A policy, and what is known of whoever asks. */
export interface RawPolicy {
  readonly onSources: PolicyFilter | null;
  readonly onChunks: PolicyFilter | null;
  readonly attributes: Attributes;
}

const DEPARTMENTS = ['sales', 'legal', 'support'];
const HEADINGS = ['Open', 'Internal', 'Secret'];

const about = {
  departments: fc.subarray(DEPARTMENTS),
  level: fc.option(fc.integer({ min: 0, max: 3 })),
  fileType: fc.constantFrom('html' as const, 'pdf' as const),
};
const documentArbitrary = fc.record({
  ...about,
  headings: fc.array(fc.constantFrom(...HEADINGS), { maxLength: 3 }),
});
/** Headings that differ, so that a policy may see a part of it. */
const mixedDocument = fc.record({ ...about, headings: fc.shuffledSubarray(HEADINGS, { minLength: 2 }) });

/** One to five documents, the first of them mostly one that a policy may see in part. */
export const documentSets: fc.Arbitrary<readonly RawDocument[]> = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: mixedDocument }, { weight: 1, arbitrary: documentArbitrary }),
    fc.array(documentArbitrary, { maxLength: 4 }),
  )
  .map(([first, rest]) => [first, ...rest]);

const operand = fc.constantFrom<unknown>({ subject: 'a' }, { subject: 'b' }, 'sales', 'Open');
const conditionOf = (keys: readonly string[]) =>
  fc
    .record({
      key: fc.constantFrom(...keys),
      operator: fc.constantFrom('eq', 'ne', 'in', 'nin', 'lte'),
      val: operand,
    })
    .map(({ key, operator, val }) => ({
      key,
      operator,
      val: typeof val === 'string' && ['in', 'nin'].includes(operator) ? [val] : val,
    }));
const policyOf = (...keys: readonly string[]): fc.Arbitrary<PolicyFilter | null> =>
  fc.option(
    fc.record({
      logic: fc.constantFrom('AND' as const, 'OR' as const),
      filters: fc.array(conditionOf(keys), { maxLength: 2 }),
      groups: fc.array(fc.record({ filters: fc.array(conditionOf(keys), { maxLength: 2 }) }), {
        maxLength: 1,
      }),
    }),
    { freq: 4 },
  );
const attributes: fc.Arbitrary<Attributes> = fc.dictionary(
  fc.constantFrom('a', 'b'),
  fc.oneof(
    fc.constantFrom(...DEPARTMENTS, ...HEADINGS),
    fc.integer({ min: 0, max: 3 }),
    fc.subarray([...DEPARTMENTS, ...HEADINGS]),
  ),
  { noNullPrototype: true },
);
const anyPolicy: fc.Arbitrary<RawPolicy> = fc.record({
  onSources: policyOf('department', 'level'),
  onChunks: policyOf('heading'),
  attributes,
});
/** One heading of all sources. */
const oneHeading: fc.Arbitrary<RawPolicy> = fc.record({
  onSources: fc.constant(null),
  onChunks: fc
    .constantFrom(...HEADINGS)
    .map((val): PolicyFilter => ({ filters: [{ key: 'heading', operator: 'eq', val }] })),
  attributes,
});

/** So many policies, and one that sees documents in part. */
export const policySets = (many: number): fc.Arbitrary<readonly RawPolicy[]> =>
  fc
    .tuple(fc.array(anyPolicy, { minLength: many, maxLength: many }), oneHeading)
    .map(([some, last]) => [...some, last]);
