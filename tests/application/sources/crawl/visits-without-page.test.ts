import { describe, expect, it } from 'vitest';
import type { Fetched } from '../../../../application/sources/crawl/fetch-stage.ts';
import { visitWithoutPage } from '../../../../application/sources/crawl/visit-without-page.ts';
import type { OwedPage } from '../../../../application/ports/crawl-frontier.ts';
import { crawlOf, on, owed } from './crawls-in-memory.ts';

const AT = 7;
const known = { etag: 'e', lastModified: 'l', rawSha256: 'r', failed: false };
const NOTHING = { bytes: 0, etag: null, lastModified: null, rawSha256: null, links: [], at: AT, attempt: 3 };
const links = [on('b')];
const sourceId = `id of ${on('a')}`;

const visit = (outcome: object, more: Partial<OwedPage> = {}) =>
  visitWithoutPage(
    crawlOf(),
    { owed: owed('a', { links, ...more }), purpose: 'index', outcome } as unknown as Fetched,
    AT,
  );
const plain = (outcome: string, code: string | null, message: string | null) => ({
  url: on('a'),
  outcome,
  sourceId: null,
  code,
  message,
  ...NOTHING,
});
const admitted = [{ url: on('b'), depth: 2 }];

describe('a visit that brought no new content', () => {
  it.each([
    [{ kind: 'not_modified' }, 0],
    [{ kind: 'page', body: { byteLength: 9 } }, 9],
  ])('keeps what is known of the page, and where it leads: %j', (outcome, bytes) => {
    const { rawSha256, etag, lastModified } = known;
    const kept = { sourceId, bytes, rawSha256, etag, lastModified, links };
    expect(visit(outcome, { known })).toEqual({
      page: { ...plain('unchanged', null, null), ...kept },
      document: null,
      links: admitted,
    });
    expect(visit(outcome).page).toMatchObject({ rawSha256: null, etag: null, lastModified: null });
  });

  it('leaves a document that is listed as skipped', () => {
    const of = { locator: on('a'), at: AT };
    const skipped = { kind: 'skipped', reason: 'media_type', mediaType: 'video/mp4' };
    expect(visit(skipped)).toEqual({
      page: { ...plain('skipped', 'media_type', 'video/mp4'), sourceId },
      document: { kind: 'skipped', reason: 'media_type', ...of, firstSeen: true },
      links: [],
    });
    expect(visit(skipped, { known }).document).toMatchObject({ firstSeen: false });
  });
});

describe('a visit that failed', () => {
  const failed = (status: number | null) => ({ kind: 'failed', code: 'http', message: 'no', status });

  it.each([404, 410])('takes out a document that is there no more: %i', (status) => {
    expect(visit(failed(status), { known })).toEqual({
      page: plain('failed', 'http', 'no'),
      document: { kind: 'gone', locator: on('a'), firstSeen: false, at: AT },
      links: [],
    });
    // A link to nowhere.
    expect(visit(failed(status))).toEqual({ page: plain('failed', 'http', 'no'), document: null, links: [] });
  });
});
