import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { metafileLines } from '../../../../adapters/extraction/metafile/metafile-lines.ts';
import { compoundFile } from '../corpus/compound-file.ts';
import { docStreams } from '../corpus/doc-file.ts';
import {
  blip,
  emfFile,
  emfFont,
  emfNumbers,
  emfPlus,
  emfRecord,
  emfSmallText,
  emfText,
  plusString,
  wmfFile,
  wmfFont,
  wmfNumbers,
  wmfPlainText,
  wmfText,
} from '../corpus/metafiles.ts';
import { docxFile, paragraph, pptxFile, relations, rowsOf, shape, xlsxFile } from '../corpus/open-xml.ts';
import { pptFile } from '../corpus/ppt-file.ts';
import { createReading } from '../corpus/reading.ts';
import { xlsFile, xlsRecord } from '../corpus/xls-file.ts';

const reading = createReading();
afterAll(() => reading.remove());

describe('a picture of EMF', () => {
  it('has its texts in lines as they stand, words in pieces put together', () => {
    const picture = emfFile(
      emfText('Pum', { x: 0, y: 100, each: 10 }),
      emfText('ps', { x: 30, y: 100, each: 10 }),
      emfText('and', { x: 55, y: 102, each: 10 }),
      emfText('valves', { x: 0, y: 120, each: 10 }),
      emfText('left of it', { x: -200, y: 120, each: 10 }),
    );
    expect(metafileLines(picture)).toEqual(['Pumps and', 'valves', 'left of it']);
  });

  it('goes on where the last text ended, if it says so', () => {
    const picture = emfFile(
      emfNumbers(22, 1),
      emfNumbers(27, 50, 60),
      emfText('One ', { each: 10 }),
      emfText('line', { each: 10 }),
      emfNumbers(27, 50, 200),
      emfText('Another', { each: 10 }),
    );
    expect(metafileLines(picture)).toEqual(['One line', 'Another']);
  });

  it('has texts whose place is their middle or their end', () => {
    const at = (align: number, x: number): Buffer =>
      emfFile(emfText('Wide', { x: 0, each: 10 }), emfNumbers(22, align), emfText('next', { x, each: 10 }));
    expect(metafileLines(at(6, 60))).toEqual(['Widenext']);
    expect(metafileLines(at(2, 80))).toEqual(['Widenext']);
    expect(metafileLines(at(0, 80))).toEqual(['Wide next']);
  });

  it.each([
    ['two bytes', 0],
    ['one byte', 0x200],
    ['no bounds', 0x300],
  ])('has small texts (%s)', (_, flags) => {
    expect(metafileLines(emfFile(emfSmallText('Größe', 5, 6, flags)))).toEqual(['Größe']);
  });

  it('has texts of one byte in the code page of their font, but not those of symbol fonts or glyphs', () => {
    const cyrillic = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
    const picture = emfFile(
      ...emfFont(1, 204),
      emfText('123456', { bytes: cyrillic }),
      ...emfFont(2, 2),
      emfText('abc', { y: 50 }),
      emfNumbers(37, 1),
      emfText('glyphs', { y: 100, flags: 0x10 }),
    );
    expect(metafileLines(picture)).toEqual(['Привет']);
  });

  it('has several texts of one record', () => {
    const [first, second] = [Buffer.from('First', 'utf16le'), Buffer.from('Second', 'utf16le')];
    const head = (x: number, count: number, at: number): number[] => [x, 0, count, at, 0, 0, 0, 0, 0, 0];
    const record = emfRecord(
      97,
      Buffer.from(Int32Array.from([0, 0, 0, 0, 1, 0, 0, 2, ...head(0, 5, 120), ...head(100, 6, 130)]).buffer),
      first,
      second,
    );
    expect(metafileLines(emfFile(record))).toEqual(['First Second']);
  });

  it('has the texts of its newer records where the older ones have none', () => {
    const glyphs = Buffer.concat([
      Buffer.from(Int32Array.from([0, 1, 0, 2]).buffer),
      Buffer.from('Hi', 'utf16le'),
      Buffer.from(Float32Array.from([10, 300, 20, 300]).buffer),
    ]);
    const newer = [plusString('Newer', 1, 2), plusString('Two\nlines', 1, 90), emfPlus(0x4036, glyphs)];
    expect(metafileLines(emfFile(...newer))).toEqual(['Newer', 'Two', 'lines', 'Hi']);
    expect(metafileLines(emfFile(...newer, emfText('Older')))).toEqual(['Older']);
  });

  it('begins a line where its units change', () => {
    const picture = emfFile(
      emfText('Up', { each: 9 }),
      emfNumbers(10, 5, 5),
      emfText('down', { x: 18, each: 9 }),
    );
    expect(metafileLines(picture)).toEqual(['Up', 'down']);
  });

  it('is read as far as it goes where it breaks off, or where sizes lie', () => {
    const whole = emfFile(emfText('Before'), emfText('After', { y: 90 }));
    for (let length = 0; length < whole.length; length += 3) {
      const found = metafileLines(whole.subarray(0, length)).join(' ');
      expect('Before After'.startsWith(found)).toBe(true);
    }
    expect(metafileLines(whole.subarray(0, whole.length - 20))).toEqual(['Before', 'After']);
    expect(metafileLines(emfFile(emfText('Before'), emfNumbers(84), Buffer.alloc(64, 0xff)))).toEqual([
      'Before',
    ]);
  });

  it('draws no more than a picture can hold, though its texts be the same bytes many times', () => {
    const text = Buffer.alloc(60_000, 'ab');
    const each = Array.from({ length: 5_000 }, () => [
      0,
      0,
      30_000,
      40 + 5_000 * 40,
      0,
      0,
      0,
      0,
      0,
      0,
    ]).flat();
    const record = emfRecord(
      97,
      Buffer.from(Int32Array.from([0, 0, 0, 0, 1, 0, 0, 5_000, ...each]).buffer),
      text,
    );
    const length = metafileLines(emfFile(record)).join('').length;
    expect(length).toBeGreaterThan(190_000);
    expect(length).toBeLessThan(300_000);
  });
});

