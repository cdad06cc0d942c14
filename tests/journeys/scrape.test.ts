import { beforeAll, describe, expect, it } from 'vitest';
import { openJourney, type Tenant } from '../support/journey.ts';
import type { PageAnswer, Site } from '../support/site.ts';

const journey = openJourney();
let tenant: Tenant;
let site: Site;

const PAGE = `<!doctype html><html lang="de"><head><title>Kraniche</title>
  <link rel="canonical" href="/kranich"><meta name="robots" content="noindex">
  <meta name="description" content="Von  Kranichen"></head>
  <body><nav><a href="/nav">Navigation</a></nav><main><h1>Kraniche</h1><p>Sie ziehen im Herbst.</p>
  <h2>Stimme</h2><p>Sie trompeten. <a href="stimme#laut">Mehr</a></p><ul><li>laut</li><li>weit</li></ul></main></body></html>`;
const sending =
  (status: number, headers: Readonly<Record<string, string>>, body: string | Buffer = ''): PageAnswer =>
  (_, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

beforeAll(async () => {
  tenant = await journey.tenant();
  site = await journey.site({
    '/robots.txt': sending(200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /secret'),
    '/voegel/kranich': PAGE,
    '/moved': sending(302, { location: '/voegel/kranich' }),
    '/to-secret': sending(302, { location: '/secret/page' }),
    '/inward': sending(302, { location: 'http://169.254.169.254/latest/meta-data/' }),
    '/secret/page': PAGE,
    '/paper.pdf': sending(200, { 'content-type': 'application/pdf' }, '%PDF-1.7'),
  });
}, 120_000);

const scrape = (path: string, more: object = {}) =>
  tenant.api('POST', '/scrape', { url: new URL(path, site.origin).href, ...more });
const refused = async (path: string, more: object = {}) => {
  const { status, body } = await scrape(path, more);
  return [status, body.error?.type];
};

describe('a page that is scraped', { timeout: 120_000 }, () => {
  it('comes as Markdown, unless other formats are asked for', async () => {
    expect(await scrape('/voegel/kranich')).toMatchObject({
      status: 200,
      body: {
        url: `${site.origin}/voegel/kranich`,
        markdown: `# Kraniche\n\nSie ziehen im Herbst.\n\n## Stimme\n\nSie trompeten. [Mehr](${site.origin}/voegel/stimme#laut)\n\n- laut\n- weit`,
      },
    });
    const { body } = await scrape('/moved', { formats: ['html', 'links', 'metadata'] });
    expect(body).toEqual({
      url: `${site.origin}/voegel/kranich`,
      html: PAGE,
      links: [`${site.origin}/nav`, `${site.origin}/voegel/stimme`],
      metadata: {
        title: 'Kraniche',
        description: 'Von Kranichen',
        language: 'de',
        canonical_url: `${site.origin}/kranich`,
        noindex: true,
        nofollow: false,
        status: 200,
        media_type: 'text/html',
        encoding: 'utf-8',
        bytes: Buffer.byteLength(PAGE),
      },
    });
  });

  it('is refused where robots.txt or the addresses forbid it, also behind a redirect', async () => {
    expect(await refused('/secret/page')).toEqual([422, 'url_not_allowed']);
    expect(await refused('/to-secret')).toEqual([422, 'url_not_allowed']);
    expect(await refused('/inward')).toEqual([422, 'url_not_allowed']);
    expect(await refused('http://10.1.2.3/')).toEqual([422, 'url_not_allowed']);
    expect(await refused('http://[::1]:9/')).toEqual([422, 'url_not_allowed']);
    expect(site.hits.get('/secret/page')).toBeUndefined();
  });

  it('leaves no source and no event', async () => {
    const other = await journey.tenant();
    const positions = async () => (await other.get('/events', { query: { limit: 100 } })).events.length;
    const before = await positions();
    await other.post('/scrape', { body: { url: `${site.origin}/voegel/kranich` } });
    expect(await positions()).toBe(before);
    expect((await other.get('/sources')).pagination.total).toBe(0);
  });
});
