import { afterAll, describe, expect, it } from 'vitest';
import { readPdf } from '../../../adapters/extraction/pdf/read-pdf.ts';
import type { ScanReader } from '../../../adapters/extraction/pdf/scanned-page.ts';
import { printed, smaller, turned, type GreyImage } from './corpus/letters.ts';
import { createReading } from './corpus/reading.ts';
import { paintImage, pdfFile, type PdfPage } from './pdf-files.ts';

const reading = createReading();
afterAll(() => reading.remove());

const upright = printed('THE OLD MILL', 'WATER FALLS');
const { width, height } = upright;
const both = 'THE OLD MILL\nWATER FALLS';

/** A page of print, of enough pixels also where it is made smaller. */
const TALL = ['THE OLD MILL', 'WATER FALLS', ...Array.from({ length: 60 }, () => ' ')];

/** A bit for each pixel, rows filled up to bytes. */
const inBits = (image: GreyImage): GreyImage => {
  const rowBytes = (image.width + 7) >> 3;
  const data = Buffer.alloc(rowBytes * image.height);
  for (let y = 0; y < image.height; y += 1)
    for (let x = 0; x < image.width; x += 1)
      if (image.data[y * image.width + x]! > 127) data[y * rowBytes + (x >> 3)]! |= 0x80 >> (x & 7);
  return { ...image, data };
};
/** As so many images, one below the other. */
const strips = (
  image: GreyImage,
  count: number,
  of: (strip: GreyImage, matrix: number[]) => string,
): string =>
  Array.from({ length: count }, (_, index) => {
    const [from, to] = [index, index + 1].map((at) => Math.floor((at * image.height) / count)) as [
      number,
      number,
    ];
    const data = image.data.subarray(from * image.width, to * image.width);
    const strip = { width: image.width, height: to - from, data };
    return of(strip, [image.width, 0, 0, to - from, 50, 700 - to]);
  }).join('');
const asBits = (strip: GreyImage, matrix: number[]): string =>
  paintImage(matrix, inBits(strip), '/IM true /BPC 1');

const PAGES: Readonly<Record<string, PdfPage>> = {
  upright: { content: paintImage([width, 0, 0, height, 50, 500], upright) },
  'stored sideways, on a page that is turned by 90 degrees': {
    content: paintImage([height, 0, 0, width, 50, 100], turned(upright, 3)),
    rotate: 90,
  },
  'stored upside down, on a page that is turned by 180 degrees': {
    content: paintImage([width, 0, 0, height, 50, 100], turned(upright, 2)),
    rotate: 180,
  },
  'stored sideways, on a page that is turned by 270 degrees': {
    content: paintImage([height, 0, 0, width, 50, 100], turned(upright, 1)),
    rotate: 270,
  },
  'stored sideways, and turned when it is painted': {
    content: paintImage([0, height, -width, 0, 50 + width, 100], turned(upright, 1)),
  },
  'stored upside down, and turned when it is painted': {
    content: paintImage([width, 0, 0, -height, 50, 500], { ...upright, data: flipped(upright) }),
  },
  'of one bit for each pixel': {
    content: paintImage([width, 0, 0, height, 50, 500], inBits(upright), '/CS /G /BPC 1'),
  },
  'of a mask': { content: asBits(upright, [width, 0, 0, height, 50, 500]) },
  'of five strips': { content: strips(upright, 5, (strip, matrix) => paintImage(matrix, strip)) },
  'of fourteen strips of masks': { content: strips(upright, 14, asBits) },
  'stored sideways, and shown so': {
    content: paintImage([height, 0, 0, width, 50, 100], turned(upright, 1)),
  },
  'stored upside down, and shown so': {
    content: paintImage([width, 0, 0, height, 50, 500], turned(upright, 2)),
  },
  'of few pixels': {
    content: paintImage([90, 0, 0, 736, 10, 10], smaller(printed(...TALL), 5)),
  },
  'of three strips in groups that lie in each other': {
    content: `q 0.5 0 0 0.5 10 10 cm ${strips(upright, 3, (strip, matrix) => paintImage(matrix, strip))} Q`,
  },
};