describe('a picture of WMF', () => {
  it.each([false, true])('has its texts (with a place of its own: %s)', (placeable) => {
    const records = [
      wmfPlainText('Plain', 10, 10),
      wmfText('Pum', { x: 0, y: 100, each: 10 }),
      wmfText('ps', { x: 30, y: 100, each: 10, flags: 4 }),
      wmfNumbers(0x020c, 7, 7),
      wmfText('apart', { x: 50, y: 100, each: 10 }),
    ];
    expect(metafileLines(wmfFile(records, placeable))).toEqual(['Plain', 'Pumps', 'apart']);
  });

  it('has them in the code pages of their fonts, which share their numbers with other objects', () => {
    const greek = Buffer.from([0xc1, 0xe2, 0xe3]);
    const records = [
      wmfNumbers(0x02fa, 0, 0, 0, 0, 0),
      wmfFont(161),
      wmfFont(2),
      wmfNumbers(0x012d, 1),
      wmfText('', { bytes: greek }),
      wmfNumbers(0x012d, 2),
      wmfText('symbols', { y: 50 }),
      wmfNumbers(0x01f0, 0),
      wmfFont(204),
      wmfNumbers(0x012d, 0),
      wmfText('', { y: 100, bytes: Buffer.from([0xc4, 0xe0]) }),
    ];
    expect(metafileLines(wmfFile(records))).toEqual(['Αβγ', 'Да']);
  });

  it('is not found in other bytes', () => {
    expect(
      metafileLines(Buffer.from('no picture at all, but text that is long enough to be looked at, twice')),
    ).toEqual([]);
    expect(metafileLines(Buffer.alloc(0))).toEqual([]);
  });
});

