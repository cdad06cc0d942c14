import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backing, openBacking, STORE } from '../support/backing.ts';
import { crawl, ended, gone, record } from '../support/crawls.ts';
import { type Service, startService } from '../support/service.ts';
import { manyPages, openSite, type Site } from '../support/site.ts';

const KNOWLEDGER_MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

let backing: Backing;
let dataDir: string;
let site: Site;
let asked: Service;
let reads: Service;
let projector: Service;
const services: Service[] = [];
const start = async (roles: string): Promise<Service> => {
  const env = { KNOWLEDGER_ALLOW_ADDRESSES: '127.0.0.1/32', KNOWLEDGER_ROLES: roles, KNOWLEDGER_MASTER_KEY };
  const service = await startService(env, { dataDir, backing });
  services.push(service);
  return service;
};

beforeAll(async () => {
  // A projector can only be frozen beside processes that live: roles in several processes need a server.
  [backing, dataDir, site] = await Promise.all([
    openBacking(STORE === 'embedded' ? 'postgres' : STORE),
    mkdtemp(join(tmpdir(), 'knowledger-hidden-')),
    openSite(manyPages(12)),
  ]);
  projector = await start('projector');
  [asked, reads] = await Promise.all([start('api,worker,scheduler'), start('api')]);
}, 180_000);
afterAll(async () => {
  projector.child.kill('SIGCONT');
  await Promise.all(services.map((service) => service.end('SIGTERM')));
  await Promise.all([backing.close(), site.close(), rm(dataDir, { recursive: true, force: true })]);
});

/** What another process shows of a crawl. */
const shown = async (id: string, sourceId: string, contentId: string, tagId: string) => {
  const [content, source, raw, contents, list, query, search, answer, group, bindings, tag] =
    await Promise.all([
      reads.api('GET', `/contents/${contentId}`),
      reads.api('GET', `/sources/${sourceId}`),
      reads.api('GET', `/sources/${sourceId}/raw`),
      reads.api('GET', `/sources/${sourceId}/contents`),
      reads.api('GET', `/sources?source_group_id=${id}`),
      reads.api('POST', '/query', {}),
      reads.api('POST', '/search', { query: 'falcons' }),
      reads.api('POST', '/completions', { messages: [{ role: 'user', content: 'What is the site about?' }] }),
      reads.api('GET', `/source-groups/${id}`),
      reads.api('GET', '/tag-source-groups'),
      reads.api('GET', `/tags/${tagId}`),
    ]);
  return {
    status: [content, source, raw, contents].map(({ status }) => status),
    totals: [list, query].map(({ body }) => body.pagination.total),
    found: [search.body.results.length, search.body.total_candidates],
    cited: answer.body.choices[0].citations.length,
    group: [group.body.source_count, group.body.content_count],
    tagged: [
      bindings.body.pagination.total,
      bindings.body.tag_source_groups.length,
      tag.body.source_group_count,
    ],
  };
};

const NOTHING = {
  status: [404, 404, 404, 404],
  totals: [0, 0],
  found: [0, 0],
  cited: 0,
  group: [0, 0],
  tagged: [0, 0, 0],
};

describe('a deletion while the projector stands still', { timeout: 240_000 }, () => {
  it('hides everything from every process with its answer, and is carried out when the projector goes on', async () => {
    const { id } = await crawl(asked, `${site.origin}/`);
    await ended(reads, id);
    await record(reads, id);
    const { body: made } = await asked.api('POST', '/tags', { name: 'birds' });
    const bound = { tag_id: made.id, source_group_id: id };
    const binding = await asked.api('POST', '/tag-source-groups', bound);
    await reads.api('GET', '/tag-source-groups', undefined, {
      'x-min-position': binding.headers.get('x-position') ?? '',
    });
    const { body } = await reads.api('POST', '/search', { query: 'falcons' });
    const { content } = body.results[0];
    const before = await shown(id, content.source_id, content.id, made.id);
    expect(before).toMatchObject({ status: [200, 200, 200, 200], totals: [12, 12], tagged: [1, 1, 1] });

    projector.child.kill('SIGSTOP');
    expect((await asked.api('DELETE', `/crawls/${id}`)).status).toBe(202);
    expect(await shown(id, content.source_id, content.id, made.id)).toEqual(NOTHING);

    projector.child.kill('SIGCONT');
    await gone(reads, id);
    expect((await reads.api('GET', `/contents/${content.id}`)).status).toBe(404);
  });
});
