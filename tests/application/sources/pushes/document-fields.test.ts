import { describe, expect, it } from 'vitest';
import {
  type DocumentFields,
  withDocumentField,
} from '../../../../application/sources/pushes/document-fields.ts';
import { mustBeLocator } from '../../../../application/sources/pushes/locator.ts';

const taken = (name: string, value: string, before: DocumentFields = {}) =>
  withDocumentField(before, name, value);
const records = (...given: readonly unknown[]): string => JSON.stringify({ records: given });
/** What is refused, with the message that says why. */
const refusal = (message: string) => ({ code: 'invalid_request', message: expect.stringContaining(message) });
const refusing = (name: string, value: string, before?: DocumentFields): unknown => {
  try {
    return taken(name, value, before);
  } catch (error) {
    return error;
  }
};

describe('what is said of a document beside its bytes', () => {
  it('is its title, its address and its metadata, each beside the others', () => {
    const fields = taken('url', 'https://a.example/b', taken('title', ' A falcon '));
    expect(fields).toEqual({ title: ' A falcon ', url: 'https://a.example/b' });
    expect(taken('metadata', records(), fields)).toEqual({ ...fields, metadata: [] });
  });

  it('is said once', () => {
    for (const [name, value] of [
      ['title', 'A'],
      ['url', 'https://a.example'],
      ['metadata', records()],
    ] as const)
      expect(refusing(name, value, taken(name, value))).toMatchObject(refusal(`send ${name} once`));
  });

  it('is nothing else, which is named as it was sent', () => {
    expect(refusing('colour', 'red')).toMatchObject(
      refusal('"colour" is no field of a document: it has title, url and metadata'),
    );
    const long = refusing('x'.repeat(101), '') as Error;
    expect(long.message).toContain(`"${'x'.repeat(100)}"`);
    expect((refusing('\ud800', '') as Error).message).toContain('"\ufffd"');
    expect(refusing('toString', '')).toMatchObject(refusal('"toString" is no field'));
  });

  it('holds no NUL character', () => {
    expect(refusing('title', 'a\0b')).toMatchObject(refusal('title holds a NUL character'));
  });
});

describe('the title of a document', () => {
  it('is not blank, and has 500 characters at most', () => {
    expect(taken('title', 'x'.repeat(500)).title).toHaveLength(500);
    expect(refusing('title', 'x'.repeat(501))).toMatchObject(
      refusal('title must have at most 500 characters'),
    );
    expect(refusing('title', ' \n ')).toMatchObject(refusal('title must not be blank: leave it out'));
  });
});

describe('the address of a document', () => {
  const at = (length: number): string => `https://a.example/${'b'.repeat(length - 18)}`;

  it.each(['http://a', 'HTTPS://A.EXAMPLE', 'https://a.example/b?c#d', at(2_000)])(
    'is one of the web, as it was written: %s',
    (url) => {
      expect(taken('url', url)).toEqual({ url });
    },
  );

  it.each([
    'javascript:alert(1)',
    'ftp://a.example',
    'view https://a.example',
    'https://',
    'https:///a',
    'https://?a',
    'https://#a',
    '/a/b',
    'https://a.example/b c',
    'https://a.example/b\n',
    'https:// a',
    ' https://a.example',
  ])('is nothing that leads elsewhere, or holds blanks: %j', (url) => {
    expect(refusing('url', url)).toMatchObject(refusal('url must be an absolute http or https URL'));
  });

  it('has 2,000 characters at most', () => {
    expect(refusing('url', at(2_001))).toMatchObject(refusal('url must have at most 2000 characters'));
  });
});

describe('the metadata of a document', () => {
  it('are records with keys, values and types; without a type, texts', () => {
    const given = [
      { key: 'team', val: 'search' },
      { key: 'year', val: '2026', type: 'integer' },
      { key: 'share', val: '0.5', type: 'float' },
      { key: 'day', val: '2026-01-31', type: 'date' },
      { key: 'at', val: '2026-01-31T10:00:00Z', type: 'datetime' },
      { key: 'x'.repeat(200), val: 'y'.repeat(2_000), type: 'string' },
      { key: 'nothing', val: '' },
    ];
    expect(taken('metadata', records(...given)).metadata).toEqual(
      given.map((record) => ({ type: 'string', ...record })),
    );
  });

  it.each(['', 'no JSON', 'null', '[]', '7', '{}', '{"records":{}}', '{"records":[],"more":1}'])(
    'are one object with a list of records, and not %j',
    (value) => {
      expect(refusing('metadata', value)).toMatchObject(
        refusal('metadata must be JSON: {"records": [{"key", "val", "type"}]}'),
      );
    },
  );

  it.each([
    null,
    'key=val',
    7,
    { val: 'v' },
    { key: 'k' },
    { key: '', val: 'v' },
    { key: 7, val: 'v' },
    { key: 'k', val: 7 },
    { key: 'x'.repeat(201), val: 'v' },
    { key: 'k', val: 'x'.repeat(2_001) },
    { key: 'k\0', val: 'v' },
    { key: 'k', val: 'v\0' },
    { key: 'k\ud800', val: 'v' },
    { key: 'k', val: 'v', type: 'text' },
    { key: 'k', val: 'v', more: 1 },
  ])('have no such record: %j', (record) => {
    expect(refusing('metadata', records({ key: 'well', val: 'v' }, record))).toMatchObject(
      refusal('record 1 of metadata must be {"key", "val", "type"}: a key of 1 to 200 characters'),
    );
    expect(refusing('metadata', records(record))).toMatchObject(refusal('record 0 of metadata'));
    expect((refusing('metadata', records(record)) as Error).message).toContain(
      'a val of at most 2000, and as type string (which is the default), integer, float, date or datetime',
    );
  });

  it('have values of the types that they name', () => {
    expect(refusing('metadata', records({ key: 'year', val: 'soon', type: 'integer' }))).toMatchObject({
      name: 'DomainError',
    });
  });
});

describe('the name of a document', () => {
  const refused = (locator: string): unknown => {
    try {
      return mustBeLocator(locator);
    } catch (error) {
      return error;
    }
  };

  it('is any text of up to 2,000 characters and 2,500 bytes, which leads nowhere', () => {
    for (const locator of ['a', '../../etc/passwd', ' ', 'x'.repeat(2_000), 'é'.repeat(1_250)])
      expect(refused(locator)).toBeUndefined();
    expect(refused('x'.repeat(2_001))).toMatchObject(
      refusal('has 2001 characters and 2001 bytes of UTF-8: at most 2000 and 2500'),
    );
    expect(refused(`${'é'.repeat(1_250)}x`)).toMatchObject(refusal('1251 characters and 2501 bytes'));
  });

  it('is not empty, and holds no character that is none', () => {
    expect(refused('')).toMatchObject(refusal('the locator is empty'));
    for (const locator of ['a\0b', 'a\ud800'])
      expect(refused(locator)).toMatchObject(refusal('the locator holds a character that is none'));
  });
});
