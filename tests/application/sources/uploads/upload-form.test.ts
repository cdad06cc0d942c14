import { describe, expect, it } from 'vitest';
import { createMemoryFileStore } from '../../../support/memory/file-store.ts';
import { apart } from '../../../../application/sources/uploads/file-names.ts';
import { receiveForm } from '../../../../application/sources/uploads/receive-form.ts';
import type { Receiving } from '../../../../application/ports/file-store.ts';
import type { UploadPart } from '../../../../application/sources/uploads/upload-part.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';

describe('the name of an uploaded file', () => {
  it('is its own, with a number where another has it', () => {
    expect(apart(['a.txt', 'a.txt', 'a (2).txt', 'b', 'b', 'a.txt'])).toEqual([
      'a.txt',
      'a (2).txt',
      'a (2) (2).txt',
      'b',
      'b (2)',
      'a (3).txt',
    ]);
  });
});

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

  it('fails when the store does, without waiting for the rest of the file', async () => {
    const put = async () => {
      throw new Error('no room');
    };
    const area = { receive: () => ({ put, settle: async () => {} }) };
    const never = partsOf([['file', 'a']]);
    await expect(receiveForm(area, never, async () => {})).rejects.toThrow('no room');
  });
});
