import { afterAll, describe, expect, it } from 'vitest';
import { pptxFile, relations, shape } from '../corpus/open-xml.ts';
import { createReading } from '../corpus/reading.ts';

const reading = createReading();
afterAll(() => reading.remove());
const fileName = 'talk.pptx';

describe('a presentation', () => {
  it('has a unit for each slide under its title, with its number', async () => {
    const file = pptxFile([
      shape(['Welcome'], 'ctrTitle') + shape(['All of you']),
      shape(['No title']),
      shape(['Plan'], 'title') +
        shape(['First', 'Second'], 'body') +
        shape(['3'], 'sldNum') +
        shape(['May 2024'], 'dt'),
    ]);
    expect(await reading.units(file, { fileName })).toEqual([
      [['Welcome'], 1, 'Welcome\n\nAll of you'],
      [[], 2, 'No title'],
      [['Plan'], 3, 'Plan\n\nFirst\nSecond\n\nMay 2024'],
    ]);
  });

  it('keeps its slides in the order that it is shown in, not in that of its parts', async () => {
    const file = pptxFile([shape(['First']), shape(['Second'])], {
      'ppt/_rels/presentation.xml.rels': relations({
        rId1: ['slide', 'slides/slide2.xml'],
        rId2: ['slide', 'slides/slide1.xml'],
      }),
    });
    expect((await reading.units(file, { fileName })).map(([, page, text]) => [page, text])).toEqual([
      [1, 'Second'],
      [2, 'First'],
    ]);
  });

  it('has tables, deeper lines with dashes, notes, comments, charts and what masters show', async () => {
    const table = `<p:graphicFrame><a:tbl><a:tr><a:tc>${lines('Year')}</a:tc><a:tc>${lines('Sum')}</a:tc></a:tr><a:tr><a:tc>${lines(
      '2024',
    )}</a:tc><a:tc>${lines('7')}</a:tc></a:tr></a:tbl></p:graphicFrame>`;
    const deep =
      '<p:sp><a:p><a:r><a:t>Top</a:t></a:r></a:p><a:p><a:pPr lvl="2"/><a:r><a:t>Deep</a:t></a:r></a:p></p:sp>';
    const file = pptxFile([`${deep}${table}<p:graphicFrame><c:chart r:id="r3"/></p:graphicFrame>`], {
      'ppt/slides/_rels/slide1.xml.rels': relations({
        r1: ['notesSlide', '../notes.xml'],
        r2: ['comments', '../comments.xml'],
        r3: ['chart', '../chart.xml'],
        r4: ['slideLayout', '../layout.xml'],
      }),
      'ppt/notes.xml': `<p:notes>${shape(['Say it slowly'], 'body')}${shape(['1'], 'sldNum')}</p:notes>`,
      'ppt/comments.xml': '<p:cmLst><p:cm authorId="0"><p:text>Nice</p:text></p:cm></p:cmLst>',
      'ppt/chart.xml':
        '<c:chart><c:ser><c:tx><c:v>Sales</c:v></c:tx><c:cat><c:pt><c:v>North</c:v></c:pt></c:cat><c:val><c:pt><c:v>12</c:v></c:pt></c:val></c:ser></c:chart>',
      'ppt/layout.xml': `<p:sldLayout>${shape(['Click to add'], 'title')}${shape(['ACME'])}</p:sldLayout>`,
    });
    expect(await reading.units(file, { fileName })).toEqual([
      [
        [],
        1,
        'Top\n  - Deep\n\n| Year | Sum |\n| --- | --- |\n| 2024 | 7 |\n\nSales\nNorth\n12\n\nNotes: Say it slowly\n\nComments: Nice',
      ],
      [[], 0, 'ACME'],
    ]);
  });

  it('has each paragraph of a comment on a line of its own, and elements of any name', async () => {
    const comment = `<p188:cm authorId="{1}"><p188:txBody>${lines('First')}<a:p><a:r><a:t>Sec</a:t></a:r><a:r><a:t>ond</a:t></a:r></a:p></p188:txBody></p188:cm>`;
    const file = pptxFile([`${shape(['One'])}<__defineGetter__/><constructor/>`], {
      'ppt/slides/_rels/slide1.xml.rels': relations({ r2: ['comments', '../c.xml'] }),
      'ppt/c.xml': `<p188:cmLst>${comment}${comment}</p188:cmLst>`,
    });
    expect(await reading.units(file, { fileName })).toEqual([
      [[], 1, 'One\n\nComments: First\nSecond\nFirst\nSecond'],
    ]);
  });
});

const lines = (text: string): string => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
