import { afterAll, describe, expect, it } from 'vitest';
import { createReading } from '../corpus/reading.ts';

const reading = createReading();
afterAll(() => reading.remove());
const textOf = async (body: string, fileName = 'a.doc'): Promise<string> =>
  (await reading.texts(Buffer.from(`{\\rtf1\\ansi ${body}}`, 'latin1'), { fileName })).join('\n\n');

describe('rich text under the name of a Word document', () => {
  it.each([
    [
      'its paragraphs, without its tables of fonts and the like',
      String.raw`{\fonttbl{\f0\fswiss Arial;}}{\*\generator Word}\pard\b One\b0  word\par Two\line more\par`,
      'One word\n\nTwo\nmore',
    ],
    ['letters of its code page', String.raw`\ansicpg1251 \'cf\'f0\'e8\'e2\'e5\'f2`, 'Привет'],
    [
      'letters of its fonts',
      String.raw`\ansicpg1252{\fonttbl{\f0\fcharset0 A;}{\f7\fcharset204 B;}}caf\'e9 {\f7 \'cf\'f0} \'e9`,
      'café Пр é',
    ],
    [
      'letters of Unicode, without what stands for them',
      String.raw`\uc1 \u1055? \u1088\'f0\uc0 \u8364  {\uc2\u26085ab\u-10179\'3f\'3f\u-8704??}`,
      'П р€ 日😀',
    ],
    [
      'rows of its tables as lines',
      String.raw`\trowd\intbl Nut\cell 3\cell\row\trowd Bolt\cell 4\cell\row`,
      'Nut | 3\n\nBolt | 4',
    ],
    [
      'rows of its tables with several paragraphs in a cell, and a tall cell in each row that it covers',
      String.raw`\trowd\clvmgf\cellx1\cellx2\pard\intbl Red\par\par\cell Ann\par Lee\cell\row\trowd\clvmrg\cellx1\cellx2\pard\intbl\cell Ben\cell\row\trowd\cellx1\cellx2\pard\intbl\cell Cem\cell\row\pard End\par`,
      'Red | Ann Lee\n\nRed | Ben\n\n| Cem\n\nEnd',
    ],
    [
      'results of its fields alone',
      String.raw`See {\field{\*\fldinst HYPERLINK "x"}{\fldrslt page \{7\}}}`,
      'See page {7}',
    ],
    [
      'the text of its boxes and margins',
      String.raw`Be{\header Top\par}Body\par{\shp{\*\shpinst{\sp{\sn shapeType}{\sv 202}}{\shptxt Box\par}}}`,
      'Be\n\nTop\n\nBody\n\nBox',
    ],
    [
      'no hidden, struck-out or deleted text, until that ends',
      String.raw`Shown{\v  secret}\strike  struck {\b bold}\strike0  and\striked1  twice\striked0 {\deleted  gone}\v x\plain  on\par`,
      'Shown and on',
    ],
    [
      'no end of a paragraph that is hidden or deleted, but that of one that is struck out',
      String.raw`One{\v\par} line\par{\strike Struck\par}Two{\deleted\par}\par`,
      'One line\n\nTwo',
    ],
    [
      'numbers and bullets of its lists',
      String.raw`{\listtext\pard 1.\tab}Pecan\par{\listtext 2.\tab}Almond\par{\pntext\f3\'b7\tab}Walnut\par Text\par`,
      '1. Pecan\n2. Almond\n- Walnut\n\nText',
    ],
    [
      'exponents and indexes apart from the number beside them',
      String.raw`10{\super 6}, 5 m{\up6 2} and 12\sub 8\nosupersub  x{\up0 2}`,
      '10^6, 5 m² and 12_8 x2',
    ],
    [
      'what its fonts of signs draw',
      String.raw`{\fonttbl{\f0 A;}{\f1\fcharset2 Symbol;}{\f2\fcharset2 Wingdings;}}{\f1 a\'b1\u-3999?} a {\f2\'fc}`,
      'α±α a ✓',
    ],
    ['no pictures', `{\\pict\\wmetafile8 0102abcd}Text {\\*\\shppict{\\pict\\bin4 }{}\\}}end`, 'Text end'],
  ])('has %s', async (_, body, text) => {
    expect(await textOf(body)).toBe(text);
  });

  it('has the title of its properties', async () =>
    expect(
      (
        await reading.document('{\\rtf1{\\info{\\author A}{\\title On {\\b nuts}}}Pecan}', {
          fileName: 'a.rtf',
        })
      ).title,
    ).toBe('On nuts'));

  it('has its comments behind the text, with who made them', async () => {
    const first = String.raw`{\*\atrfstart 1}marked{\*\atrfend 1}{\*\atnid JM}{\*\atnauthor J\'fcrgen}\chatn{\*\annotation{\*\atnref 1}{\*\atndate 99}\pard {\b Is this} right?\par Ask.}`;
    const file = `{\\rtf1 Before ${first} after.\\par {\\*\\annotation Nobody.}End{\\*\\atnauthor X}{\\*\\annotation cut`;
    expect(await reading.units(file, { fileName: 'a.doc' })).toEqual([
      [
        [],
        0,
        'Before marked after.\n\nEnd\n\nComment by Jürgen: Is this right? Ask.\n\nComment: Nobody.\n\nComment by X: cut',
      ],
    ]);
  });

  it('that is nested without end, or breaks off, is read as far as it goes', async () => {
    expect(await textOf(`${'{'.repeat(200_000)}deep${'}'.repeat(200_000)} flat`)).toBe('deep flat');
    expect(await textOf(String.raw`Begun {\b and \'e`)).toBe('Begun and');
    expect(await textOf(`${'\\cell '.repeat(300_000)}x`)).toMatch(/ x$/);
  });

  it('is one of its own too, whatever its name', async () => {
    for (const fileName of ['a.rtf', 'a', 'a.txt'])
      expect(await reading.document('{\\rtf1 Words}', { fileName })).toMatchObject({
        fileType: 'doc',
        mediaType: 'application/rtf',
      });
  });
});
