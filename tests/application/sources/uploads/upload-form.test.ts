import type { Receiving } from '../../../../application/ports/file-store.ts';
import { uniqueNames, groupFileName } from '../../../../application/sources/uploads/file-list.ts';
import { receiveForm } from '../../../../application/sources/uploads/receive-form.ts';
import {
  type UploadFields,
  type UploadPart,
  withField,
} from '../../../../application/sources/uploads/upload-area.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { createMemoryFileStore } from '../../../support/memory/file-store.ts';
import { describe, expect, it } from 'vitest';

type Told = readonly ['file', string] | readonly [field: string, value: string];

async function* partsOf(told: readonly Told[]): AsyncGenerator<UploadPart> {
  for (const [name, value] of told) {
    if (name !== 'file') yield { kind: 'field', name, value };
    else
      yield {
        kind: 'file',
        fileName: value,
        body: (async function* () {
          yield Buffer.from(`text of ${value}`);
        })(),
      };
  }
}

const memory = () => {
  const store = createMemoryFileStore();
  const put: Receiving['put'] = (source, most) => store.putStream(source, most);
  return { receive: () => ({ put, settle: async () => {} }) };
};

const received = (...told: readonly Told[]) => receiveForm(memory(), partsOf(told), async () => {});

describe('a form of files', () => {
  it('takes 2,000 times, and refuses one more as it comes, before the form has ended', async () => {
    const times = (n: number): Told => ['last_modified', JSON.stringify(Array.from({ length: n }, () => 1))];
    await expect(received(times(1_999), times(1))).rejects.toThrow('send at least one file');
    const left: Told[] = [times(1_999), times(1), times(1), times(1)];
    async function* counted(): AsyncGenerator<UploadPart> {
      for (let next = left.shift(); next !== undefined; next = left.shift()) yield* partsOf([next]);
    }
    await expect(receiveForm(memory(), counted(), async () => {})).rejects.toThrow(
      'last_modified holds more than 2000 times',
    );
    expect(left).toHaveLength(1);
  });

  it('pairs the files with their times, wherever they stand', async () => {
    const { files, name } = await received(
      ['last_modified', '1'],
      ['file', 'a.txt'],
      ['file', 'b.txt'],
      ['last_modified', '[2, 3]'],
      ['file', 'c.txt'],
      ['name', 'Files'],
    );
    expect(name).toBe('Files');
    expect(files.map((file) => [file.name, file.modified])).toEqual([
      ['a.txt', 1],
      ['b.txt', 2],
      ['c.txt', 3],
    ]);
  });

  it('takes keys with their types', async () => {
    const keys = [{ key: 'price', type: 'float' }];
    const { chunkMetadataKeys } = await received(
      ['chunk_metadata_keys', JSON.stringify(keys)],
      ['file', 'a.csv'],
      ['last_modified', '1'],
    );
    expect(chunkMetadataKeys).toEqual(keys);
  });

  it.each<readonly [what: string, told: readonly Told[]]>([
    ['no files', [['name', 'N']]],
    ['no times', [['file', 'a']]],
    ['a time that is no integer', [['last_modified', '1.5']]],
    ['a time out of this world', [['last_modified', '9000000000000000']]],
    [
      'two names',
      [
        ['name', 'A'],
        ['name', 'B'],
      ],
    ],
    ['a field of no meaning', [['colour', 'red']]],
    ['files that are none', [['files', 'text']]],
    ['a key twice', [['chunk_metadata_keys', '[{"key":"a","type":"string"},{"key":"a","type":"float"}]']]],
    ['a key with more', [['chunk_metadata_keys', '[{"key":"a","type":"string","x":1}]']]],
    ['keys that are no list', [['chunk_metadata_keys', '{"key":"a"}']]],
  ])('is refused with %s', async (_, told) => {
    const refused = await received(...told).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DomainError);
    expect((refused as DomainError).code).toBe('invalid_request');
  });
});

const NONE: UploadFields = { lastModified: [] };

const MAX_TIME = 8_640_000_000_000_000;

const taken = (name: string, value: string, before = NONE) => withField(before, name, value);

const refusal = (message: string) => ({ code: 'invalid_request', message: expect.stringContaining(message) });

const refusing = (name: string, value: string, before = NONE): unknown => {
  try {
    return taken(name, value, before);
  } catch (error) {
    return error;
  }
};

describe('the fields of a form of files', () => {
  it('are no others, which are named as they were sent', () => {
    expect(refusing('colour', 'red')).toMatchObject(
      refusal(
        '"colour" is not a part of this form: the parts are name, files, last_modified, chunk_metadata_keys',
      ),
    );
    expect((refusing('x'.repeat(101), '') as Error).message).toContain(`"${'x'.repeat(100)}"`);
    expect((refusing('\ud800', '') as Error).message).toContain('"\ufffd"');
    expect(refusing('files', 'text')).toMatchObject(
      refusal('files must be files: give each part a filename'),
    );
  });
});

describe('the name of a group', () => {
  it.each([
    [' \t', 'name must not be blank'],
    ['x'.repeat(201), 'name must have at most 200 characters'],
    ['a\0b', 'name contains a NUL character'],
  ])('is not %j', (value, message) => {
    expect(refusing('name', value)).toMatchObject(refusal(message));
  });
});

