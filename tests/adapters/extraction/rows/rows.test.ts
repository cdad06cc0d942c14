import { afterAll, describe, expect, it } from 'vitest';
import type { DeclaredKey } from '../../../../application/ports/document-reader.ts';
import { relations, rowsOf, xlsxFile } from '../corpus/open-xml.ts';
import { createReading } from '../corpus/reading.ts';

const reading = createReading();
afterAll(() => reading.remove());

const chunkMetadataKeys: readonly DeclaredKey[] = [
  { key: 'price', type: 'float' },
  { key: 'made', type: 'date' },
  { key: 'Maker', type: 'string' },
];
const textAndMetadata = async (...of: Parameters<typeof reading.document>) => {
  const { chunkSet } = await reading.document(...of);
  return chunkSet.chunks.map(({ text, metadata }) => [
    text,
    ...metadata!.map(({ key, val, type }) => `${key}=${val} (${type})`),
  ]);
};

describe('lines of JSON', () => {
  it('are a content each: their text, and the declared fields as typed metadata', async () => {
    const lines = [
      '{"text": "A nut.", "price": 0.2, "made": "2024-01-31", "maker": "ACME", "other": 1}',
      '',
      '{"text": "A bolt.", "price": "1.5", "made": null}',
      '{"name": "Screw", "size": 4, "sold": true, "maker": "ACME", "tags": ["a"]}',
    ];
    const request = { fileName: 'parts.jsonl', chunkMetadataKeys };
    expect(await textAndMetadata(lines.join('\r\n'), request)).toEqual([
      ['A nut.', 'price=0.2 (float)', 'made=2024-01-31 (date)', 'Maker=ACME (string)'],
      ['A bolt.', 'price=1.5 (float)'],
      ['name: Screw\nsize: 4\nsold: true\ntags: ["a"]', 'Maker=ACME (string)'],
    ]);
    expect(await reading.document(lines.join('\n'), request)).not.toHaveProperty('rowErrors');
  });

  it('that are none, or hold a value of another type, are errors of their own', async () => {
    const lines = [
      '{"text": "a", "price": "dear"}',
      '{',
      '[1]',
      '{"price": 1}',
      '{"text": "b", "price": {}}',
      '{"text": ""}',
    ];
    const { rowErrors, rowErrorCount, chunkSet } = await reading.document(lines.join('\n'), {
      fileName: 'a.jsonl',
      chunkMetadataKeys,
    });
    expect(rowErrors).toEqual([
      { row: 1, key: 'price', message: 'it is no float' },
      { row: 2, key: null, message: 'it is not a JSON object' },
      { row: 3, key: null, message: 'it is not a JSON object' },
      { row: 5, key: 'price', message: 'it is no float' },
      { row: 6, key: null, message: 'it has no text' },
    ]);
    expect(rowErrorCount).toBe(5);
    expect(chunkSet.chunks.map(({ text, metadata }) => [text, metadata])).toEqual([
      ['a', []],
      ['price: 1', [{ key: 'price', val: '1', type: 'float' }]],
      ['b', []],
    ]);
  });

  it('keep numbers as they are written where a computer would round them', async () => {
    const lines = [
      '{"text": "a", "Maker": 12345678901234567890, "price": 0.1234567890123456789}',
      '{"text": "b", "Maker": 2.0, "price": 1e2}',
      '{"id": 9007199254740993, "far": 1e400, "ids": [{"id": -12345678901234567890}]}',
    ];
    expect(await textAndMetadata(lines.join('\n'), { fileName: 'a.jsonl', chunkMetadataKeys })).toEqual([
      ['a', 'price=0.1234567890123456789 (float)', 'Maker=12345678901234567890 (string)'],
      ['b', 'price=100 (float)', 'Maker=2 (string)'],
      ['id: 9007199254740993\nfar: 1e400\nids: [{"id":-12345678901234567890}]'],
    ]);
  });

  it('that are nested too deep are errors of their own', async () => {
    const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const { rowErrors, units } = await reading.document(`{"text":"one"}\n${deep}\n{"text":"two"}`, {
      fileName: 'a.jsonl',
    });
    expect(rowErrors).toEqual([{ row: 2, key: null, message: 'it is nested too deeply' }]);
    expect(units!.map(({ text }) => text)).toEqual(['one', 'two']);
  });

  it('keep a thousand errors, and count them all', async () => {
    const { rowErrors, rowErrorCount } = await reading.document(`{"text":"x"}\n${'no\n'.repeat(1_200)}`, {
      fileName: 'a.jsonl',
    });
    expect([rowErrors?.length, rowErrorCount]).toEqual([1_000, 1_200]);
  });

  it('are no file of such lines where none is one', async () => {
    expect(await reading.outcome('no\nlines', { fileName: 'a.jsonl' })).toMatchObject({
      code: 'mislabelled',
    });
  });

  it('that are too long for one chunk become several with the same metadata', async () => {
    const text = 'A sentence of some length that says little. '.repeat(200);
    const { chunkSet } = await reading.document(JSON.stringify({ text, price: 2 }), {
      fileName: 'a.jsonl',
      chunkMetadataKeys,
    });
    expect(chunkSet.chunks.length).toBeGreaterThan(3);
    for (const { metadata } of chunkSet.chunks)
      expect(metadata).toEqual([{ key: 'price', val: '2', type: 'float' }]);
    expect(chunkSet.chunks.map((chunk) => chunk.text).join(' ')).toBe(text.trim());
  });

  it('leave the reader redacted, metadata included', async () => {
    const redaction = [{ name: 'mail', kind: 'email', replacement: '***' }] as const;
    const line = JSON.stringify({ text: 'Write to a@example.org', Maker: 'b@example.org' });
    const { chunkSet } = await reading.document(line, {
      fileName: 'a.jsonl',
      chunkMetadataKeys,
      redaction,
    });
    expect(chunkSet.chunks[0]).toMatchObject({
      text: 'Write to ***',
      metadata: [{ key: 'Maker', val: '***', type: 'string' }],
    });
  });
});