describe('text of drawn pictures', () => {
  const picture = emfFile(emfText('Wiring diagram'));
  const drawing = (id: string): string =>
    `<w:p><w:r><w:drawing><a:blip xmlns:a="a" r:embed="${id}"/></w:drawing></w:r></w:p>`;

  it('stands in its place in a Word document, once for each picture, in headers too', async () => {
    const old =
      '<w:p><w:r><w:pict><v:shape xmlns:v="v"><v:imagedata r:id="rId2"/></v:shape></w:pict></w:r></w:p>';
    const body = `${paragraph('Before')}${drawing('rId1')}${old}${drawing('rId1')}${paragraph('After')}`;
    const file = docxFile(body, {
      'word/_rels/document.xml.rels': relations({
        rId1: ['image', 'media/image1.emf'],
        rId2: ['image', 'media/image2.wmz'],
        rId3: ['header', 'header1.xml'],
      }),
      'word/media/image1.emf': picture,
      'word/media/image2.wmz': gzipSync(wmfFile([wmfPlainText('Packed', 1, 1)])),
      'word/header1.xml': `<w:hdr xmlns:w="w" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">${drawing('rId9')}</w:hdr>`,
      'word/_rels/header1.xml.rels': relations({ rId9: ['image', 'media/logo.emf'] }),
      'word/media/logo.emf': emfFile(emfText('Company')),
    });
    expect(await reading.units(file, { fileName: 'a.docx' })).toEqual([
      [[], 0, 'Before\n\nWiring diagram\n\nPacked\n\nAfter\n\nCompany'],
    ]);
  });

  it('stands on its slide, and is no part of its title', async () => {
    const slide = `<p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:spPr><a:blip r:embed="rId1"/></p:spPr><p:txBody><a:p><a:r><a:t>Title</a:t></a:r></a:p></p:txBody></p:sp>`;
    const file = pptxFile([shape(['One']), slide], {
      'ppt/slides/_rels/slide2.xml.rels': relations({ rId1: ['image', '../media/image1.emf'] }),
      'ppt/media/image1.emf': picture,
    });
    expect(await reading.units(file, { fileName: 'a.pptx' })).toEqual([
      [[], 1, 'One'],
      [['Title'], 2, 'Wiring diagram\n\nTitle'],
    ]);
  });

  it('stands beside its sheet', async () => {
    const file = xlsxFile(
      { S: rowsOf([['x']]) },
      {
        'xl/worksheets/_rels/sheet1.xml.rels': relations({
          rId1: ['drawing', '../drawings/drawing1.xml'],
          rId2: ['image', '../media/image2.emf'],
        }),
        'xl/drawings/drawing1.xml': '<xdr:wsDr/>',
        'xl/drawings/_rels/drawing1.xml.rels': relations({ rId1: ['image', '../media/image1.emf'] }),
        'xl/media/image1.emf': picture,
        'xl/media/image2.emf': emfFile(emfText('Object')),
      },
    );
    expect(await reading.units(file, { fileName: 'a.xlsx' })).toEqual([
      [['S'], 1, 'S\n\nx\n\nWiring diagram\n\nObject'],
    ]);
  });

  const blips = Buffer.concat([
    Buffer.from('anything'),
    blip(picture, 'emf', true),
    blip(picture, 'emf', false, 2),
    blip(wmfFile([wmfPlainText('Older', 1, 1)]), 'wmf', true, 2),
    blip(wmfFile([wmfPlainText('Plain', 1, 1)]), 'wmf', false),
  ]);
  const drawn = [
    [[], 0, 'Wiring diagram'],
    [[], 0, 'Older'],
    [[], 0, 'Plain'],
  ];

  it('follows that of a Word document from before 2007, each once', async () => {
    const file = compoundFile({ ...docStreams([{ text: 'Text' }]), Data: blips });
    expect(await reading.units(file, { fileName: 'a.doc' })).toEqual([[[], 0, 'Text'], ...drawn]);
  });

  it('follows that of a presentation', async () => {
    const file = pptFile([{ title: 'T', lines: [] }], { streams: { Pictures: blips } });
    expect(await reading.units(file, { fileName: 'a.ppt' })).toEqual([[['T'], 1, 'T'], ...drawn]);
  });

  it('follows that of a workbook, over records that go on', async () => {
    const more = [xlsRecord(0x00eb, blips.subarray(0, 150)), xlsRecord(0x003c, blips.subarray(150))];
    const file = xlsFile([['x']], { more });
    expect(await reading.units(file, { fileName: 'a.xls' })).toEqual([[['S'], 1, 'S\n\nx'], ...drawn]);
  });
});
