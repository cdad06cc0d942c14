import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ChunkSetUnreadable,
  parseChunkSet,
  serialiseChunkSet,
  type ChunkSet,
} from '../../../domain/chunking/chunk-set.ts';
import { createHash } from 'node:crypto';
import { contentId } from '../../../domain/chunking/content-id.ts';
import { anyCharacter } from '../../support/any-character.ts';

const STORED = `{"format":1,"source":{"title":"Vacuum","url":"https://example.org/v.html","file_type":"html","language":"en"},"keywords":["vacuum"],"chunks":[{"text":"Vacuum\\n\\nReclaims space.","heading_path":["Vacuum"],"page_number":0,"token_count":6,"text_hash":"ab","occurrence":0}]}`;

const chunkSet: fc.Arbitrary<ChunkSet> = fc.record({
  format: fc.constant(1 as const),
  source: fc.record(
    {
      title: fc.string({ unit: anyCharacter }),
      url: fc.option(fc.webUrl()),
      fileType: fc.constantFrom('html', 'pdf'),
      language: fc.constantFrom('en', 'ko'),
    },
    { requiredKeys: ['title', 'url', 'fileType'] },
  ),
  keywords: fc.array(fc.string(), { maxLength: 8 }),
  chunks: fc.array(
    fc.record(
      {
        text: fc.string({ unit: anyCharacter }),
        headingPath: fc.array(fc.string(), { maxLength: 3 }),
        pageNumber: fc.nat(),
        tokenCount: fc.nat(400),
        textHash: fc.string(),
        occurrence: fc.nat(9),
        metadata: fc.array(
          fc.record({
            key: fc.string(),
            val: fc.string(),
            type: fc.constantFrom('string', 'integer', 'float', 'date', 'datetime'),
          }),
        ),
        lines: fc.record({ first: fc.nat(), last: fc.nat() }),
      },
      { requiredKeys: ['text', 'headingPath', 'pageNumber', 'tokenCount', 'textHash', 'occurrence'] },
    ),
    { maxLength: 4 },
  ),
});

const reordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reordered(inner)]),
  );
};

describe('a chunk set', () => {
  it('is read back as it was written', () => {
    fc.assert(
      fc.property(chunkSet, (set) => {
        expect(parseChunkSet(serialiseChunkSet(set))).toEqual(set);
      }),
    );
  });

  it('has the same bytes whatever the order of its keys in memory', () => {
    fc.assert(
      fc.property(chunkSet, (set) => {
        expect(serialiseChunkSet(reordered(set) as ChunkSet)).toBe(serialiseChunkSet(set));
      }),
    );
  });

  it('reads and writes the stored example of format 1 unchanged', () => {
    const set = parseChunkSet(STORED);
    expect(set.chunks[0]).toMatchObject({ headingPath: ['Vacuum'], tokenCount: 6 });
    expect(serialiseChunkSet(set)).toBe(STORED);
  });

  it('drops fields that it does not know', () => {
    expect(parseChunkSet(STORED.replace('"format":1', '"format":1,"later":true'))).not.toHaveProperty(
      'later',
    );
  });

  const withChunk = (more: string): string => STORED.replace('"occurrence":0', `"occurrence":0,${more}`);
  it.each([
    ['not JSON', '{'],
    ['format 2 is not 1', STORED.replace('"format":1', '"format":2')],
    ['chunk set is not an object', '[]'],
    ['chunk set is not an object', '7'],
    ['chunk set is not an object', 'null'],
    ['source is not an object', '{"format":1,"source":"x"}'],
    ['title is not a string', STORED.replace('"title":"Vacuum",', '')],
    ['title is not a string', STORED.replace('"Vacuum"', '7')],
    ['url is not a string', STORED.replace('"https://example.org/v.html"', 'false')],
    ['language is not a string', STORED.replace('"en"', 'null')],
    ['page_number is not a count', STORED.replace('"page_number":0', '"page_number":-1')],
    ['page_number is not a count', STORED.replace('"page_number":0', '"page_number":"0"')],
    ['token_count is not a count', STORED.replace('"token_count":6', '"token_count":0.5')],
    ['occurrence is not a count', STORED.replace('"occurrence":0', '"occurrence":1e300')],
    ['keywords contains something other than strings', STORED.replace('["vacuum"]', '["vacuum",1]')],
    ['keywords is not an array', STORED.replace('["vacuum"]', '"vacuum"')],
    ['chunks is not an array', STORED.replace(/"chunks":.*\}/s, '"chunks":{}}')],
    ['chunk is not an object', STORED.replace(/"chunks":.*\}/s, '"chunks":[null]}')],
    ['metadata record is not an object', withChunk('"metadata":[1]')],
    ['type of a metadata record is unknown', withChunk('"metadata":[{"key":"a","val":"b","type":"x"}]')],
    ['val is not a string', withChunk('"metadata":[{"key":"a","val":1,"type":"string"}]')],
    ['lines is not an array', withChunk('"lines":3')],
    ['last is not a count', withChunk('"lines":[3]')],
  ])('is refused, as its %s', (problem, text) => {
    const refused = expect.objectContaining({ name: 'ChunkSetUnreadable', message: problem });
    expect(() => parseChunkSet(text)).toThrow(ChunkSetUnreadable);
    expect(() => parseChunkSet(text)).toThrow(refused);
  });
});

const digest = (text: string): Uint8Array => createHash('sha256').update(text, 'utf8').digest();
const source = '0198c1f0-7c1e-7000-8000-000000000001';

describe('contentId', () => {
  it('is the same for the same source, text and occurrence', () => {
    const id = contentId(source, { textHash: 'ab', occurrence: 0 }, digest);
    expect(contentId(source, { textHash: 'ab', occurrence: 0 }, digest)).toBe(id);
    expect(id).toBe('7b5943e8-9f72-8282-90d5-7f3d99130b8b');
  });

  it('differs with source, text and occurrence', () => {
    const ids = [
      contentId(source, { textHash: 'ab', occurrence: 0 }, digest),
      contentId(source, { textHash: 'ab', occurrence: 1 }, digest),
      contentId(source, { textHash: 'ac', occurrence: 0 }, digest),
      contentId(source.replace('1', '2'), { textHash: 'ab', occurrence: 0 }, digest),
    ];
    expect(new Set(ids).size).toBe(4);
  });
});
