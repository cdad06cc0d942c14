import { describe, expect, it } from 'vitest';
import { createShownFilter, parseWhere } from '../../../application/audit/where.ts';
import type { JsonValue } from '../../../application/ports/event-store.ts';

const EVENT = {
  position: 'p',
  recordedAt: 0,
  id: 'e',
  stream: 'source-1',
  revision: 4n,
  type: 'SourceIndexed',
  data: { 'a/b~c': null, list: ['x', { n: 1, m: 2 }], empty: {} },
  metadata: { tenant: 't', actor: { kind: 'api_key', id: 'k' }, $causationId: 'cause' },
};

describe('conditions on values of an event', () => {
  it.each<readonly [string, JsonValue, boolean]>([
    ['/revision', 4, true],
    ['/revision', '4', false],
    ['/actor/kind', 'api_key', true],
    ['/actor/tenant', 't', true],
    ['/causation_id', 'cause', true],
    ['/trace_id', null, true],
    ['/data/a~1b~0c', null, true],
    ['/data/list/0', 'x', true],
    ['/data/list/1', { m: 2, n: 1 }, true],
    ['/data/list/2', null, false],
    ['/data/list/length', 2, false],
    ['/data/empty', {}, true],
    ['/data/absent', null, false],
    ['/data/absent/deeper', null, false],
    ['/data/constructor/name', 'Object', false],
  ])('%s is %j: %s', (pointer, value, holds) => {
    expect(createShownFilter({ where: parseWhere(JSON.stringify({ [pointer]: value })) })(EVENT)).toBe(holds);
  });

  it('hold together', () => {
    expect(createShownFilter({ where: { '/revision': 4, '/id': 'e' } })(EVENT)).toBe(true);
    expect(createShownFilter({ where: { '/revision': 4, '/id': 'f' } })(EVENT)).toBe(false);
  });

  it('hold beside the beginning of the name of the stream', () => {
    const where = { '/id': 'e' };
    expect(createShownFilter({ where, streamPrefix: 'sou' })(EVENT)).toBe(true);
    expect(createShownFilter({ where, streamPrefix: 'source-2' })(EVENT)).toBe(false);
    expect(createShownFilter({ streamPrefix: 'source-1' })(EVENT)).toBe(true);
  });

  it.each([
    ['data', 'where is an object of JSON, as {"/data/job_id"'],
    ['[]', 'where is an object of JSON'],
    ['{}', 'where has 1 to 20 conditions'],
    [
      JSON.stringify(Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`/data/${i}`, i]))),
      'where has 1',
    ],
    ['{"data.job_id":1}', 'JSON Pointers (RFC 6901) such as /data/job_id, not "data.job_id"'],
    ['{"/data/~2":1}', 'JSON Pointers (RFC 6901)'],
    ['{"/job_id":1}', '/job_id must begin with one of /id, /stream'],
  ])('that are no such thing are refused: %s', (text, told) => {
    const refused = { code: 'invalid_request', message: expect.stringContaining(told) as string };
    expect(() => parseWhere(text)).toThrow(expect.objectContaining(refused));
  });
});
