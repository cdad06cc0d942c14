import { afterAll, describe, expect, it } from 'vitest';
import { docxFile } from '../corpus/open-xml.ts';
import { createReading } from '../corpus/reading.ts';

const reading = createReading();
afterAll(() => reading.remove());

const CODES: readonly (readonly [code: string, shown: string])[] = [
  ['MACROBUTTON NoMacro [Name of the client]', '[Name of the client]'],
  [' EQ \\* jc2 \\* "Font:MS Mincho" \\o\\ad(\\s\\up 10(とうきょう),東京)', 'とうきょう 東京'],
  [' EQ \\f(a\\,b;2)', 'a,b 2'],
  [' PAGE ', ''],
];
const char = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const code = (text: string): string =>
  `<w:r><w:instrText>${text.replaceAll('"', '&quot;')}</w:instrText></w:r>`;

describe.each(CODES)('a field without a result (%s)', (field, shown) => {
  const text = `Before ${shown === '' ? '' : `${shown} `}after.`;

  it('shows what its code says', async () => {
    const half = Math.ceil(field.length / 2);
    const body = `<w:p><w:r><w:t>Before </w:t></w:r>${char('begin')}${code(field.slice(0, half))}${code(field.slice(half))}${char('end')}<w:r><w:t> after.</w:t></w:r></w:p>`;
    expect(await reading.units(docxFile(body), { fileName: 'a.docx' })).toEqual([[[], 0, text]]);
  });
});

it('shows the result of a field that has one, and no code of one within another', async () => {
  const inner = `${char('begin')}${code('MACROBUTTON x inner')}${char('end')}`;
  const body = `<w:p>${char('begin')}${code('MACROBUTTON x outer')}${inner}${char('separate')}<w:r><w:t>result</w:t></w:r>${char('end')}</w:p>`;
  expect(await reading.units(docxFile(body), { fileName: 'a.docx' })).toEqual([[[], 0, 'result']]);
});
