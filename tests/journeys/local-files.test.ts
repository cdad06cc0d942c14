import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Filter } from '../../clients/typescript/src/index.ts';
import { type Service, startService } from '../support/service.ts';
import { beginUpload, filesOnDisk, formOf, jobsOver, type Sent, uploaded } from '../support/uploads.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ KNOWLEDGER_LOG_LEVEL: 'warn' });
}, 120_000);
afterAll(() => service.dispose());

const page = (title: string, text: string): string =>
  `<title>${title}</title><h1>${title}</h1><p>${text}</p>`;

const titlesFound = async (query: string): Promise<readonly string[]> => {
  const body = await service.post('/search', { body: { query, mode: 'keyword' } });
  return body.results.map(({ content }: { content: { title: string } }) => content.title);
};
const titlesIn = async (id: string): Promise<readonly string[]> => {
  const body = await service.get('/sources', { query: { source_group_id: id, limit: 100 } });
  return body.sources.map(({ title }: { title: string }) => title).toSorted();
};
const add = (id: string, files: readonly Sent[]) =>
  service.upload('/local-file-groups/{id}/files', formOf({}, files), { path: { id } });
const recordOf = async (id: string) => await service.get('/local-file-groups/{id}', { path: { id } });
/** What the read model comes to, moments after the events. */
const record = async (id: string, expected: object): Promise<void> => {
  await expect.poll(() => recordOf(id), { timeout: 30_000 }).toMatchObject(expected);
};
const gone = async (id: string): Promise<void> => {
  await expect
    .poll(async () => (await service.api('GET', `/local-file-groups/${id}`)).status, { timeout: 60_000 })
    .toBe(404);
};

