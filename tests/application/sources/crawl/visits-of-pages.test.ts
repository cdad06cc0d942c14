import { describe, expect, it } from 'vitest';
import { WorkLost } from '../../../../application/jobs/work-handler.ts';
import { on, START } from './crawls-in-memory.ts';
import { openSiteInMemory, type SitePage } from './site-in-memory.ts';

type Site = ReturnType<typeof openSiteInMemory>;
const LEADS: SitePage = { text: 'start', links: [on('a'), on('b')] };
const open = (
  pages: Readonly<Record<string, SitePage>>,
  ...of: Parameters<typeof openSiteInMemory>
): Site => {
  const site = openSiteInMemory(...of);
  site.world.pages.set('', LEADS);
  for (const [path, page] of Object.entries(pages)) site.world.pages.set(path, page);
  return site;
};
const visitsOf = async (
  pages: Readonly<Record<string, SitePage>>,
  ...of: Parameters<typeof openSiteInMemory>
) => {
  const site = open(pages, ...of);
  await site.run(1);
  return site.outcomes();
};

describe('a page that is visited', () => {
  it('leads where a refresh does, before its links', async () => {
    const site = open({ '': { text: 'start', links: [on('a')], says: { refresh: on('b') } } });
    await site.run(1);
    expect(site.visitOf(START)?.links).toEqual([on('b'), on('a')]);
  });

  it('is indexed under the address that it redirects to, once, and by what that one leads to', async () => {
    const site = open({ a: { to: on('x') }, b: { to: on('x') }, x: { text: 'page x', links: [on('y')] } });
    await site.run(1);
    expect(site.outcomes()).toEqual({
      [START]: 'indexed',
      [on('a')]: 'skipped: redirected',
      [on('b')]: 'skipped: redirected',
      [on('x')]: 'indexed',
      [on('y')]: 'failed: http_status',
    });
    expect(site.visitOf(on('a'))).toMatchObject({ message: on('x'), links: [on('x')], sourceId: null });
    expect(await site.factsOf('x')).toEqual(['SourceIndexed']);
    expect(await site.factsOf('a')).toEqual([]);
  });

  it('is left out where its redirect leads away, or to where robots.txt forbids', async () => {
    const site = open({ a: { to: 'https://elsewhere.example/' }, b: { to: on('x') }, x: { text: 'x' } });
    site.world.robots = (url) =>
      url === on('x') ? { allowed: false, reason: 'disallowed' } : { allowed: true };
    await site.run(1);
    expect(site.outcomes()).toMatchObject({
      [on('a')]: 'skipped: redirected_out',
      [on('b')]: 'robots: robots',
    });
    const away = { reason: 'unreachable', code: 'dns_failed', message: 'there is no such host' } as const;
    site.world.robots = (url) => (url === on('a') ? { allowed: false, ...away } : { allowed: true });
    set(site, 'b', { text: 'b' });
    await site.run(2);
    expect(site.visitOf(on('a'))).toMatchObject({
      outcome: 'failed',
      code: 'dns_failed',
      message: away.message,
    });
  });

  it('is visited in place of one that names it as canonical, and stands alone where that leads to nothing', async () => {
    const twin = { text: 'page b', says: { canonical: on('a') } };
    const both = await visitsOf({ a: { text: 'page a' }, b: twin });
    expect(both).toEqual({ [START]: 'indexed', [on('a')]: 'indexed', [on('b')]: 'skipped: duplicate' });
    const alone = await visitsOf({ '': { text: 'start', links: [on('b')] }, b: twin });
    expect(alone).toEqual({ [START]: 'indexed', [on('a')]: 'failed: http_status', [on('b')]: 'indexed' });
    const told = open({ a: { text: 'page a' }, b: twin });
    await told.run(1, { locators: [on('b')] });
    expect(told.outcomes()).toEqual({ [on('a')]: 'indexed', [on('b')]: 'skipped: duplicate' });
  });

  it('that could not be read leads where it led before, and keeps its document', async () => {
    const site = open({ a: { text: 'page a', links: [on('c')] }, c: { text: 'page c' } });
    await site.run(1);
    const { read } = site.documents;
    const broken = { kind: 'failed', code: 'parser_failed', message: 'it breaks off' } as const;
    site.documents.read = (text) => (text === 'newer a' ? broken : read(text));
    set(site, 'a', { text: 'newer a' });
    await site.run(2);
    expect(site.visitOf(on('a'))).toMatchObject({
      outcome: 'failed',
      code: 'parser_failed',
      message: 'it breaks off',
    });
    expect(await site.factsOf('c')).toEqual(['SourceIndexed']);
    expect(site.outcomes()[on('c')]).toBe('unchanged');
  });

  it('says that next to nothing was read where its scripts were not run', async () => {
    const page = { '': { text: 'start', says: { needsScripts: true } } };
    const site = open(page);
    await site.run(1);
    expect(site.visitOf(START)).toMatchObject({
      outcome: 'indexed',
      code: 'partly_read',
      message:
        'next to nothing is on this page but scripts, which make its text: set use_browser to true in the crawl setting, then sync',
      rawSha256: site.documents.hash.sha256('start'),
    });
    expect(await visitsOf(page, { useBrowser: true })).toEqual({ [START]: 'indexed' });
  });

  it('is read again in the next job where something is missing, but not for a rest that is never read', async () => {
    const missing = { code: 'not_configured', message: 'set up a transcriber' } as const;
    const unread = { code: 'partly_read', message: '9 of 10 pages' } as const;
    const site = open({ a: { text: 'page a', links: [on('c')] } });
    const { read } = site.documents;
    const more: Readonly<Record<string, object>> = { 'page a': { missing }, start: { unread } };
    site.documents.read = (text) => ({ ...read(text), ...more[text] });
    await site.run(1);
    const nothing = { etag: null, lastModified: null, rawSha256: null };
    expect(site.visitOf(on('a'))).toMatchObject({ ...missing, ...nothing, bytes: 6, links: [on('c')] });
    expect(site.visitOf(START)).toMatchObject({ ...unread, etag: '"start"' });
  });

  it('is recorded no more once the job is lost', async () => {
    const site = open({});
    let looks = 0;
    site.documents.stillOurs = () => {
      // Two looks while it is read, two while its fact is written, one before the frontier.
      if ((looks += 1) === 5) throw new WorkLost('frozen');
    };
    await expect(site.run(1)).rejects.toThrow(WorkLost);
    expect(site.outcomes()).toEqual({});
    expect(await site.factsOf('')).toEqual(['SourceIndexed']);
  });
});

function set({ world }: Site, path: string, page: SitePage): void {
  world.pages.set(path, page);
}
