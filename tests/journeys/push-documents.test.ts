import { beforeAll, describe, expect, it } from 'vitest';
import { withKey } from '../support/client.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { issued } from '../support/keys.ts';
import { openPush } from '../support/pushes.ts';

const journey = openJourney();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await journey.tenant();
}, 120_000);

const refused = ({ status, body }: { readonly status: number; readonly body: unknown }) => [
  status,
  (body as { readonly error?: { readonly type: string } }).error?.type,
];

describe('a document of a push', { timeout: 180_000 }, () => {
  it.each([['../../etc/passwd'], ['a/b c/ä €.md'], ['?query=1#fragment'], ['x'.repeat(2_000)]])(
    'may be called %s',
    async (locator) => {
      const push = await openPush(tenant);
      const put = await push.put(locator, { text: 'words under an odd name', type: 'text/plain' });
      expect(put.status).toBe(200);
      const body = await tenant.get('/sources/{id}', { path: { id: put.body.id } });
      expect(body.source_group_id).toBe(push.id);
      expect((await push.put(locator, { text: 'other words', type: 'text/plain' })).body.id).toBe(
        put.body.id,
      );
      expect((await push.remove(locator)).status).toBe(200);
      expect((await push.remove(locator)).status).toBe(404);
    },
  );

  it('comes in a form too, with its fields before or behind it', async () => {
    const push = await openPush(tenant);
    const form = new FormData();
    form.append('title', 'Bitterns');
    form.append('file', new Blob(['<h1>x</h1><p>the bittern booms</p>'], { type: 'text/html' }), 'b.html');
    form.append('metadata', '{"records":[{"key":"rare","val":"yes"}]}');
    const send = async (body: FormData) => {
      const answer = await fetch(`${tenant.base}/api/v1${push.pathOf('b')}`, {
        method: 'PUT',
        headers: { 'x-api-key': tenant.key },
        body,
      });
      return { status: answer.status, body: await answer.json() };
    };
    expect(await send(form)).toMatchObject({
      status: 200,
      body: { title: 'Bitterns', file_type: 'html', metadata: { records: [{ key: 'rare', val: 'yes' }] } },
    });
    const twice = new FormData();
    for (const name of ['1', '2']) twice.append('file', new Blob([name]), name);
    expect(refused(await send(twice))).toEqual([413, 'payload_too_large']);
    const none = new FormData();
    none.append('title', 'Nothing');
    expect(refused(await send(none))).toEqual([400, 'invalid_request']);
  });

  it('goes into pushes alone, by a key with the scope', async () => {
    const crawl = { name: 'c', start_url: 'http://127.0.0.1:9/', max_depth: 1, max_num_files: 1 };
    const body = await tenant.post('/crawls', { body: crawl });
    const put = (key: string, id: string) =>
      withKey(tenant, key).api('PUT', `/source-groups/${id}/sources/a`, 'words', {
        'content-type': 'text/plain',
      });
    expect(refused(await put(tenant.key, body.id))).toEqual([409, 'conflict']);
    const push = await openPush(tenant);
    const reader = await issued(tenant, { scopes: ['knowledge:write'] });
    expect(refused(await put(reader.key, push.id))).toEqual([403, 'insufficient_scope']);
    const own = await issued(tenant, { scopes: ['ingestion:manage'], source_group_ids: [push.id] });
    expect((await put(own.key, push.id)).status).toBe(200);
  });
});