describe('a local file group', { timeout: 180_000 }, () => {
  it('has texts and mails whatever their ending, and says what it did not read', async () => {
    const id = await uploaded(service, [
      ['guide.rst', 'Grebes\n======\n\nThe grebe carries its young.'],
      ['letter.eml', 'From: a@example.com\nSubject: Terns\nMessage-ID: <1@x>\n\nThe tern crosses the seas.'],
      ['program.exe', 'MZ\u0001\u0002\u0003\u0000\u0001\u0002'],
      ['blank.html', '<p> </p>'],
    ]);
    await record(id, { status: 'success', progress: { seen: 4, indexed: 3, skipped: 1 } });
    const body = await service.get('/sources', { query: { source_group_id: id } });
    const types = body.sources.map(({ file_type, media_type }) => [file_type, media_type]);
    expect(types.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual([
      [undefined, undefined],
      ['html', 'text/html'],
      ['txt', 'message/rfc822'],
      ['txt', 'text/x-rst'],
    ]);
    expect(await titlesFound('tern seas')).toEqual(['Terns']);
    const { errors } = await service.get('/local-file-groups/{id}/errors', { path: { id } });
    expect(errors.map((one: Record<string, unknown>) => [one['locator'], one['code']])).toEqual([
      ['blank.html', 'no_text'],
      ['program.exe', 'unsupported_file_type'],
    ]);
  });

  it('is created, found, changed, synced and deleted', async () => {
    const before = (await filesOnDisk(service)).length;
    const id = await uploaded(service, [
      ['guide.html', page('Kestrels', 'the kestrel hovers over meadows')],
      ['notes.md', '# Ospreys\n\nThe osprey dives for fish.'],
      ['in/a/folder/notes.md', '# Herons\n\nThe heron stands in reeds.'],
      ['empty-looking.txt', 'a bittern booms'],
    ]);
    await record(id, {
      id,
      name: 'Files',
      status: 'success',
      chunk_metadata_keys: [],
      chunk_metadatas_count: 0,
      progress: { seen: 4, indexed: 4, failed: 0 },
    });
    expect((await recordOf(id)).upload_time).toBeGreaterThan(1_700_000_000);
    expect(await titlesFound('kestrel hovers')).toEqual(['Kestrels']);
    expect(await titlesFound('heron reeds')).toEqual(['Herons']);

    const changed: readonly Sent[] = [
      ['guide.html', page('Kestrels', 'the kestrel rests on poles')],
      ['notes.md', '# Ospreys\n\nThe osprey dives for fish.'],
      ['new.txt', 'a curlew calls at dusk'],
    ];
    await add(id, changed);
    const events = await jobsOver(service, id, 2);
    expect(events.filter(({ type }) => type === 'FilesUploaded').map(({ data }) => data)).toMatchObject([
      { added: 4, replaced: 0 },
      { added: 1, replaced: 1 },
    ]);
    await record(id, { progress: { seen: 5, indexed: 2, unchanged: 3 } });
    expect(await titlesFound('meadows')).toEqual([]);
    expect(await titlesFound('curlew dusk')).toEqual(['new']);
    await add(id, changed);

    await service.post('/local-file-groups/{id}/sync', { path: { id } });
    await jobsOver(service, id, 3);
    await record(id, { progress: { indexed: 0, unchanged: 5 } });
    await service.post('/local-file-groups/{id}/cancel', { path: { id } });

    await service.delete('/local-file-groups/{id}', { path: { id } });
    expect(await titlesFound('curlew dusk')).toEqual([]);
    await gone(id);
    expect(await filesOnDisk(service)).toHaveLength(before);
    const body = await service.get('/local-file-groups/{id}/events', { path: { id }, query: { limit: 100 } });
    expect(body.events.at(-1)!.type).toBe('DataSourceDeleted');
  });

  it('reads rows and lines one by one, with typed metadata, and lists values that are of another type', async () => {
    const keys = JSON.stringify([
      { key: 'price', type: 'float' },
      { key: 'sold', type: 'date' },
    ]);
    const lines = [
      { text: 'a lapwing feather', price: 12.5, sold: '2026-03-01' },
      { text: 'a lapwing egg', price: 'much', sold: '2026-04-01' },
    ];
    const id = await uploaded(
      service,
      [
        ['shop.jsonl', lines.map((line) => JSON.stringify(line)).join('\n')],
        ['shop.csv', 'text,price,sold\na lapwing nest,7,2026-01-05\n'],
      ],
      { chunk_metadata_keys: keys },
    );
    const found = async (filter: NonNullable<Filter['filters']>[number]): Promise<readonly string[]> => {
      const chunk_metadata = { filters: [filter] };
      const body = await service.post('/query', { body: { source_group_ids: [id], chunk_metadata } });
      return body.contents.map(({ text }: { text: string }) => text).toSorted();
    };
    expect(await found({ key: 'price', operator: 'gte', val: 7 })).toEqual([
      'a lapwing feather',
      'a lapwing nest',
    ]);
    expect(await found({ key: 'price', operator: 'lt', val: 10 })).toEqual(['a lapwing nest']);
    expect(await found({ key: 'sold', operator: 'gte', val: '2026-03-15' })).toEqual(['a lapwing egg']);
    await record(id, {
      chunk_metadata_keys: JSON.parse(keys),
      chunk_metadatas_count: 3,
      progress: { failed: 0 },
    });
    const body = await service.get('/local-file-groups/{id}/errors', { path: { id } });
    expect(body.errors).toMatchObject([{ locator: 'shop.jsonl#row=2', code: 'value_invalid' }]);
    // The same words at another price.
    const cheaper = 'text,price,sold\na lapwing nest,3,2026-01-05\n';
    await add(id, [['shop.csv', cheaper]]);
    await jobsOver(service, id, 2);
    expect(await found({ key: 'price', operator: 'lt', val: 5 })).toEqual(['a lapwing nest']);
    expect((await service.get('/local-file-groups/{id}/errors', { path: { id } })).errors).toHaveLength(1);
  });

  it('erases the bytes of a file that a caller takes out, also from later syncs', async () => {
    const id = await uploaded(service, [
      ['stays.txt', 'a dotterel trusts people'],
      ['goes.txt', 'a secret nightjar churrs'],
    ]);
    const body = await service.get('/sources', { query: { source_group_id: id, limit: 100 } });
    const { id: source, sha256 } = body.sources.find(({ title }: { title: string }) => title === 'goes')!;
    await service.delete('/sources/{id}', { path: { id: source } });
    await expect
      .poll(async () => (await filesOnDisk(service)).some((path) => path.endsWith(sha256!)), {
        timeout: 60_000,
      })
      .toBe(false);
    await service.post('/local-file-groups/{id}/sync', { path: { id } });
    await jobsOver(service, id, 2);
    expect(await titlesIn(id)).toEqual(['stays']);
    expect((await service.get('/local-file-groups/{id}/errors', { path: { id } })).errors).toEqual([]);
    await add(id, [['goes.txt', 'a nightjar that is back']]);
    await jobsOver(service, id, 3);
    expect(await titlesIn(id)).toEqual(['goes', 'stays']);
  });
});

describe('an upload', { timeout: 120_000 }, () => {
  it('shows as a group that has not started while its files are on their way', async () => {
    const upload = beginUpload(service, '/local-file-groups', 'Slow upload');
    const listed = async () =>
      (await service.get('/local-file-groups', { query: { name: 'Slow' } })).local_file_groups;
    await expect.poll(listed, { timeout: 30_000 }).toMatchObject([{ status: 'not_started' }]);
    const { id } = (await listed())[0]!;
    const conflict = { status: 409, type: 'conflict' };
    await expect(add(id, [['a.txt', 'a']])).rejects.toMatchObject(conflict);
    await expect(service.post('/local-file-groups/{id}/sync', { path: { id } })).rejects.toMatchObject(
      conflict,
    );
    expect(await upload.end()).toMatchObject({ status: 201, body: { source_group_id: id } });
    await jobsOver(service, id, 1);
    expect(await titlesFound('heron waits')).toContain('slow');
  });

  it('that breaks off leaves neither bytes nor a group', async () => {
    const before = await filesOnDisk(service);
    const upload = beginUpload(service, '/local-file-groups', 'Broken off');
    const listed = async () =>
      (await service.get('/local-file-groups', { query: { name: 'Broken' } })).local_file_groups;
    await expect.poll(listed, { timeout: 30_000 }).toHaveLength(1);
    upload.cut();
    await expect.poll(listed, { timeout: 60_000 }).toEqual([]);
    expect(await filesOnDisk(service)).toEqual(before);
  });
});
