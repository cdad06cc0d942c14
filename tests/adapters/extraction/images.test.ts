import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { gifFile, pngFile, printed, smaller, turned, webpAnimation } from './corpus/letters.ts';
import { createReading } from './corpus/reading.ts';
import { pdfFile } from './pdf-files.ts';

const reading = createReading();
afterAll(() => reading.remove());

const fixture = (name: string): Buffer => readFileSync(new URL(`fixtures/images/${name}`, import.meta.url));
/** The same, as a file whose main brand is that of any image, not of HEVC alone. */
const asHeif = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, 8), Buffer.from('mif1'), bytes.subarray(12)]);
const both = 'THE OLD MILL\nWATER FALLS';

/** The size of the fixtures. */
const webpSize = printed('THE OLD MILL', 'WATER FALLS');

/** The same with a byte between its first two segments. */
const withStrayByte = (jpeg: Buffer): Buffer => {
  const at = 4 + jpeg.readUInt16BE(4);
  return Buffer.concat([jpeg.subarray(0, at), Buffer.of(0), jpeg.subarray(at)]);
};
/** The same, as its frame header would have it of 12,000 × 12,000 pixels. */
const claimingMore = (jpeg: Buffer): Buffer => {
  const frame = jpeg.findIndex((byte, at) => byte === 0xff && /^c[02]$/.test(jpeg[at + 1]!.toString(16)));
  const copy = Buffer.from(jpeg);
  copy.writeUInt16BE(12_000, frame + 5);
  copy.writeUInt16BE(12_000, frame + 7);
  return copy;
};

describe('the text of an image', { timeout: 60_000 }, () => {
  it.each([
    ['png', 'in grey', pngFile(printed('WATER FALLS')), 'WATER FALLS'],
    ['png', 'in colours', pngFile(printed('THE OLD MILL', 'WATER FALLS'), 3), both],
    ['png', 'called a JPEG', pngFile(printed('WATER FALLS')), 'WATER FALLS'],
    ['jpg', 'in colours', fixture('letters.jpg'), both],
    ['jpg', 'of few letters', fixture('letters-grey.jpg'), 'WATER FALLS'],
    ['jpg', 'called a PNG', fixture('letters-grey.jpg'), 'WATER FALLS'],
    ['webp', 'with losses', fixture('letters.webp'), both],
    ['webp', 'without losses', fixture('letters-lossless.webp'), both],
    ['png', 'turned to the right', pngFile(turned(printed('THE OLD MILL', 'WATER FALLS'), 1)), both],
    ['png', 'upside down', pngFile(turned(printed('THE OLD MILL', 'WATER FALLS'), 2)), both],
    ['png', 'turned to the left', pngFile(turned(printed('THE OLD MILL', 'WATER FALLS'), 3)), both],
    ['png', 'of few pixels', pngFile(smaller(printed('THE OLD MILL', 'WATER FALLS'), 5)), both],
    ['heic', 'in colours', fixture('letters.heic'), both],
    ['heif', 'in colours', asHeif(fixture('letters.heic')), both],
  ])('is read from %s %s', async (type, what, bytes, text) => {
    const called = what.startsWith('called') ? (type === 'png' ? 'jpg' : 'png') : type;
    const found = await reading.document(bytes, { fileName: `scan.${called}` });
    expect(found).toMatchObject({ fileType: type, title: 'scan' });
    expect(found.units!.map((unit) => unit.text)).toEqual([text]);
  });

  it.each([
    ['a GIF', gifFile(printed('WATER FALLS'))],
    ['a GIF that moves', gifFile(printed('WATER FALLS'), 3)],
    ['a PNG that moves', pngFile(printed('WATER FALLS'), 1, undefined, 2)],
    ['a WebP that moves', webpAnimation(webpSize, fixture('letters.webp'), fixture('letters-lossless.webp'))],
  ])('is read from the first picture of %s', async (_, bytes) => {
    const units = await reading.units(bytes, { fileName: 'scan' });
    expect(units.map(([, , text]) => text).join()).toMatch(/WATER FALLS$/);
  });

  it.each(['/DeviceGray', '/DeviceRGB'])('is read from a scanned page of a PDF (%s)', async (space) => {
    const { width, height, data } = printed('THE OLD MILL', 'WATER FALLS');
    const pixels =
      space === '/DeviceGray' ? data : Buffer.from([...data].flatMap((grey) => [grey, grey, grey]));
    const image = `q ${width} 0 0 ${height} 50 500 cm BI /W ${width} /H ${height} /CS ${space} /BPC 8 /F /AHx ID ${pixels.toString('hex')}> EI Q`;
    const file = pdfFile({ pages: [{ content: '' }, { content: image }] });
    expect(await reading.units(file, { fileName: 'scan.pdf' })).toEqual([[[], 2, both]]);
  });

  it('is none where nothing is printed', async () => {
    const empty = { width: 300, height: 200, data: Buffer.alloc(60_000, 255) };
    expect(await reading.document(pngFile(empty), { fileName: 'a.png' })).toMatchObject({ units: [] });
  });

  it.each([
    ['a picture cut after its header', pngFile(printed('WATER')).subarray(0, 60), 'a.png', 'parser_failed'],
    ['a JPEG of nothing', Buffer.from('ffd8ffe000104a46494600', 'hex'), 'a.jpg', 'parser_failed'],
    ['a HEIC that is cut', fixture('letters.heic').subarray(0, 600), 'a.heic', 'parser_failed'],
    ['144 megapixels in a JPEG', claimingMore(fixture('letters.jpg')), 'a.jpg', 'too_large'],
    [
      'as many behind a byte between its segments',
      claimingMore(withStrayByte(fixture('letters.jpg'))),
      'a.jpg',
      'too_large',
    ],
    [
      'ten thousand megapixels in a header',
      pngFile(printed('WATER'), 1, { width: 100_000, height: 100_000 }),
      'a.png',
      'too_large',
    ],
  ])('is not read from %s, and the next image is', async (_, bytes, fileName, code) => {
    expect(await reading.outcome(bytes, { fileName })).toMatchObject({ kind: 'failed', code });
    expect(await reading.units(pngFile(printed('WATER FALLS')), { fileName: 'b.png' })).toEqual([
      [[], 0, 'WATER FALLS'],
    ]);
  });
});
