import { beforeAll, describe, expect, it } from 'vitest';
import { crawl, emptyGroup, ended, gone, record } from '../support/crawls.ts';
import { type Answer, type Client, withKey } from '../support/client.ts';
import { EVERY_SCOPE, issued } from '../support/keys.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { page, type Site } from '../support/site.ts';

const [LOWEST, HIGHEST] = ['00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff'];
const NOWHERE = 'https://nowhere.example/';

const journey = openJourney();
let service: Tenant;
let site: Site;
/** Of the first crawl: its id, that of one source and one content of it; of a crawl that was deleted; of two keys. */
let strangers: readonly Client[] = [];
let [mine, source, content, failed, deleted, key, revoked] = ['', '', '', '', '', '', ''];
beforeAll(async () => {
  site = await journey.site({
    '/': page('Start', 'words to be found', ['/broken', '/next']),
    '/next': page('Next', 'more words to be found'),
    '/broken': (_request, response) => response.writeHead(403).end(),
  });
  service = await journey.tenant();
  deleted = (await crawl(service, `${site.origin}/`)).id;
  mine = (await crawl(service, `${site.origin}/`)).id;
  await Promise.all([ended(service, deleted), ended(service, mine)]);
  await record(service, mine);
  failed = `${site.origin}/broken`;
  const body = await service.get('/sources', { query: { source_group_id: mine } });
  source = body.sources.find((one: { status: string }) => one.status === 'indexed')!.id;
  content = (await service.get('/sources/{id}/contents', { path: { id: source } })).contents[0]!.id;
  await service.delete('/crawls/{id}', { path: { id: deleted } });
  await gone(service, deleted);
  key = (await issued(service, {})).id;
  revoked = (await issued(service, {})).id;
  await service.delete('/api-keys/{id}', { path: { id: revoked } });
  const restricted = await issued(service, {
    scopes: EVERY_SCOPE,
    source_group_ids: [await emptyGroup(service)],
  });
  strangers = [await journey.tenant(), withKey(service, restricted.key)];
}, 120_000);

/** What a page after this cursor answers, list by list. */
const LISTS: readonly (readonly [
  list: string,
  ask: (by: Client, after: string) => Promise<Answer>,
  known: () => readonly string[],
  unknown: readonly string[],
])[] = [
  [
    'crawls',
    (by, after) => by.api('GET', `/crawls?after=${after}`),
    () => [mine, deleted],
    [LOWEST, HIGHEST],
  ],
  [
    'API keys',
    (by, after) => by.api('GET', `/api-keys?after=${after}`),
    () => [key, revoked],
    [LOWEST, HIGHEST],
  ],
  ['sources', (by, after) => by.api('GET', `/sources?after=${after}`), () => [source], [LOWEST, HIGHEST]],
  [
    'contents of a source',
    (by, after) => by.api('GET', `/sources/${source}/contents?after=${after}`),
    () => [content],
    [LOWEST, HIGHEST],
  ],
  [
    'contents by filter',
    (by, after) => by.api('POST', '/query', { after }),
    () => [content],
    [LOWEST, HIGHEST],
  ],
  [
    'failed pages',
    (by, after) => by.api('GET', `/crawls/${mine}/errors?after=${encodeURIComponent(after)}`),
    () => [failed, `${site.origin}/next`],
    [NOWHERE, '0'],
  ],
  [
    'the trail',
    (by, after) => by.api('GET', `/crawls/${mine}/events?after=${after}`),
    () => ['0', '1'],
    ['1000', '2147483648', '9007199254740991', '9007199254740992', '99999999999999999999'],
  ],
  [
    'the trail as a stream',
    (by, after) =>
      by.api('GET', `/crawls/${mine}/events`, undefined, {
        accept: 'text/event-stream',
        'last-event-id': after,
      }),
    () => [],
    ['1000', '9007199254740991', '99999999999999999999'],
  ],
];

describe.each(LISTS)('a page of %s', { timeout: 180_000 }, (list, ask, known, unknown) => {
  it('goes on after what is listed, or was', async () => {
    for (const after of known()) {
      expect([after, (await ask(service, after)).status]).toEqual([after, 200]);
    }
  });

  it('is refused after what never was', async () => {
    for (const after of unknown) {
      const { status, body } = await ask(service, after);
      expect([after, status, body.error?.type]).toEqual([after, 400, 'invalid_cursor']);
    }
  });

  it('is refused after what others have, in the same words', async () => {
    if (!['crawls', 'API keys', 'sources', 'contents by filter'].includes(list)) return;
    for (const who of strangers) {
      for (const after of known()) {
        const answer = await ask(who, after);
        const none = await ask(who, HIGHEST);
        expect([after, answer.status, answer.body.error?.type]).toEqual([after, 400, 'invalid_cursor']);
        expect(answer.body.error.message.replace(after, HIGHEST)).toBe(none.body.error.message);
      }
    }
  });
});
