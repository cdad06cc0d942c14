import { beforeAll, describe, expect, it } from 'vitest';
import { openJourney } from '../support/journey.ts';
import { crawl, ended, gone, record } from '../support/crawls.ts';
import type { Service } from '../support/service.ts';
import { manyPages, type Site } from '../support/site.ts';

const KNOWLEDGER_MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

const journey = openJourney();
let site: Site;
let asked: Service;
let reads: Service;
let projector: Service;
beforeAll(async () => {
  const env = { KNOWLEDGER_ALLOW_ADDRESSES: '127.0.0.1/32', KNOWLEDGER_MASTER_KEY };
  const start = await journey.processes(env);
  site = await journey.site(manyPages(12));
  // A projector can only be frozen beside processes that live.
  projector = await start('projector');
  journey.closing(async () => projector.child.kill('SIGCONT'));
  [asked, reads] = await Promise.all([start('api,worker,scheduler'), start('api')]);
}, 180_000);

/** What another process shows of a crawl. */
const shown = async (id: string, sourceId: string, contentId: string, tagId: string) => {
  const [content, source, raw, contents, list, query, search, answer, group, bindings, tag, crawled, listed] =
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
      reads.api('GET', `/crawls/${id}`),
      reads.api('GET', '/crawls?status=deleting'),
    ]);
  return {
    status: [content, source, raw, contents].map(({ status }) => status),
    totals: [list, query].map(({ body }) => body.pagination.total),
    found: [search.body.results.length, search.body.total_candidates],
    cited: answer.body.choices[0].citations.length,
    group: [group.body.source_count, group.body.content_count],
    states: [crawled.body.status, group.body.status, listed.body.crawls[0]?.status],
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
  states: ['deleting', 'deleting', 'deleting'],
};

describe('a deletion while the projector stands still', { timeout: 240_000 }, () => {
  it('hides everything from every process with its answer, and is carried out when the projector goes on', async () => {
    const { id } = await crawl(asked, `${site.origin}/`);
    await ended(reads, id);
    await record(reads, id);
    const made = await asked.post('/tags', { body: { name: 'birds' } });
    const bound = { tag_id: made.id, source_group_id: id };
    const binding = await asked.api('POST', '/tag-source-groups', bound);
    await reads.api('GET', '/tag-source-groups', undefined, {
      'x-min-position': binding.headers.get('x-position') ?? '',
    });
    const body = await reads.post('/search', { body: { query: 'falcons' } });
    const { content } = body.results[0]!;
    const before = await shown(id, content.source_id!, content.id, made.id);
    expect(before).toMatchObject({ status: [200, 200, 200, 200], totals: [12, 12], tagged: [1, 1, 1] });

    projector.child.kill('SIGSTOP');
    await asked.delete('/crawls/{id}', { path: { id } });
    expect(await shown(id, content.source_id!, content.id, made.id)).toEqual(NOTHING);

    projector.child.kill('SIGCONT');
    await gone(reads, id);
    await expect(reads.get('/contents/{id}', { path: { id: content.id } })).rejects.toMatchObject({
      type: 'not_found',
    });
  });
});

