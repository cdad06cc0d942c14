import { beforeAll, describe, expect, it } from 'vitest';
import { withKey } from '../support/client.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { issued } from '../support/keys.ts';
import { openPush } from '../support/pushes.ts';
import { filesOf } from '../support/uploads.ts';

const journey = openJourney();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await journey.tenant();
}, 120_000);

const refused = ({ status, body }: { readonly status: number; readonly body: unknown }) => [
  status,
  (body as { readonly error?: { readonly type: string } }).error?.type,
];
const eventsOf = async (id: string): Promise<readonly string[]> => {
  const { body } = await tenant.api('GET', `/events?stream=source-${id}&limit=100`);
  return body.events.map(({ type }: { type: string }) => type);
};

describe('a document of a push', { timeout: 180_000 }, () => {
  it('is one version however often it is put, and another when it changes', async () => {
    const push = await openPush(tenant);
    const first = await push.put('a.md', '# One\n\nthe first text');
    const same = await push.put('a.md', '# One\n\nthe first text');
    expect(same.body).toEqual(first.body);
    const changed = await push.put('a.md', '# Two\n\nthe second text');
    expect(changed.body).toMatchObject({ id: first.body.id, title: 'Two' });
    const renamed = await push.put('a.md', { text: '# Two\n\nthe second text', query: { title: 'Three' } });
    expect(renamed.body).toMatchObject({ id: first.body.id, title: 'Three' });
    expect(await eventsOf(first.body.id)).toEqual(['SourceIndexed', 'SourceIndexed', 'SourceIndexed']);
    await push.complete();
    const again = await push.open();
    await push.put('a.md', { text: '# Two\n\nthe second text', query: { title: 'Three' } });
    const done = await push.complete(again.body.job_id);
    expect(done.body.progress).toMatchObject({ seen: 1, indexed: 0, unchanged: 1 });
    expect(await eventsOf(first.body.id)).toHaveLength(3);
  });

  it('holds what was recorded last when it is put many times at once', async () => {
    const push = await openPush(tenant);
    const texts = Array.from({ length: 12 }, (_, i) => `# Version ${i}\n\ntext number ${i}`);
    const answers = await Promise.all(texts.map((text) => push.put('raced.md', text)));
    expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 200));
    const { id } = answers[0]!.body;
    const versions = await eventsOf(id);
    expect(versions).toHaveLength(12);
    await push.complete();
    const { body: source } = await tenant.api('GET', `/sources/${id}`);
    const raw = (await tenant.api('GET', `/sources/${id}/raw`)).body as string;
    expect(raw.split('\n')[0]).toBe(`# ${source.title}`);
    const { body } = await tenant.api('GET', `/sources/${id}/contents`);
    expect(body.contents.map(({ text }: { text: string }) => text)).toEqual([raw.replace('# ', '')]);
  });

  it.each([['../../etc/passwd'], ['a/b c/ä €.md'], ['?query=1#fragment'], ['x'.repeat(2_000)]])(
    'may be called %s',
    async (locator) => {
      const push = await openPush(tenant);
      const put = await push.put(locator, { text: 'words under an odd name', type: 'text/plain' });
      expect(put.status).toBe(200);
      const { body } = await tenant.api('GET', `/sources/${put.body.id}`);
      expect(body.source_group_id).toBe(push.id);
      expect((await push.put(locator, { text: 'other words', type: 'text/plain' })).body.id).toBe(
        put.body.id,
      );
      expect((await push.remove(locator)).status).toBe(200);
      expect((await push.remove(locator)).status).toBe(404);
    },
  );

  it.each([
    [
      'a type that nobody reads',
      { text: new Uint8Array([0, 1, 2, 3, 255]), type: 'application/x-thing' },
      415,
      'unsupported_media_type',
    ],
    [
      'a value that is not of its type',
      { text: 'words', query: { metadata: '{"records":[{"key":"n","val":"x","type":"integer"}]}' } },
      400,
      'invalid_request',
    ],
  ])('is refused with %s, and nothing of it is kept', async (_, document, status, type) => {
    const push = await openPush(tenant);
    const answer = await push.put('a', document);
    expect([...refused(answer), answer.body.error.message.length > 20]).toEqual([status, type, true]);
    expect((await push.record()).progress.seen).toBe(0);
    expect((await tenant.api('GET', `/sources?source_group_id=${push.id}`)).body.sources).toEqual([]);
    expect(await filesOf(tenant, push.id)).toEqual([]);
  });

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

  it('that cannot be read is an error of its job, and no longer once it can', async () => {
    const push = await openPush(tenant);
    const broken = await push.put('b.pdf', { text: '%PDF-1.7 but nothing else', type: 'application/pdf' });
    expect(broken).toMatchObject({
      status: 200,
      body: { status: 'failed', content_count: 0, title: 'b.pdf' },
    });
    const named = await push.put('b.pdf', {
      text: '%PDF-1.7 but nothing else',
      type: 'application/pdf',
      query: { title: 'The bittern', url: 'https://birds.example/b' },
    });
    expect(named.body).toMatchObject({ title: 'The bittern', url: 'https://birds.example/b' });
    const errors = async () => (await tenant.api('GET', `/pushes/${push.id}/errors`)).body.errors;
    expect(await errors()).toMatchObject([{ locator: 'b.pdf', code: broken.body.error.code }]);
    expect((await push.put('b.pdf', { text: 'words after all', type: 'text/plain' })).body.status).toBe(
      'indexed',
    );
    expect(await errors()).toEqual([]);
    expect((await push.complete()).body.progress).toMatchObject({ seen: 1, indexed: 1, failed: 0 });
  });

  it('loses its bytes with it, also while its job goes on, and former versions at its end', async () => {
    const push = await openPush(tenant);
    await push.put('kept.md', '# Kept\n\nwhat stays');
    await push.put('gone.md', '# Gone\n\nwhat goes');
    const before = await filesOf(tenant, push.id);
    expect(before).toHaveLength(4);
    await push.remove('gone.md');
    await expect.poll(() => filesOf(tenant, push.id), { timeout: 30_000 }).toHaveLength(2);
    await push.put('gone.md', '# Gone\n\nwhat goes');
    expect((await filesOf(tenant, push.id)).toSorted()).toEqual(before.toSorted());
    await push.put('kept.md', '# Kept\n\nsomething else');
    expect(await filesOf(tenant, push.id)).toHaveLength(6);
    await push.complete();
    expect(await filesOf(tenant, push.id)).toHaveLength(4);
  });

  it('stays out once a caller took it out, until the next job', async () => {
    const push = await openPush(tenant);
    const { body } = await push.put('a.md', '# A\n\ntext');
    expect((await tenant.api('DELETE', `/sources/${body.id}`)).status).toBe(202);
    expect(refused(await push.put('a.md', '# A\n\ntext'))).toEqual([409, 'conflict']);
    await push.complete();
    const { body: next } = await push.open();
    expect((await push.put('a.md', '# A\n\ntext')).body).toMatchObject({ id: body.id, status: 'indexed' });
    await push.complete(next.job_id);
    expect((await tenant.api('GET', `/sources/${body.id}`)).status).toBe(200);
  });

  it('goes into pushes alone, by a key with the scope', async () => {
    const crawl = { name: 'c', start_url: 'http://127.0.0.1:9/', max_depth: 1, max_num_files: 1 };
    const { body } = await tenant.api('POST', '/crawls', crawl);
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
