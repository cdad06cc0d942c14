import { afterAll, describe, expect, it } from 'vitest';
import { docxFile, relations } from '../corpus/open-xml.ts';
import { createReading } from '../corpus/reading.ts';

const reading = createReading();
afterAll(() => reading.remove());

const textOf = async (file: Buffer, fileName: string): Promise<string> =>
  (await reading.texts(file, { fileName })).join('\n\n');

const level = (at: number, format: string, text: string, more = ''): string =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/>${more}<w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
const LEVELS = [
  level(0, 'upperRoman', 'Article %1.'),
  level(1, 'decimal', '%1.%2', '<w:isLgl/>'),
  level(2, 'lowerLetter', '(%3)', '<w:lvlRestart w:val="1"/><w:pStyle w:val="clause"/>'),
];
const NUMBERING = `<w:numbering><w:abstractNum w:abstractNumId="7">${LEVELS.join('')}</w:abstractNum>
  <w:abstractNum w:abstractNumId="8"><w:numStyleLink w:val="s"/></w:abstractNum>
  <w:abstractNum w:abstractNumId="9"><w:styleLink w:val="s"/>${level(0, 'decimalZero', '%1)')}</w:abstractNum>
  <w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num>
  <w:num w:numId="4"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>
  <w:num w:numId="5"><w:abstractNumId w:val="8"/></w:num></w:numbering>`;
const STYLES = `<w:styles><w:style w:type="paragraph" w:styleId="chapter"><w:name w:val="heading 1"/>
  <w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style>
  <w:style w:type="paragraph" w:styleId="clause"><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style></w:styles>`;
const item = (text: string, list: number, at: number): string =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const styled = (text: string, style: string): string =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const docx = (body: string): Buffer =>
  docxFile(body, {
    'word/_rels/document.xml.rels': relations({
      r1: ['numbering', 'numbering.xml'],
      r2: ['styles', 'styles.xml'],
    }),
    'word/numbering.xml': NUMBERING,
    'word/styles.xml': STYLES,
  });

describe('numbers of lists of a Word document', () => {
  it('are those of the text of their level, and go on or begin anew as the list says', async () => {
    const body = [
      item('One', 3, 0),
      item('Deep', 3, 1),
      item('First', 3, 2),
      item('Deep too', 3, 1),
      item('Goes on', 3, 2),
      item('Two', 3, 0),
      item('Begins anew', 3, 2),
      item('Over', 4, 0),
      item('Next', 3, 0),
    ];
    expect(await textOf(docx(body.join('')), 'a.docx')).toBe(
      [
        'Article I. One',
        '  1.1 Deep',
        '    (a) First',
        '  1.2 Deep too',
        '    (b) Goes on',
        'Article II. Two',
        '    (a) Begins anew',
        'Article V. Over',
        'Article VI. Next',
      ].join('\n'),
    );
  });

  it('stand before headings, come from styles, and from the list that another names', async () => {
    const body = styled('Care', 'chapter') + styled('Grease it.', 'clause') + item('x', 5, 0);
    expect(await reading.units(docx(body), { fileName: 'a.docx' })).toEqual([
      [['Article I. Care'], 0, 'Article I. Care\n\n    (a) Grease it.\n01) x'],
    ]);
  });

  it('stand in cells, and alone where there is nothing else', async () => {
    const row = (list: number, text: string): string =>
      `<w:tr><w:tc>${item('', list, 0)}</w:tc><w:tc>${item(text, 99, 0)}</w:tc></w:tr>`;
    const file = docx(`<w:tbl>${row(5, 'Nut')}${row(5, 'Bolt')}</w:tbl>${item('', 5, 0)}${item('', 99, 0)}`);
    expect(await textOf(file, 'a.docx')).toBe('| 01) | Nut |\n| --- | --- |\n| 02) | Bolt |\n\n03)');
  });
});
