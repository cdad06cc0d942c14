import { describe, expect, it } from 'vitest';
import { SCOPES } from '../../../../domain/api-key/decider.ts';
import { toolsOver } from './knowledge-tools.ts';

interface Schema {
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
const offered = toolsOver().tools({ scopes: SCOPES, sourceGroupIds: null });
const schemaOf = (name: string, part: 'parameters' | 'result', ...path: readonly string[]): Schema =>
  path.reduce<Schema>(
    (schema, step) => (step === '[]' ? schema.items! : schema.properties![step]!),
    offered.find((tool) => tool.name === name)![part] as Schema,
  );
const optionalIn = ({ properties = {}, required = [] }: Schema): readonly string[] =>
  Object.keys(properties).filter((field) => !required.includes(field));

describe('what a tool says of its results', () => {
  it.each([
    ['search', [], ['corrected_query']],
    ['search', ['results', '[]'], []],
    ['search', ['results', '[]', 'content'], []],
    ['ask', [], []],
    ['get_content', [], []],
    ['list_sources', [], []],
    ['list_sources', ['pagination'], ['next_id']],
    ['list_sources', ['sources', '[]'], ['file_type', 'skip_reason', 'indexed_time']],
    ['status', ['source_groups', '[]'], ['job']],
    ['status', ['source_groups', '[]', 'job'], ['start_time', 'end_time', 'error']],
    ['status', ['source_groups', '[]', 'job', 'error'], []],
  ])('is which fields may be absent: %s %j', (name, path, fields) => {
    const schema = schemaOf(name, 'result', ...path);
    expect(optionalIn(schema)).toEqual(fields);
    expect(schema.required?.every((field) => field in schema.properties!)).toBe(true);
  });
});

describe('what a tool asks for', () => {
  it.each([
    ['search', ['query']],
    ['ask', ['question']],
    ['get_content', ['id']],
    ['list_sources', undefined],
    ['status', undefined],
  ])('is no more than it needs: %s', (name, needed) => {
    expect(schemaOf(name, 'parameters').required).toEqual(needed);
  });
});
