import { afterAll, describe, expect, it } from 'vitest';
import { createReading } from '../corpus/reading.ts';
import { zipFile } from '../corpus/zip-file.ts';

const reading = createReading();
afterAll(() => reading.remove());

const TYPE = 'application/vnd.oasis.opendocument.';
const file = (
  kind: string,
  styles: string,
  body: string,
  parts: Readonly<Record<string, string>> = {},
): Buffer =>
  zipFile({
    mimetype: `${TYPE}${kind}`,
    'content.xml': `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...parts,
  });
const style = (name: string, family: string, properties: string, more = ''): string =>
  `<style:style style:name="${name}" style:family="${family}" ${more}>${properties}</style:style>`;
const texts = async (kind: string, styles: string, body: string, parts = {}) =>
  (await reading.texts(file(kind, styles, body, parts), { fileName: 'a' })).join('\n\n');

describe('an OpenDocument text', () => {
  it('is read by headings, with its title', async () => {
    const parts = {
      'meta.xml': '<office:meta><dc:title>On  Nuts</dc:title><dc:language>en-GB</dc:language></office:meta>',
    };
    const body =
      '<text:h text:outline-level="1">Pecans</text:h><text:p>Grow<text:s text:c="3"/>slowly<text:line-break/>here.</text:p><text:h text:outline-level="2">Shells</text:h><text:p>Hard &amp; thin</text:p>';
    expect(await reading.document(file('text', '', body, parts), { fileName: 'a.odt' })).toMatchObject({
      title: 'On Nuts',
      fileType: 'docx',
      mediaType: `${TYPE}text`,
      units: [
        { headingPath: ['Pecans'], text: 'Pecans\n\nGrow slowly\nhere.' },
        { headingPath: ['Pecans', 'Shells'], text: 'Shells\n\nHard & thin' },
      ],
    });
  });

  it('has neither hidden nor struck-out nor deleted text, also by styles of styles', async () => {
    const styles =
      style('H', 'text', '<style:text-properties text:display="none"/>') +
      style('S', 'text', '<style:text-properties style:text-line-through-style="solid"/>') +
      style('P', 'paragraph', '<style:text-properties text:display="none"/>') +
      style('C', 'text', '<style:text-properties fo:color="#f00"/>', 'style:parent-style-name="Struck"');
    const parts = {
      'styles.xml': `<office:styles>${style('Struck', 'text', '<style:text-properties style:text-line-through-type="double"/>')}</office:styles>`,
    };
    const span = (name: string, text: string): string =>
      `<text:span text:style-name="${name}">${text}</text:span>`;
    const body =
      '<text:tracked-changes><text:deletion><text:p>deleted</text:p></text:deletion></text:tracked-changes>' +
      `<text:p>Shown${span('H', ' hidden')}${span('S', ` struck ${span('N', 'within')}`)}${span('C', ' crossed')} words</text:p>` +
      '<text:p text:style-name="P">hidden paragraph</text:p>' +
      '<text:section text:display="none"><text:p>hidden section</text:p></text:section>' +
      '<text:p>Left <text:hidden-text text:is-hidden="true">out</text:hidden-text>over</text:p>' +
      '<text:p><text:hidden-paragraph text:is-hidden="true"/>gone</text:p>';
    expect(await texts('text', styles, body, parts)).toBe('Shown words\n\nLeft over');
  });

  it('says what a font of signs draws, by the family of the font', async () => {
    const styles =
      `<office:font-face-decls><style:font-face style:name="F1" svg:font-family="'Symbol'"/></office:font-face-decls>` +
      style('A', 'text', '<style:text-properties style:font-name="F1"/>');
    expect(
      await texts('text', styles, '<text:p>an <text:span text:style-name="A">a</text:span></text:p>'),
    ).toBe('an α');
  });

  it('has numbers of lists, notes, comments, boxes and margins', async () => {
    const styles =
      '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/><text:list-level-style-bullet text:level="2" text:bullet-char="•"/></text:list-style>' +
      style('U', 'text', '<style:text-properties style:text-position="super 58%"/>');
    const item = (text: string, more = ''): string =>
      `<text:list-item><text:p>${text}</text:p>${more}</text:list-item>`;
    const body =
      `<text:list text:style-name="L">${item('One', `<text:list>${item('Deep')}</text:list>`)}${item('Two')}</text:list>` +
      `<text:list text:style-name="L">${item('Again')}</text:list><text:list text:style-name="L" text:continue-numbering="true">${item('On')}</text:list>` +
      '<text:p>10<text:span text:style-name="U">3</text:span> nuts<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>Of pecans.</text:p></text:note-body></text:note><office:annotation><dc:creator>Jo</dc:creator><dc:date>2026-01-01</dc:date><text:p>Sure?</text:p></office:annotation>.</text:p>' +
      '<text:p>Around<draw:frame><svg:title>alt</svg:title><draw:text-box><text:p>In a box</text:p></draw:text-box></draw:frame></text:p>';
    const parts = {
      'styles.xml':
        '<office:master-styles><style:master-page><style:header><text:p>Top</text:p></style:header><style:footer><text:p>Top</text:p></style:footer></style:master-page></office:master-styles>',
    };
    expect(await texts('text', styles, body, parts)).toBe(
      '1. One\n  - Deep\n2. Two\n1. Again\n2. On\n\n10^3 nuts[^1].\n\n[^1]: Of pecans.\n\nIn a box\n\nAround\n\nComment by Jo: Sure?\n\nTop',
    );
  });

  it('has tables, with a tall cell in each row that it covers', async () => {
    const cell = (text: string, more = ''): string =>
      `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`;
    const row = (...cells: readonly string[]): string =>
      `<table:table-row>${cells.join('')}</table:table-row>`;
    const body = `<table:table>${row(cell('Group'), cell('Nut'))}${row(cell('Trees', 'table:number-rows-spanned="2"'), cell('Pecan'))}${row('<table:covered-table-cell/>', cell('Almond'))}</table:table>`;
    expect(await texts('text', '', body)).toBe(
      '| Group | Nut |\n| --- | --- |\n| Trees | Pecan |\n| Trees | Almond |',
    );
  });

  it('is read from one XML file too', async () => {
    const flat = `<?xml version="1.0"?>\n<office:document xmlns:office="o" office:mimetype="${TYPE}text"><office:meta><dc:title>Flat</dc:title></office:meta><office:body><office:text><text:p>Pecan</text:p></office:text></office:body></office:document>`;
    for (const fileName of ['a.fodt', 'a.xyz'])
      expect(await reading.document(flat, { fileName })).toMatchObject({
        title: 'Flat',
        fileType: 'docx',
        units: [{ text: 'Pecan' }],
      });
  });

  it('with a password says so', async () => {
    const locked = file('text', '', '', {
      'META-INF/manifest.xml': '<manifest:manifest><manifest:encryption-data/></manifest:manifest>',
    });
    expect(await reading.outcome(locked, { fileName: 'a.odt' })).toMatchObject({ code: 'encrypted' });
  });
});

describe('an OpenDocument presentation', () => {
  it('is read by slides that are not hidden, with the notes of speakers', async () => {
    const styles = style(
      'H',
      'drawing-page',
      '<style:drawing-page-properties presentation:visibility="hidden"/>',
    );
    const frame = (text: string, role: string): string =>
      `<draw:frame presentation:class="${role}"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
    const page = (content: string, name = ''): string =>
      `<draw:page draw:style-name="${name}">${content}</draw:page>`;
    const body = `${page(frame('Secret', 'title'), 'H')}${page(`${frame('Nuts', 'title')}${frame('Pecans', 'outline')}<presentation:notes>${frame('Smile', 'notes')}${frame('<text:page-number>&lt;number&gt;</text:page-number>', 'page-number')}</presentation:notes>`)}`;
    expect(await reading.document(file('presentation', styles, body), { fileName: 'a.odp' })).toMatchObject({
      fileType: 'pptx',
      mediaType: `${TYPE}presentation`,
      units: [{ headingPath: ['Nuts'], pageNumber: 2, text: 'Nuts\n\nPecans\n\nNotes: Smile' }],
    });
  });
});

