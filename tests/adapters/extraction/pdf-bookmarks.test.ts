import { afterAll, describe, expect, it } from 'vitest';
import { createReading } from './corpus/reading.ts';
import { pdfFile, textPage } from './pdf-files.ts';

const reading = createReading();
afterAll(() => reading.remove());

/** Of a document of three pages, whose objects have the numbers 4 to 9; those of bookmarks begin with 11. */
const read = (objects: readonly string[], catalog = '/Outlines 11 0 R') =>
  reading.units(
    pdfFile({
      pages: [textPage('Pumps and valves'), { content: '' }, textPage('Third page')],
      catalog,
      objects,
    }),
    { fileName: 'a.pdf' },
  );
const PAGES = [
  [[], 1, 'Pumps and valves'],
  [[], 3, 'Third page'],
];

describe('bookmarks of a PDF', () => {
  it('stand on the pages that they lead to, where their words are not read from any', async () => {
    const units = await read(
      [
        '<< /First 12 0 R /Last 16 0 R >>',
        '<< /Title (Grease   fittings) /Dest [8 0 R /Fit] /Next 13 0 R /First 17 0 R /Last 17 0 R >>',
        '<< /Title (Valves) /Dest [4 0 R /Fit] /Next 14 0 R >>',
        '<< /Title (Drawing of the pump) /Dest (named) /Next 15 0 R >>',
        '<< /Title (Nowhere to go) /Next 16 0 R >>',
        '<< /Title (Pumps, overhauled) /A << /S /GoTo /D [0 /Fit] >> >>',
        '<< /Title <FEFF00470072006F00DF> /Dest [8 0 R /Fit] >>',
      ],
      '/Outlines 11 0 R /Dests << /named [6 0 R /Fit] >>',
    );
    expect(units).toEqual([
      [[], 1, 'Pumps and valves\n\nPumps, overhauled'],
      [[], 2, 'Drawing of the pump'],
      [[], 3, 'Third page\n\nGrease fittings\nGroß'],
      [[], 0, 'Nowhere to go'],
    ]);
  });

  it.each([
    [
      'that stand in the text',
      ['<< /First 12 0 R /Last 12 0 R >>', '<< /Title (VALVES and pumps) /Dest [4 0 R /Fit] >>'],
    ],
    ['that are broken', ['<< /First 99 0 R >>']],
    [
      'that lead back to themselves',
      ['<< /First 12 0 R /Last 12 0 R >>', '<< /Title (Page) /Next 12 0 R /First 12 0 R >>'],
    ],
  ])('add nothing %s', async (_, objects) => {
    expect(await read(objects)).toEqual(PAGES);
  });
});
