import { describe, expect, it } from 'vitest';
import { schemaCompiler } from '../../../../adapters/system/json-schema/schema-compiler.ts';
import type { FindProblems } from '../../../../application/ports/compilers.ts';
import { SCOPES } from '../../../../domain/api-key/decider.ts';
import { toolsOver, uuid } from './knowledge-tools.ts';

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}
const offered = toolsOver().tools({ scopes: SCOPES, sourceGroupIds: null });

/** A schema and all that stand in it, each with the way to it. */
const within = (at: string, schema: Schema): readonly (readonly [string, Schema])[] => [
  [at, schema],
  ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => within(`${at}.${name}`, one)),
  ...(schema.items === undefined ? [] : within(`${at}[]`, schema.items)),
];

describe('what an agent is offered', () => {
  it('changes nothing, but for questions, which are kept', () => {
    expect(offered.filter(({ readOnly }) => !readOnly).map(({ name }) => name)).toEqual(['ask']);
  });
});

const text = (length: number): string => 'x'.repeat(length);
const many = (count: number, one: unknown): readonly unknown[] => Array.from({ length: count }, () => one);
const LAST_SECOND = 253_402_300_799;
const QUERY = { query: 'x' };

/** The most and the least that each argument takes, and what lies beyond. */
const BOUNDS: readonly (readonly [string, object, string, readonly unknown[], readonly unknown[]])[] = [
  ['search', {}, 'query', ['x', text(4_000)], ['', text(4_001)]],
  ['search', QUERY, 'limit', [1, 50], [0, 51, 1.5]],
  ['search', QUERY, 'mode', ['hybrid', 'keyword', 'vector'], ['', 'psychic']],
  ['search', QUERY, 'source_group_ids', [[], many(100, uuid(1))], [many(101, uuid(1)), ['1']]],
  ['search', QUERY, 'tags', [many(100, text(200))], [many(101, 'x'), [text(201)], [1]]],
  ['search', QUERY, 'source_types', [many(100, 'crawl')], [many(101, 'crawl'), ['dream']]],
  ['search', QUERY, 'file_types', [many(100, text(20)), ['x']], [many(101, 'x'), [text(21)], ['']]],
  ['search', QUERY, 'domains', [many(100, text(253)), ['x']], [many(101, 'x'), [text(254)], ['']]],
  ['search', QUERY, 'date_from', [0, LAST_SECOND], [-1, LAST_SECOND + 1]],
  ['search', QUERY, 'date_to', [0, LAST_SECOND], [-1, LAST_SECOND + 1]],
  ['search', QUERY, 'source_metadata', [{}], ['', []]],
  ['search', QUERY, 'chunk_metadata', [{}], ['', []]],
  ['search', QUERY, 'principal_id', ['', text(256)], [text(257)]],
  ['search', QUERY, 'authz_policy', ['x', text(64)], ['', text(65)]],
  ['ask', {}, 'question', ['x', text(20_000)], ['', text(20_001)]],
  ['ask', { question: 'x' }, 'limit', [1, 50], [0, 51]],
  ['ask', { question: 'x' }, 'conversation_id', [uuid(1)], ['', `urn:uuid:${uuid(1)}`]],
  ['ask', { question: 'x' }, 'tags', [['x']], [[1]]],
  ['get_content', {}, 'id', [uuid(1)], ['1']],
  ['list_sources', {}, 'source_group_id', [uuid(1)], ['1']],
  ['list_sources', {}, 'source_type', ['crawl'], ['dream']],
  ['list_sources', {}, 'file_type', ['x', text(20)], ['', text(21)]],
  ['list_sources', {}, 'url', ['x', text(2_048)], ['', text(2_049)]],
  ['list_sources', {}, 'limit', [1, 100], [0, 101]],
  ['list_sources', {}, 'after', [uuid(1)], ['1']],
  ['status', {}, 'source_group_id', [uuid(1)], ['1']],
  ['status', {}, 'limit', [1, 100], [0, 101]],
  ['status', {}, 'after', [uuid(1)], ['1']],
];

const compiled = new Map<string, FindProblems>(
  offered.map(({ name, parameters }) => [name, schemaCompiler.compile(parameters)]),
);

it.each(BOUNDS)('%s %j takes a %s within its bounds', (name, others, field, taken, refused) => {
  const problemsOf = compiled.get(name)!;
  const isTaken = (value: unknown): boolean => problemsOf({ ...others, [field]: value }).length === 0;
  expect(taken.map(isTaken)).toEqual(taken.map(() => true));
  expect(refused.map(isTaken)).toEqual(refused.map(() => false));
});
