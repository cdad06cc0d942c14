import { afterAll, describe, expect, it } from 'vitest';
import { EXTRACTION_LIMITS } from '../../../adapters/extraction/document-reader.ts';
import { readPdf } from '../../../adapters/extraction/pdf/read-pdf.ts';
import { createReading } from './corpus/reading.ts';
import { appearance, pdfFile, pdfStream, textPage, type PdfParts } from './pdf-files.ts';

const reading = createReading();
afterAll(() => reading.remove());

const units = async (parts: PdfParts) =>
  (await reading.units(pdfFile(parts), { fileName: 'form.pdf' })).map(([, page, text]) => [page, text]);
const RECT = '/Type /Annot /Rect [0 0 200 40]';
const button = (entries: string): string => `<< ${RECT} /Subtype /Widget /FT /Btn ${entries} >>`;
const STATES = (on: string): string => `/AP << /N << /${on} 7 0 R /Off 7 0 R >> >>`;

describe('a form of PDF', () => {
  it('shows which boxes are checked, and what they stand for', async () => {
    const annotations = [
      button(`/T (a1) /TU (I agree) /V /Yes /AS /Yes ${STATES('Yes')}`),
      button(`/T (news) /V /Off /AS /Off ${STATES('On')}`),
      button(`/Ff 32768 /T (size) /V /Large /AS /Large ${STATES('Large')}`),
      button(`/Ff 32768 /T (size) /V /Large /AS /Off ${STATES('Small')}`),
    ];
    expect(
      await units({ pages: [{ ...textPage('Order'), annotations }], objects: [appearance('')] }),
    ).toEqual([[1, 'Order\n\n☒ I agree\n\n☐ news\n\n☒ size: Large']]);
  });

  it('shows its values as they are written, and choices by their words', async () => {
    const annotations = [
      `<< ${RECT} /Subtype /Widget /FT /Tx /T (sum) /V (1200) /DA (/F1 9 Tf) /AP << /N 7 0 R >> >>`,
      `<< ${RECT} /Subtype /Widget /FT /Ch /T (town) /Opt [[(u) (Ulm)] [(b) (Bonn)]] /V (b) >>`,
    ];
    const written = appearance('/Tx BMC BT /F1 9 Tf 2 2 Td (EUR 1,200.00) Tj ET EMC');
    expect(await units({ pages: [{ content: '', annotations }], objects: [written] })).toEqual([
      [1, 'EUR 1,200.00\n\nBonn'],
    ]);
  });

  it('that is made from XFA has the text of its pages', async () => {
    const template = `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template xmlns="http://www.xfa.org/schema/xfa-template/3.3/">
      <subform name="root" layout="tb"><pageSet><pageArea name="p" id="p"><contentArea x="0mm" y="0mm" w="200mm" h="250mm"/>
      <medium stock="default" short="200mm" long="250mm"/></pageArea></pageSet>
      <draw name="d" w="100mm" h="10mm"><value><text>Application</text></value></draw></subform></template></xdp:xdp>`;
    const form = {
      pages: [textPage('Please wait...')],
      catalog: '/NeedsRendering true /AcroForm << /Fields [] /XFA 7 0 R >>',
      objects: [pdfStream('', template)],
    };
    expect(await units(form)).toEqual([[1, 'Application']]);
  });

  it('that is scanned is read with its notes behind its print', async () => {
    const page = { content: '', annotations: [`<< ${RECT} /Subtype /Text /Contents (Look here) >>`] };
    const scanReader = () => Promise.resolve('Printed');
    const { units: found } = await readPdf(
      pdfFile({ pages: [page, page] }),
      EXTRACTION_LIMITS,
      () => 0,
      scanReader,
    );
    expect(found.map(({ pageNumber, text }) => [pageNumber, text])).toEqual([
      [1, 'Printed'],
      [1, 'Comment: Look here'],
      [2, 'Printed'],
      [2, 'Comment: Look here'],
    ]);
  });
});