describe('separated values', () => {
  const csv = 'Part;Price;Made;text\r\n"Nut ""M4""\nof steel";0.2;2024-01-31;A nut\r\nBolt;dear;;\r\n\r\n;;;';

  it('are a table where no fields are declared', async () => {
    expect(await reading.units(csv, { fileName: 'a.csv' })).toEqual([
      [
        [],
        0,
        '| Part | Price | Made | text |\n| --- | --- | --- | --- |\n| Nut "M4" of steel | 0.2 | 2024-01-31 | A nut |\n| Bolt | dear |  |  |',
      ],
    ]);
  });

  it('are a content for each row where they are', async () => {
    const request = { fileName: 'a.csv', chunkMetadataKeys };
    expect(await textAndMetadata(csv, request)).toEqual([
      ['A nut', 'price=0.2 (float)', 'made=2024-01-31 (date)'],
      ['Part: Bolt'],
    ]);
    expect(await reading.document(csv, request)).toMatchObject({
      fileType: 'txt',
      rowErrors: [{ row: 4, key: 'price', message: 'it is no float' }],
    });
  });

  it.each([
    ['commas', 'a,price\nx,1'],
    ['tabs', 'a\tprice\nx\t1'],
    ['bars', 'a|price\nx|1'],
    ['a comma in quotes', '"a,b,c";price\n"x;y";1'],
  ])('may have %s between them', async (_, text) => {
    const found = await textAndMetadata(text, { fileName: 'a.tsv', chunkMetadataKeys });
    expect(found[0]![1]).toBe('price=1 (float)');
  });
});

describe('rows of sheets', () => {
  it('are a content each, with the number of the sheet and dates as they are kept', async () => {
    const file = xlsxFile(
      {
        First: `${rowsOf([['Part', 'Made']])}<row r="7"><c r="A7" t="inlineStr"><is><t>Nut</t></is></c><c r="B7" s="1"><v>45322</v></c></row>`,
        Second: '',
      },
      {
        'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
      },
    );
    const { chunkSet } = await reading.document(file, { fileName: 'a.xlsx', chunkMetadataKeys });
    expect(chunkSet.chunks).toMatchObject([
      {
        text: 'Part: Nut',
        headingPath: ['First'],
        pageNumber: 1,
        metadata: [{ key: 'made', val: '2024-01-31', type: 'date' }],
      },
    ]);
  });

  it('leave the comments and shapes of their sheet as a content of its own', async () => {
    const file = xlsxFile(
      {
        First: rowsOf([
          ['Part', 'Price'],
          ['Nut', 2],
        ]),
      },
      {
        'xl/worksheets/_rels/sheet1.xml.rels': relations({ r1: ['comments', '../c.xml'] }),
        'xl/c.xml':
          '<comments><commentList><comment><text><t>Check</t></text></comment><comment><text><t>this</t></text></comment></commentList></comments>',
      },
    );
    const { units, rowErrors } = await reading.document(file, { fileName: 'a.xlsx', chunkMetadataKeys });
    const place = { headingPath: ['First'], pageNumber: 1 };
    expect(units).toEqual([
      { ...place, text: 'Part: Nut', metadata: [{ key: 'price', val: '2', type: 'float' }] },
      { ...place, text: 'Comment: Check\n\nComment: this', metadata: [] },
    ]);
    expect(rowErrors).toBeUndefined();
  });
});
