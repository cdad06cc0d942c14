import { describe, expect, it } from 'vitest';
import { startSite, visit } from './loopback.ts';

describe('the name of a file that a page is sent as', () => {
  it.each([
    ['attachment; filename="birds.csv"', 'birds.csv'],
    ['attachment; filename=birds.csv', 'birds.csv'],
    ["attachment; filename*=UTF-8''crane%20manual.md", 'crane manual.md'],
    ['inline; filename="plain.txt"; filename*=utf-8\'en\'na%C3%AFve.txt', 'naïve.txt'],
    ["attachment; filename*=iso-8859-1''stra%DFe.txt", 'straße.txt'],
    ["attachment; filename*=nonsense''x.txt; filename=y.txt", 'y.txt'],
    ['attachment; filename="a \\"b\\"; c.txt"', 'a "b"; c.txt'],
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ['attachment; filename="C:\\\\files\\\\x.doc"', 'x.doc'],
    ['attachment; FileName = "x.csv" ', 'x.csv'],
    [Buffer.from('attachment; filename="straße.csv"').toString('latin1'), 'straße.csv'],
    ['attachment; filename="stra%C3%9Fe.csv"', 'straße.csv'],
    ['attachment; filename="100%.csv"', '100%.csv'],
    ['attachment; filename="=?UTF-8?B?w5xiZXIgMS5jc3Y=?="', 'Über 1.csv'],
    ['attachment; filename="=?iso-8859-1?q?stra=DFe_?= =?utf-8?Q?1=2Ecsv?="', 'straße 1.csv'],
    ['attachment; filename="=?nonsense?B?eA==?="', '=?nonsense?B?eA==?='],
    ['attachment; filename=""', undefined],
    ['attachment', undefined],
  ])('of %s is %s', async (header, fileName) => {
    const site = await startSite((_request, response) => {
      response.setHeader('content-disposition', header);
      response.end('x');
    });
    const outcome = await visit(site);
    expect(outcome).toMatchObject({ kind: 'page' });
    expect('fileName' in outcome ? outcome.fileName : undefined).toBe(fileName);
  });
});