/** Rows from below. */
function flipped({ data, width: across, height: down }: GreyImage): Buffer {
  return Buffer.concat(
    Array.from({ length: down }, (_, y) => data.subarray((down - 1 - y) * across, (down - y) * across)),
  );
}

describe('the text of a scanned page', { timeout: 60_000 }, () => {
  it.each(Object.keys(PAGES))('is read from an image %s', async (how) => {
    const file = pdfFile({ pages: [PAGES[how]!] });
    expect(await reading.units(file, { fileName: 'scan.pdf' })).toEqual([[[], 1, both]]);
  });

  it.each([
    ['has no width', '0 0 0 20 0 0'],
    ['lies nowhere', '20 0 0 20 1e999 0'],
  ])('is none of an image that %s', async (_, matrix) => {
    const shown = paintImage([width, 0, 0, height, 50, 500], upright);
    const content = shown.replace(`${width} 0 0 ${height} 50 500`, matrix);
    expect(content).not.toBe(shown);
    expect(await reading.units(pdfFile({ pages: [{ content }] }), { fileName: 'scan.pdf' })).toEqual([]);
  });

  it('is none where images are small', async () => {
    const logo = { width: 100, height: 50, data: Buffer.alloc(5_000) };
    const file = pdfFile({ pages: [{ content: paintImage([100, 0, 0, 50, 50, 500], logo) }] });
    expect(await reading.document(file, { fileName: 'scan.pdf' })).toMatchObject({ units: [] });
  });

  it('is that of as many pages as there is time for, and the document says so', async () => {
    const file = pdfFile({ pages: Array.from({ length: 4 }, () => PAGES['upright']!) });
    let now = 0;
    const limits = { textCharacters: 1_000, timeMs: 100_000 };
    const tenSeconds = (): number => (now += 10_000);
    expect(await readPdf(file, limits, tenSeconds)).toMatchObject({
      units: [
        { pageNumber: 1, text: both },
        { pageNumber: 2, text: both },
      ],
      unread: { code: 'partly_read', message: expect.stringContaining('first 2 of its 4 pages') as string },
    });
    const slow = await readPdf(file, { ...limits, timeMs: 1 }, tenSeconds);
    expect(slow.units.map(({ pageNumber }) => pageNumber)).toEqual([1]);
    const quick = await readPdf(file, limits, () => 0);
    expect([quick.units.length, quick.unread]).toEqual([4, undefined]);
  });

  it('is that of the first ten pages, and the outcome says so', async () => {
    const empty = { content: '' };
    const file = pdfFile({ pages: [PAGES['upright']!, ...Array.from({ length: 11 }, () => empty)] });
    expect(await reading.document(file, { fileName: 'scan.pdf' })).toMatchObject({
      units: [{ pageNumber: 1 }],
      unread: { message: expect.stringContaining('first 10 of its 12 pages') as string },
    });
  });

  it('is missing where reading a picture breaks, and the document names the page', async () => {
    const file = pdfFile({ pages: Array.from({ length: 4 }, () => ({ content: '' })) });
    const limits = { textCharacters: 1_000, timeMs: 60_000 };
    const breaksAt =
      (...numbers: number[]): ScanReader =>
      ({ pageNumber }) =>
        numbers.includes(pageNumber) ? Promise.reject(new Error('broken')) : Promise.resolve('print');
    const some = await readPdf(file, limits, () => 0, breaksAt(2, 4));
    expect(some.units.map(({ pageNumber }) => pageNumber)).toEqual([1, 3]);
    const message = 'it has no text but in pictures: page 2, 4 could not be read';
    expect(some.unread).toEqual({ code: 'partly_read', message });
    const all = await readPdf(file, limits, () => 0, breaksAt(1, 2, 3, 4));
    expect(all).toMatchObject({
      units: [],
      unread: { message: expect.stringContaining('1, 2, 3, 4') as string },
    });
    let now = 0;
    const late = await readPdf(file, limits, () => (now += 20_000), breaksAt(1));
    expect(late.unread?.message).toContain('first 1 of its 4 pages were read, and page 1 could not be read');
  });
});
