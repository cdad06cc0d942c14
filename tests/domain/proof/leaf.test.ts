import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sha256Bytes } from '../../../adapters/system/proof.ts';
import { leafOf, type StoredEvent } from '../../../domain/proof/leaf.ts';
import { entryBundle, parseTilePath, widthOf } from '../../../domain/proof/tiles.ts';

const salt = (id: string, field: string): Uint8Array => Buffer.from(`${id} ${field}`);
const event = (stream: string, data: StoredEvent['data']): StoredEvent => ({
  id: 'e1',
  stream,
  revision: 3n,
  type: 'T',
  data,
  metadata: { tenant: 't' },
});
const leaf = (stream: string, data: StoredEvent['data']): string =>
  leafOf(sha256Bytes, salt, event(stream, data));

describe('the leaf of an event', () => {
  it('is its canonical form', () => {
    expect(leaf('tag-1', { b: 1, a: 'x' })).toBe(
      '{"data":{"a":"x","b":1},"id":"e1","metadata":{"tenant":"t"},"revision":3,"stream":"tag-1","type":"T"}',
    );
  });

  it('has salted hashes of what a reader may not see, in streams that have such fields alone', () => {
    const title = createHash('sha256').update('e1 title').update('"A \\"B\\""').digest('base64');
    expect(leaf('source-1', { title: 'A "B"', n: 1 })).toBe(
      `{"data":{"n":1},"hidden":{"title":"${title}"},"id":"e1","metadata":{"tenant":"t"},"revision":3,"stream":"source-1","type":"T"}`,
    );
    expect(leaf('source-1', { title: null })).toContain('"hidden":{"title":"');
    expect(leaf('tag-1', { title: 'A' })).toContain('"data":{"title":"A"}');
    expect(leaf('apiKey-1', { key_hash: 'k', name: 'n' })).toContain(
      '"data":{"name":"n"},"hidden":{"key_hash":"',
    );
    expect(leaf('source-1', { n: 1 })).not.toContain('hidden');
  });

  it('has the hash of data that would make it longer than an entry may be', () => {
    const empty = leaf('tag-1', { text: '' });
    const room = 65_535 - Buffer.byteLength(empty);
    expect(Buffer.byteLength(leaf('tag-1', { text: 'x'.repeat(room) }))).toBe(65_535);
    const data = { text: 'ä'.repeat(room / 2 + 1) };
    const hash = createHash('sha256').update(JSON.stringify(data)).digest('base64');
    expect(leaf('tag-1', data)).toBe(
      `{"data_hash":"${hash}","id":"e1","metadata":{"tenant":"t"},"revision":3,"stream":"tag-1","type":"T"}`,
    );
  });
});

describe('a tile', () => {
  it.each([
    ['0/000', { level: 0, index: 0, width: 256 }],
    ['1/067.p/112', { level: 1, index: 67, width: 112 }],
    ['0/x001/x234/067', { level: 0, index: 1_234_067, width: 256 }],
    ['entries/x001/000.p/1', { level: null, index: 1_000, width: 1 }],
  ])('is named as C2SP says: %s', (path, name) => {
    expect(parseTilePath(path)).toEqual(name);
  });

  it.each([
    '',
    '0',
    '0/0',
    '0/1000',
    '00/000',
    '64/000',
    '0/x000/001',
    '0/000.p/0',
    '0/000.p/256',
    '0/000.p/257',
    'x/000',
  ])('is not named %j', (path) => {
    expect(parseTilePath(path)).toBeNull();
  });

  it('has as many hashes as there are', () => {
    expect([widthOf(0, 0, 300), widthOf(0, 1, 300), widthOf(0, 2, 300)]).toEqual([256, 44, 0]);
    expect([widthOf(1, 0, 300), widthOf(null, 1, 300), widthOf(2, 0, 65_535)]).toEqual([1, 44, 0]);
    expect(Buffer.from(entryBundle(['ab', 'ä'])).toString('hex')).toBe('000261620002c3a4');
  });
});