describe('when files were modified', () => {
  it.each([
    ['5', [5]],
    [' -5 ', [-5]],
    [`${MAX_TIME}`, [MAX_TIME]],
    [`-${MAX_TIME}`, [-MAX_TIME]],
    ['[]', []],
    [' [1, 2]', [1, 2]],
  ])('is an integer of milliseconds, or a list of them: %s', (value, times) => {
    expect(taken('last_modified', value).lastModified).toEqual(times);
  });

  it.each([
    '',
    'soon',
    '1.5',
    '1e3',
    '0x1',
    '1 2',
    'a1',
    '1a',
    '1'.repeat(17),
    `${MAX_TIME + 1}`,
    `-${MAX_TIME + 1}`,
    '[1, "2"]',
    '[1',
    '[1.5]',
    '[null]',
    '{"0":1}',
  ])('is nothing else: %j', (value) => {
    expect(refusing('last_modified', value)).toMatchObject(
      refusal('last_modified must be Unix epoch milliseconds, an integer for each file'),
    );
  });
});

describe('the keys of rows', () => {
  const keys = (...given: readonly unknown[]): string => JSON.stringify(given);
  const many = (count: number) => Array.from({ length: count }, (_, i) => ({ key: `k${i}`, type: 'string' }));

  it('are named with their types, once; blank is none', () => {
    const given = ['string', 'integer', 'float', 'date', 'datetime'].map((type) => ({
      key: `a ${type}`,
      type,
    }));
    const fields = taken('chunk_metadata_keys', keys(...given));
    expect(fields.chunkMetadataKeys).toEqual(given);
    expect(refusing('chunk_metadata_keys', '[]', fields)).toMatchObject(
      refusal('send chunk_metadata_keys once'),
    );
    expect(refusing('chunk_metadata_keys', '[]', taken('chunk_metadata_keys', ' '))).toMatchObject(
      refusal('send chunk_metadata_keys once'),
    );
    expect(taken('chunk_metadata_keys', ' ').chunkMetadataKeys).toEqual([]);
    expect(refusing('chunk_metadata_keys', keys(...many(2), ...many(1)))).toMatchObject(
      refusal('chunk_metadata_keys names a key twice'),
    );
  });

  it.each([
    'price',
    null,
    7,
    { type: 'string' },
    { key: 7, type: 'string' },
    { key: ' ', type: 'string' },
    { key: 'x'.repeat(201), type: 'string' },
    { key: 'a\0', type: 'string' },
    { key: 'a\ud800', type: 'string' },
    { key: 'a' },
    { key: 'a', type: 'text' },
    { key: 'a', type: 'string', more: 1 },
  ])('are not of such: %j', (key) => {
    expect(refusing('chunk_metadata_keys', keys({ key: 'well', type: 'string' }, key))).toMatchObject(
      refusal(
        'chunk_metadata_keys must be a JSON array of at most 100 objects with a key of 1 to 200 characters and ' +
          'a type: string, integer, float, date or datetime',
      ),
    );
  });

  it.each(['{"key":"a"}', 'no JSON', '7', 'null'])('are no %s', (value) => {
    expect(refusing('chunk_metadata_keys', value)).toMatchObject(
      refusal('chunk_metadata_keys must be a JSON array'),
    );
  });
});

describe('the name of a file', () => {
  const bytes = (text: string): number => new TextEncoder().encode(text).length;

  it.each([
    ['a\u2028b.txt', 'ab.txt'],
    ['a\u2029b.txt', 'ab.txt'],
    ['a\u0085b.txt', 'ab.txt'],
    ['a\tb\u007f.txt', 'ab.txt'],
    [' a.txt ', 'a.txt'],
    ['c:a.txt', 'c:a.txt'],
    ['\\a\\b.txt', 'b.txt'],
    ['a/../b.txt', 'b.txt'],
    ['a/..', 'file 7'],
    ['./..', 'file 7'],
    ['./.', 'file 7'],
    ['1:/a/b.txt', '1:/a/b.txt'],
    ['ab:/c', 'ab:/c'],
  ])('of %j is %j', (given, name) => {
    expect(groupFileName(given, 7)).toBe(name);
  });

  it('has no part of more than 255 bytes, and keeps its ending', () => {
    expect(bytes(groupFileName(`${'é'.repeat(200)}.md`, 1))).toBe(255);
    expect(groupFileName('x'.repeat(255), 1)).toHaveLength(255);
    expect(groupFileName(`${'x'.repeat(250)}.text`, 1)).toBe(`${'x'.repeat(250)}.text`);
    expect(groupFileName('x'.repeat(300), 1)).toBe('x'.repeat(255));
    expect(groupFileName(`${'a'.repeat(300)}/b.txt`, 1)).toBe(`${'a'.repeat(255)}/b.txt`);
    const ending = 'e'.repeat(20);
    expect(groupFileName(`${'x'.repeat(300)}.${ending}`, 1)).toBe(`${'x'.repeat(234)}.${ending}`);
    expect(groupFileName(`${'x'.repeat(300)}.${ending}e`, 1)).toBe('x'.repeat(255));
    expect(groupFileName(`${'x'.repeat(300)}.a.b`, 1)).toBe(`${'x'.repeat(253)}.b`);
  });

  it('is shortened from the front where the whole path has more than 1,000', () => {
    const folders = Array.from({ length: 5 }, (_, i) => `${i}${'x'.repeat(199)}`);
    expect(groupFileName([...folders.slice(1), 'y'.repeat(196)].join('/'), 1)).toHaveLength(1_000);
    expect(groupFileName([...folders.slice(1), 'y'.repeat(197)].join('/'), 1)).toBe(
      [...folders.slice(2), 'y'.repeat(197)].join('/'),
    );
  });

  it('gets a number before its ending where it comes again', () => {
    expect(uniqueNames(['a.b.txt', 'a.b.txt', 'docs.d/a', 'docs.d/a', '.x', '.x'])).toEqual([
      'a.b.txt',
      'a.b (2).txt',
      'docs.d/a',
      'docs.d/a (2)',
      '.x',
      ' (2).x',
    ]);
  });
});