describe('what was said last while the projector stands still', { timeout: 240_000 }, () => {
  it('holds for the list of conversations', async () => {
    const ask = async () =>
      (await asked.post('/completions', { body: { messages: [{ role: 'user', content: 'Which birds?' }] } }))
        .conversation_id;
    const [kept, removed] = [await ask(), await ask()];
    const listed = async () => {
      const body = await reads.get('/conversations');
      return { ids: body.conversations.map(({ id }: { id: string }) => id), total: body.pagination.total };
    };
    await expect.poll(async () => (await listed()).ids).toContain(removed);
    const before = await listed();

    projector.child.kill('SIGSTOP');
    await asked.delete('/conversations/{id}', { path: { id: removed } });
    const after = await listed();
    expect(after.total).toBe(before.total - 1);
    expect(after.ids).toContain(kept);
    expect(after.ids).not.toContain(removed);
    projector.child.kill('SIGCONT');
    await expect.poll(async () => (await listed()).total).toBe(before.total - 1);
  });

  it('holds for redaction policies: made, changed and deleted', async () => {
    const { id } = await crawl(asked, `${site.origin}/`);
    await ended(reads, id);
    await record(reads, id);
    const rule = (pattern: string) => ({ name: 'bird', kind: 'pattern', pattern, replacement: '[bird]' });
    const policy = (pattern: string) => ({ name: 'birds', rules: [rule(pattern)], applies_to: ['content'] });
    const shows = async (of: Service) => {
      const body = await of.post('/search', { body: { query: 'falcons' } });
      return /falcons/iu.test(JSON.stringify(body.results));
    };
    expect(await shows(reads)).toBe(true);
    const becomes = async (told: boolean) => {
      expect(await shows(asked)).toBe(told);
      await expect.poll(() => shows(reads), { timeout: 5_000 }).toBe(told);
    };

    projector.child.kill('SIGSTOP');
    const made = await asked.api('POST', '/redaction-policies', policy('(?i)falcons'));
    expect(made.status).toBe(201);
    await becomes(false);
    const path = `/redaction-policies/${made.body.id}`;
    expect((await asked.api('PUT', path, policy('(?i)sparrows'))).status).toBe(200);
    await becomes(true);
    expect((await asked.api('PUT', path, policy('(?i)falcons'))).status).toBe(200);
    await becomes(false);
    expect((await asked.api('DELETE', path)).status).toBe(200);
    await becomes(true);
    projector.child.kill('SIGCONT');
    await asked.get('/redaction-policies');
    await becomes(true);
  });
});

describe('keys while the projector stands still', { timeout: 240_000 }, () => {
  it('open and are refused as the last answer said, here at once and elsewhere within a second', async () => {
    const make = async (name: string) => {
      const made = await asked.post('/api-keys', { body: { name, scopes: ['knowledge:read'] } });
      return { id: made.id, key: made.key! };
    };
    const [revoked, rotated] = [await make('to be revoked'), await make('to be rotated')];
    const status = async (of: Service, key: string) =>
      (await of.api('GET', '/tags', undefined, { 'x-api-key': key })).status;
    const everywhere = (key: string) => Promise.all([status(asked, key), status(reads, key)]);
    expect(await everywhere(revoked.key)).toEqual([200, 200]);

    projector.child.kill('SIGSTOP');
    const fresh = await make('made meanwhile');
    expect(await everywhere(fresh.key)).toEqual([200, 200]);
    const next = (await asked.post('/api-keys/{id}/rotate', { path: { id: rotated.id } })).key!;
    await asked.delete('/api-keys/{id}', { path: { id: revoked.id } });
    expect(await everywhere(next)).toEqual([200, 200]);
    for (const key of [revoked.key, rotated.key]) {
      expect(await status(asked, key)).toBe(401);
      await expect.poll(() => status(reads, key), { timeout: 5_000 }).toBe(401);
    }

    projector.child.kill('SIGCONT');
    await asked.api('GET', '/api-keys', undefined, { 'x-api-key': asked.key });
    for (const key of [revoked.key, rotated.key]) expect(await everywhere(key)).toEqual([401, 401]);
    for (const key of [fresh.key, next]) expect(await everywhere(key)).toEqual([200, 200]);
  });

  it('take a sync of named pages of a crawl that the views do not know yet', async () => {
    projector.child.kill('SIGSTOP');
    const { id } = await crawl(asked, `${site.origin}/`);
    const named = await asked.api('POST', `/crawls/${id}/sync`, { urls: [`${site.origin}/p1`] });
    expect([named.status, named.body.id]).toEqual([200, id]);
    projector.child.kill('SIGCONT');
    await ended(reads, id);
  });
});
