import { afterAll, describe, expect, it } from 'vitest';
import { docxFile, paragraph, pptxFile, relations, shape } from '../corpus/open-xml.ts';
import { createReading } from '../corpus/reading.ts';

const reading = createReading();
afterAll(() => reading.remove());
const fileName = 'report.docx';

const textOf = async (body: string): Promise<string> =>
  (await reading.texts(docxFile(body), { fileName })).join('\n\n');
const run = (text: string, properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const inParagraph = (...runs: readonly string[]): string => `<w:p>${runs.join('')}</w:p>`;

describe('a run of a Word document', () => {
  it.each([
    ['hidden', '<w:vanish/>'],
    ['struck out', '<w:strike/>'],
    ['struck out twice', '<w:dstrike w:val="true"/>'],
  ])('is left out where it is %s', async (_how, properties) =>
    expect(await textOf(inParagraph(run('a '), run('secret', properties), run('b')))).toBe('a b'),
  );

  it('stays where a property says no, or is that of the mark of its paragraph', async () => {
    const mark = '<w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>';
    expect(await textOf(inParagraph(mark, run('a', '<w:vanish w:val="0"/>')))).toBe('a');
  });

  it('is left out where its style says so, or that of its paragraph, or one that these are based on', async () => {
    const style = (id: string, type: string, content: string): string =>
      `<w:style w:type="${type}" w:styleId="${id}">${content}</w:style>`;
    const styles =
      style('Old', 'character', '<w:rPr><w:strike/></w:rPr>') +
      style('Older', 'character', '<w:basedOn w:val="Old"/>') +
      style('Note', 'paragraph', '<w:rPr><w:vanish/></w:rPr>');
    const of = (name: string, more = ''): string => `<w:rStyle w:val="${name}"/>${more}`;
    const body =
      inParagraph(
        run('a '),
        run('gone', of('Old')),
        run('lost', of('Older')),
        run('b', of('Old', '<w:strike w:val="0"/>')),
      ) +
      inParagraph(
        '<w:pPr><w:pStyle w:val="Note"/></w:pPr>',
        run('secret'),
        run(' c', '<w:vanish w:val="false"/>'),
      );
    const parts = {
      'word/_rels/document.xml.rels': relations({ r1: ['styles', 'styles.xml'] }),
      'word/styles.xml': `<w:styles>${styles}</w:styles>`,
    };
    expect(await reading.texts(docxFile(body, parts), { fileName })).toEqual(['a b\n\nc']);
  });

  it('does not run into a number where it is raised or lowered', async () => {
    const [up, down] = ['superscript', 'subscript'].map((val) => `<w:vertAlign w:val="${val}"/>`);
    expect(
      await textOf(
        inParagraph(run('10'), run('6', up), run(' m'), run('2', up), run(', 12'), run('8', down)),
      ),
    ).toBe('10^6 m², 12_8');
  });

  it('does not run into a number where its own height raises it', async () =>
    expect(await textOf(inParagraph(run('10'), run('6', '<w:position w:val="12"/>')))).toBe('10^6'));

  it('says what a picture shows, where somebody describes it', async () => {
    const picture = (descr: string): string =>
      `<w:r><w:drawing><wp:inline><wp:docPr id="1" descr="${descr}"/></wp:inline></w:drawing></w:r>`;
    const described = picture('The red wire goes to terminal 7&#10;&#10;Description automatically generated');
    expect(await textOf(inParagraph(run('a'), described, picture('Logo'), run('b')))).toBe(
      'a The red wire goes to terminal 7 b',
    );
  });

  it('says what a symbol font draws', async () => {
    const symbols =
      '<w:r><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>';
    const inFont = run('m\uf0b1', '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>');
    expect(await textOf(inParagraph(symbols, run(' and '), inFont))).toBe('α✓ and μ±');
  });
});

describe('a paragraph whose end was deleted', () => {
  const deleted = '<w:pPr><w:rPr><w:del w:id="1"/></w:rPr></w:pPr>';

  it('goes on with the next one', async () =>
    expect(await textOf(inParagraph(deleted, run('clo')) + paragraph('sed before') + paragraph('b'))).toBe(
      'closed before\n\nb',
    ));

  it('stands alone where none follows', async () =>
    expect(await textOf(paragraph('a') + inParagraph(deleted, run('b')))).toBe('a\n\nb'));
});

describe('a cell of a Word document over several rows', () => {
  it('says what it says in each of them', async () => {
    const cell = (text: string, properties = ''): string =>
      `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`;
    const rows = [
      [cell('Team'), cell('Name')],
      [cell('Red', '<w:vMerge w:val="restart"/>'), cell('Ann')],
      [cell('', '<w:vMerge/>'), cell('Ben')],
      [cell('', '<w:vMerge/>'), cell('Cem')],
    ].map((cells) => `<w:tr>${cells.join('')}</w:tr>`);
    expect(await textOf(`<w:tbl>${rows.join('')}</w:tbl>`)).toContain(
      '| Red | Ann |\n| Red | Ben |\n| Red | Cem |',
    );
  });
});

describe('a presentation', () => {
  const read = async (...slides: readonly string[]): Promise<readonly string[]> =>
    reading.texts(pptxFile(slides), { fileName: 'a.pptx' });
  const line = (
    ...runs: readonly (readonly [text: string, attributes?: string, inside?: string])[]
  ): string =>
    `<p:sp><p:txBody><a:p>${runs
      .map(
        ([text, attributes = '', inside = '']) =>
          `<a:r><a:rPr ${attributes}>${inside}</a:rPr><a:t>${text}</a:t></a:r>`,
      )
      .join('')}</a:p></p:txBody></p:sp>`;

  it('is read without what is struck out, and with exponents and symbols', async () => {
    const symbol = '<a:latin typeface="Symbol"/>';
    const slide = line(
      ['Now '],
      ['99 ', 'strike="sngStrike"'],
      ['10'],
      ['6', 'baseline="30000"'],
      [' a', '', symbol],
    );
    expect(await read(slide)).toEqual(['Now 10^6 α']);
  });

  it('has the numbers that its paragraphs get by themselves', async () => {
    const item = (text: string, properties: string): string =>
      `<a:p><a:pPr ${properties}</a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`;
    const auto = (type: string, more = ''): string => `${more}><a:buAutoNum type="${type}"/>`;
    const texts = [
      item('a', auto('arabicPeriod')),
      item('b', auto('alphaLcParenR', 'lvl="1"')),
      item('c', auto('alphaLcParenR', 'lvl="1"')),
      item('d', auto('arabicPeriod')),
      item('e', '>'),
      item('f', '><a:buAutoNum type="romanUcParenBoth" startAt="4"/>'),
    ];
    expect(await read(`<p:sp><p:txBody>${texts.join('')}</p:txBody></p:sp>`)).toEqual([
      '1. a\na) b\nb) c\n2. d\ne\n(IV) f',
    ]);
  });

  it('says what a picture shows, where somebody describes it', async () => {
    const picture = (attributes: string): string =>
      `<p:pic><p:nvPicPr><p:cNvPr id="1" ${attributes}/></p:nvPicPr></p:pic>`;
    const slide =
      shape(['a']) +
      picture('descr="Map of the way to the hut"') +
      picture('descr="Map of the secret way" hidden="1"') +
      shape(['b']);
    expect(await read(slide)).toEqual(['a\n\nMap of the way to the hut\n\nb']);
  });

  it('is read without hidden slides and shapes, and keeps the numbers of the others', async () => {
    const hidden = shape(['b']).replace('<p:nvSpPr>', '<p:nvSpPr><p:cNvPr id="1" hidden="1"/>');
    const file = pptxFile([shape(['a']) + hidden, shape(['secret']), shape(['c'])], {
      'ppt/slides/slide2.xml': `<p:sld xmlns:p="p" xmlns:a="a" show="0">${shape(['secret'])}</p:sld>`,
    });
    expect(await reading.units(file, { fileName: 'a.pptx' })).toEqual([
      [[], 1, 'a'],
      [[], 3, 'c'],
    ]);
  });

  it('says in each row what a cell over several rows says', async () => {
    const cell = (text: string, attributes = ''): string =>
      `<a:tc ${attributes}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
    const rows = [
      [cell('Team'), cell('Name')],
      [cell('Red', 'rowSpan="2"'), cell('Ann')],
      [cell('', 'vMerge="1"'), cell('Ben')],
    ].map((cells) => `<a:tr>${cells.join('')}</a:tr>`);
    const [text] = await read(`<p:graphicFrame><a:tbl>${rows.join('')}</a:tbl></p:graphicFrame>`);
    expect(text).toContain('| Red | Ann |\n| Red | Ben |');
  });
});
