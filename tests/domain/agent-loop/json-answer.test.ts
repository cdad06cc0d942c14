import { describe, expect, it } from 'vitest';
import { jsonIn } from '../../../domain/agent-loop/json-answer.ts';
import { answerSchema, rowsOf } from '../../../domain/agent-loop/workflows/extract.ts';
import { passagesIn } from '../../../domain/agent-loop/passages.ts';
import { passage } from '../../support/agent/loops.ts';

describe('the JSON of an answer', () => {
  it.each([
    ['alone', '{"a": 1}'],
    ['in a fence', '```json\n{"a": 1}\n```'],
    ['in a fence without a language', '```\n{"a": 1}\n```'],
    ['in a fence with spaces around', '\n ```json  \n{"a": 1}\n  ```\n'],
  ])('is read %s', (_, answer) => {
    expect(jsonIn(answer)).toEqual({ a: 1 });
  });

  it.each([
    ['with words before its fence', 'Here:\n```json\n{"a": 1}\n```'],
    ['with words behind its fence', '```json\n{"a": 1}\n```\nThat is all.'],
    ['that is cut', '{"a": '],
  ])('is none %s', (_, answer) => {
    expect(jsonIn(answer)).toBeUndefined();
  });
});

describe('the rows of an answer', () => {
  const shown = passagesIn('search', [1, 2].map((n) => passage(n)).join('\n'));
  const read = (answer: unknown, problemsOf: (row: unknown) => readonly string[] = () => []) =>
    rowsOf(JSON.stringify(answer), shown, problemsOf);

  it.each([
    ['no object', null],
    ['a list', [{ data: 1 }]],
    ['an object without rows', { row: [] }],
    ['an object whose rows are no list', { rows: {} }],
  ])('are none where it is %s', (_, answer) => {
    expect(read(answer)).toEqual({ rows: [], problems: ['the answer must be JSON: {"rows": […]}'] });
  });

  it('are those that have data, with the passages that were shown', () => {
    const rows = [{ data: { a: 1 }, passages: [2, 9] }, { data: null }, { passages: [1] }, 'row'];
    expect(read({ rows })).toEqual({
      rows: [
        { data: { a: 1 }, passages: [shown[1]] },
        { data: null, passages: [] },
      ],
      problems: [2, 3].map((place) => `rows/${place} must be an object with "data" and "passages"`),
    });
  });

  it('have at most twenty problems, each with its place', () => {
    const rows = Array.from({ length: 30 }, () => ({ data: 1 }));
    const { problems } = read({ rows }, () => ['is wrong']);
    expect(problems).toEqual(Array.from({ length: 20 }, (_, place) => `rows/${place}/data is wrong`));
  });

  it('are asked for by a schema around that of a row, with its definitions at the root', () => {
    const definitions = { $schema: 's', $defs: { d: {} }, definitions: { e: {} } };
    const row = { type: 'object', required: ['name'] };
    expect(answerSchema({ ...definitions, ...row })).toEqual({
      ...definitions,
      type: 'object',
      properties: {
        rows: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              data: row,
              passages: { type: 'array', items: { type: 'integer', minimum: 1 } },
            },
            required: ['data', 'passages'],
            additionalProperties: false,
          },
        },
      },
      required: ['rows'],
      additionalProperties: false,
    });
  });
});