describe('an OpenDocument spreadsheet', () => {
  const cell = (text: string, more = ''): string =>
    `<table:table-cell ${more}>${text === '' ? '' : `<text:p>${text}</text:p>`}</table:table-cell>`;
  const row = (cells: string, more = ''): string => `<table:table-row ${more}>${cells}</table:table-row>`;
  const sheet = (name: string, content: string, more = ''): string =>
    `<table:table table:name="${name}" ${more}>${content}</table:table>`;

  it('is read without cells that are struck out', async () => {
    const styles = style('S', 'table-cell', '<style:text-properties style:text-line-through-type="single"/>');
    const struckOut = cell('secret', 'table:style-name="S"');
    const body = sheet('T', row(cell('a') + struckOut));
    expect(await texts('spreadsheet', styles, body)).toBe('T\n\na');
  });

  it('is read without hidden sheets, rows and columns', async () => {
    const styles = style('H', 'table', '<style:table-properties table:display="false"/>');
    const columns =
      '<table:table-column/><table:table-column table:visibility="collapse"/><table:table-column/>';
    const body =
      sheet('Secret', row(cell('x')), 'table:style-name="H"') +
      sheet(
        'Nuts',
        columns +
          row(cell('Nut') + cell('Cost') + cell('Price')) +
          row(cell('Hickory') + cell('1') + cell('2'), 'table:visibility="collapse"') +
          row(cell('Walnut') + cell('1') + cell('2'), 'table:visibility="filter"') +
          row(cell('Pecan', 'table:number-rows-spanned="2"') + cell('1') + cell('3')) +
          row('<table:covered-table-cell/>' + cell('1') + cell('4')) +
          row(
            cell('Almond') + cell('', 'table:number-columns-repeated="2"'),
            'table:number-rows-repeated="2"',
          ) +
          row(cell('', 'table:number-columns-repeated="16384"'), 'table:number-rows-repeated="1048570"'),
      );
    expect(await reading.document(file('spreadsheet', styles, body), { fileName: 'a.ods' })).toMatchObject({
      fileType: 'xlsx',
      mediaType: `${TYPE}spreadsheet`,
      units: [
        {
          headingPath: ['Nuts'],
          pageNumber: 2,
          text: 'Nuts\n\n| Nut | Price |\n| --- | --- |\n| Pecan | 3 |\n| Pecan | 4 |\n| Almond |  |\n| Almond |  |',
        },
      ],
    });
  });

  it('has values of cells as metadata, and comments beside', async () => {
    const body = sheet(
      'S',
      row(cell('Made') + cell('Note')) +
        row(
          cell('5 Nov', 'office:value-type="date" office:date-value="2026-11-05"') +
            '<table:table-cell><office:annotation><dc:creator>Jo</dc:creator><text:p>Old</text:p></office:annotation><text:p>Pecan</text:p></table:table-cell>',
        ),
    );
    const chunkMetadataKeys = [{ key: 'made', type: 'date' }] as const;
    const { units } = await reading.document(file('spreadsheet', '', body), {
      fileName: 'a.ods',
      chunkMetadataKeys,
    });
    expect(units).toMatchObject([
      { text: 'Note: Pecan', metadata: [{ key: 'made', val: '2026-11-05', type: 'date' }] },
      { text: 'Comment by Jo: Old' },
    ]);
  });
});
