import { afterAll, describe, expect, it } from 'vitest';
import { docxFile, paragraph, properties, relations } from '../corpus/open-xml.ts';
import { createReading } from '../corpus/reading.ts';

const reading = createReading();
afterAll(() => reading.remove());
const fileName = 'report.docx';

const STYLES = `<w:styles><w:style w:type="paragraph" w:styleId="a"><w:name w:val="heading 1"/></w:style>
  <w:style w:type="paragraph" w:styleId="b"><w:name w:val="Chapter"/><w:basedOn w:val="c"/></w:style>
  <w:style w:type="paragraph" w:styleId="c"><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
  <w:style w:type="paragraph" w:styleId="t"><w:name w:val="Title"/></w:style></w:styles>`;
const NUMBERING = `<w:numbering><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl>
  <w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num></w:numbering>`;
const item = (text: string, level: number): string =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="3"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const cell = (content: string, width = ''): string => `<w:tc><w:tcPr>${width}</w:tcPr>${content}</w:tc>`;
const row = (...cells: readonly string[]): string => `<w:tr>${cells.join('')}</w:tr>`;

describe('a Word document', () => {
  it('has its text under its headings, by the outline of their styles or by their names', async () => {
    const body = [
      paragraph('Pumps', 't'),
      paragraph('Before'),
      paragraph('Care', 'a'),
      paragraph('Grease it.'),
      paragraph('Daily', 'b'),
      paragraph('Look at it.'),
    ].join('');
    const file = docxFile(body, {
      'word/_rels/document.xml.rels': relations({ r1: ['styles', 'styles.xml'] }),
      'word/styles.xml': STYLES,
    });
    expect(await reading.units(file, { fileName })).toEqual([
      [[], 0, 'Pumps\n\nBefore'],
      [['Care'], 0, 'Care\n\nGrease it.'],
      [['Care', 'Daily'], 0, 'Daily\n\nLook at it.'],
    ]);
    expect(await reading.document(file, { fileName })).toMatchObject({ fileType: 'docx', title: 'Pumps' });
  });

  it('keeps lists with their numbers and tables as Markdown', async () => {
    const table = `<w:tbl>${row(cell(paragraph('Part')), cell(paragraph('Price')))}${row(
      cell(paragraph('Nut') + paragraph('M4 | M5')),
      cell(paragraph('0.20')),
    )}${row(cell(paragraph('All'), '<w:gridSpan w:val="2"/>'))}</w:tbl>`;
    const file = docxFile(item('One', 0) + item('Deep', 1) + item('Two', 0) + table, {
      'word/_rels/document.xml.rels': relations({ r1: ['numbering', 'numbering.xml'] }),
      'word/numbering.xml': NUMBERING,
    });
    const [text] = await reading.texts(file, { fileName });
    expect(text).toBe(
      '1. One\n  - Deep\n2. Two\n\n| Part | Price |\n| --- | --- |\n| Nut M4 \\| M5 | 0.20 |\n| All |  |',
    );
  });

  it.each([
    ['lowerLetter', ['a', 'b', 'z', 'aa', 'bb']],
    ['upperRoman', ['I', 'II', 'XXVI', 'XXVII', 'XXVIII']],
    ['ordinalText', ['1', '2', '26', '27', '28']],
  ])('numbers its lists as they are shown (%s)', async (format, marks) => {
    const numbering = NUMBERING.replace('decimal', format);
    const items = Array.from({ length: 28 }, () => item('x', 0)).join('');
    const file = docxFile(items, {
      'word/_rels/document.xml.rels': relations({ r1: ['numbering', 'numbering.xml'] }),
      'word/numbering.xml': numbering,
    });
    const [text] = await reading.texts(file, { fileName });
    const lines = text!.split('\n');
    expect([0, 1, 25, 26, 27].map((line) => lines[line])).toEqual(marks.map((mark) => `${mark}. x`));
  });

  it('has notes where they belong, text boxes, headers once, and comments with their authors', async () => {
    const body = `<w:p><w:r><w:t>Water</w:t><w:footnoteReference w:id="2"/><w:tab/><w:t>boils</w:t></w:r></w:p>
      <w:p><w:r><w:drawing><w:txbxContent>${paragraph('In a box')}</w:txbxContent></w:drawing></w:r></w:p>`;
    const file = docxFile(body, {
      'word/_rels/document.xml.rels': relations({
        r1: ['footnotes', 'footnotes.xml'],
        r2: ['comments', 'comments.xml'],
        r3: ['header', 'header1.xml'],
        r4: ['header', 'header2.xml'],
      }),
      'word/footnotes.xml': `<w:footnotes><w:footnote w:id="2">${paragraph('At 100 degrees')}</w:footnote></w:footnotes>`,
      'word/comments.xml': `<w:comments><w:comment w:id="0" w:author="Ann">${paragraph('Sure?')}</w:comment></w:comments>`,
      'word/header1.xml': `<w:hdr>${paragraph('Physics')}</w:hdr>`,
      'word/header2.xml': `<w:hdr>${paragraph('Physics')}</w:hdr>`,
    });
    const [text] = await reading.texts(file, { fileName });
    expect(text!.split('\n\n')).toEqual([
      'Water[^2] boils',
      '[^2]: At 100 degrees',
      'In a box',
      'Physics',
      'Comment by Ann: Sure?',
    ]);
  });

  it('shows what its form fields hold, and letters that are drawn', async () => {
    const field = (content: string): string =>
      `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${content}</w:ffData></w:fldChar></w:r>`;
    const choices = ['Red', 'Green'].map((choice) => `<w:listEntry w:val="${choice}"/>`).join('');
    const body = [
      `<w:p>${field('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>')}<w:r><w:t> Yes</w:t></w:r></w:p>`,
      `<w:p>${field('<w:checkBox><w:default w:val="1"/><w:checked w:val="0"/></w:checkBox>')}<w:r><w:t> No</w:t></w:r></w:p>`,
      `<w:p>${field(`<w:ddList><w:result w:val="1"/>${choices}</w:ddList>`)}</w:p>`,
      '<w:p><w:r><w:pict><v:shape><v:textpath string="DRAFT"/></v:shape></w:pict><w:t>Page</w:t></w:r></w:p>',
    ].join('');
    expect(await reading.units(docxFile(body), { fileName })).toEqual([
      [[], 0, '☒ Yes\n\n☐ No\n\nGreen\n\nDRAFT Page'],
    ]);
  });

  it('leaves out what was deleted, moved away, or stands for older programs', async () => {
    const body = `<w:p><w:r><w:t>Stays</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>
      <w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom><w:r><w:instrText>PAGE</w:instrText></w:r>
      <mc:AlternateContent><mc:Choice><w:r><w:t>, new</w:t></w:r></mc:Choice><mc:Fallback><w:r><w:t>old</w:t></w:r></mc:Fallback></mc:AlternateContent></w:p>`;
    expect(await reading.units(docxFile(body), { fileName })).toEqual([[[], 0, 'Stays, new']]);
  });

  it('says what its properties say, with macros or without', async () => {
    const file = docxFile(paragraph('Text'), properties('The pump &amp; you'), 'docm');
    expect(await reading.document(file, { fileName: 'a.docm' })).toMatchObject({
      fileType: 'docm',
      title: 'The pump & you',
      language: 'en-GB',
    });
  });

  it.each([
    [
      'of a symbol font by their numbers, if they are characters',
      ['00B0', 'F0E0', 'FFFFFFFF', 'D800', '110000', '1F600']
        .map((code) => `<w:sym w:char="${code}"/>`)
        .join(''),
      '°😀',
    ],
    [
      'beside elements that are called like members of objects',
      '<__defineGetter__/><constructor/><__proto__/><w:t>text</w:t>',
      'text',
    ],
  ])('has characters %s', async (_, run, text) => {
    expect(await reading.units(docxFile(`<w:p><w:r>${run}</w:r></w:p>`), { fileName })).toEqual([
      [[], 0, text],
    ]);
  });

  it('is read whatever prefixes and encoding its producer chose', async () => {
    const xml =
      '<x:document xmlns:x="w"><x:body><x:p><x:r><x:t>Überall &#x41;</x:t></x:r></x:p></x:body></x:document>';
    const file = docxFile('', { 'word/document.xml': Buffer.from(`\ufeff${xml}`, 'utf16le') });
    expect(await reading.units(file, { fileName })).toEqual([[[], 0, 'Überall A']]);
  });
});
