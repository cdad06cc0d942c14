import { beforeAll, describe, expect, it } from 'vitest';
import { crawl, ended } from '../support/crawls.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { page, type PageAnswer, type Site } from '../support/site.ts';

const sent =
  (contentType: string, ...parts: readonly (string | readonly number[])[]): PageAnswer =>
  (_, response) => {
    const bytes = parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
    );
    response.writeHead(200, { 'content-type': contentType }).end(Buffer.concat(bytes));
  };
// "Привет" in windows-1251, "日本語" in Shift_JIS, "한국어" in EUC-KR, "café" in latin1: Node encodes none of them.
const RUSSIAN = [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2];
const JAPANESE = [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea];
const KOREAN = [0xc7, 0xd1, 0xb1, 0xb9, 0xbe, 0xee];

const PAGES: readonly (readonly [
  what: string,
  path: string,
  answer: PageAnswer,
  text: string,
  sentAs: string,
])[] = [
  [
    'windows-1251 by its header',
    '/ru',
    sent('text/html; charset=windows-1251', '<title>ru</title><p>', RUSSIAN),
    'Привет',
    'text/html; charset=windows-1251',
  ],
  [
    'Shift_JIS by its meta element',
    '/ja',
    sent('text/html', '<meta charset="Shift_JIS"><title>ja</title><p>', JAPANESE),
    '日本語',
    'text/html; charset=shift_jis',
  ],
  [
    'EUC-KR by its http-equiv',
    '/ko',
    sent(
      'text/html',
      '<meta http-equiv="Content-Type" content="text/html; charset=euc-kr"><title>ko</title><p>',
      KOREAN,
    ),
    '한국어',
    'text/html; charset=euc-kr',
  ],
  [
    'UTF-16 by its mark',
    '/wide',
    sent('text/html', [0xff, 0xfe], [...Buffer.from('<title>wide</title><p>żółw', 'utf16le')]),
    'żółw',
    'text/html; charset=utf-16le',
  ],
  [
    'latin1 called UTF-8',
    '/la',
    sent('text/html; charset=utf-8', '<title>la</title><p>un caf\xe9 tr\xe8s cher'),
    'café très cher',
    'text/html; charset=windows-1252',
  ],
  [
    'UTF-8 called latin1',
    '/u8',
    sent('text/html; charset=iso-8859-1', '<title>u8</title><p>', [...Buffer.from('Größe')]),
    'Größe',
    'text/html; charset=utf-8',
  ],
  [
    'windows-1251 as plain text',
    '/ru.txt',
    sent('text/plain; charset=windows-1251', RUSSIAN),
    'Привет',
    'text/plain; charset=windows-1251',
  ],
];

const journey = openJourney();
let service: Tenant;
let site: Site;
beforeAll(async () => {
  site = await journey.site({
    '/': page(
      'Start',
      'languages',
      PAGES.map(([, path]) => path),
    ),
    ...Object.fromEntries(PAGES.map(([, path, answer]) => [path, answer])),
  });
  service = await journey.tenant();
  const { id } = await crawl(service, `${site.origin}/`);
  await ended(service, id);
}, 120_000);

describe('a crawl', { timeout: 180_000 }, () => {
  it.each(PAGES)('reads %s', async (_, path, __, text) => {
    const { body } = await service.api('GET', `/sources?url=${encodeURIComponent(site.origin + path)}`);
    const { body: page_ } = await service.api('GET', `/sources/${body.sources[0].id}/contents`);
    expect(page_.contents[0].text).toContain(text);
    const { body: found } = await service.api('POST', '/search', {
      query: text,
      limit: 2,
      collapse: 'none',
    });
    const urls = found.results.map((hit: { content: { url: string } }) => hit.content.url);
    expect(urls).toContain(site.origin + path);
  });

  it.each(PAGES)('gives back the bytes of %s as what they were read as', async (_, path, __, ___, sentAs) => {
    const { body } = await service.api('GET', `/sources?url=${encodeURIComponent(site.origin + path)}`);
    const raw = await service.api('GET', `/sources/${body.sources[0].id}/raw`);
    const { headers } = raw;
    expect(headers.get('content-type')).toBe(sentAs);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('content-disposition')).toMatch(/^attachment;/);
  });
});
