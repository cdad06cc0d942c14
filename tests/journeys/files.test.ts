import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { crawl, ended, gone, until } from '../support/crawls.ts';
import { openS3Server, S3_KEYS, type S3Server } from '../support/s3-server.ts';
import { openJourney } from '../support/journey.ts';
import { type Service, startService } from '../support/service.ts';
import { formOf, uploaded } from '../support/uploads.ts';
import { manyPages, type Site, page } from '../support/site.ts';
import { existsSync } from 'node:fs';
import { readiness } from '../support/health.ts';

describe('a service with FILES_URL', { timeout: 180_000 }, () => {
  let s3: S3Server;
  let site: Site;
  const journey = openJourney();
  let service: Service;

  const env = (url: string) => ({
    FILES_URL: url,
    AWS_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
    KNOWLEDGER_ALLOW_ADDRESSES: '127.0.0.1/32',
    KNOWLEDGER_LOG_LEVEL: 'warn',
  });
  /** Absolute, since readiness is not under the API. */
  const readyz = async () => {
    const response = await fetch(`${service.base}/readyz`);
    return { status: response.status, body: await response.json() };
  };

  beforeAll(async () => {
    [s3, site] = await Promise.all([openS3Server(), journey.site(manyPages(12))]);
    service = await journey.service(env(s3.url('knowledger')));
  }, 120_000);
  journey.closing(async () => s3?.close());

  it('keeps what it crawls in the bucket, gives it back, and leaves nothing after a deletion', async () => {
    const made = await crawl(service, `${site.origin}/`);
    const entries = await ended(service, made.id);
    expect(entries.at(-1).data.counts).toMatchObject({ seen: 12, indexed: 12, failed: 0 });
    const keys = await s3.keys();
    // A page and its chunk set each.
    expect(keys).toHaveLength(24);
    for (const key of keys) expect(key).toMatch(new RegExp(`^knowledger/${made.id}/[0-9a-f]{64}$`));
    const body = await service.post('/search', { body: { query: 'number7 falcons' } });
    const { content } = body.results[0]!;
    expect(content.url).toBe(`${site.origin}/p7`);
    const raw = await service.api('GET', `/sources/${content.source_id}/raw`);
    expect([raw.status, raw.body]).toEqual([200, site.pages.get('/p7')]);
    const part = await service.api('GET', `/sources/${content.source_id}/raw`, undefined, {
      range: 'bytes=0-14',
    });
    expect([part.status, part.body]).toEqual([206, '<!doctype html>']);
    await service.delete('/crawls/{id}', { path: { id: made.id } });
    await gone(service, made.id);
    await met(async () => (await s3.keys()).length === 0);
    expect(await readdir(join(service.dataDir, 'tmp'))).toEqual([]);
    expect(await readdir(service.dataDir)).not.toContain('files');
  });

  it('keeps uploaded files there, and nothing of a form that is refused', async () => {
    const id = await uploaded(service, [
      ['osprey.txt', 'the osprey dives feet first'],
      ['birds/kite.md', '# Kites\n\nThe kite has a forked tail.'],
    ]);
    const body = await service.post('/search', { body: { query: 'osprey dives' } });
    const raw = await service.api('GET', `/sources/${body.results[0]!.content.source_id}/raw`);
    expect([raw.status, raw.body]).toEqual([200, 'the osprey dives feet first']);
    const keys = (await s3.keys()).toSorted();
    expect(keys.every((key) => key.startsWith(`knowledger/${id}/`))).toBe(true);
    // Times that do not match the files are found out when all bytes are there.
    const form = formOf({ name: 'x' }, [['merlin.txt', 'the merlin']]);
    form.append('last_modified', '7');
    await expect(service.upload('/local-file-groups', form)).rejects.toMatchObject({ status: 400 });
    await met(async () => JSON.stringify((await s3.keys()).toSorted()) === JSON.stringify(keys));
    await service.delete('/local-file-groups/{id}', { path: { id } });
    await met(async () => (await s3.keys()).length === 0);
    expect(await readdir(join(service.dataDir, 'tmp'))).toEqual([]);
  });

  it('says in its readiness that the bucket is gone', async () => {
    expect(await readyz()).toMatchObject({ status: 200 });
    await s3.close();
    expect(await readyz()).toMatchObject({
      status: 503,
      body: { reasons: { files: 'down: unreachable' } },
    });
    s3 = await openS3Server();
  });

  it('does not start without its bucket, and says which', async () => {
    await service.end('SIGTERM');
    const url = `s3://elsewhere/x?endpoint=${s3.endpoint}&region=us-east-1`;
    await expect(startService(env(url), service)).rejects.toThrow(
      new RegExp(`elsewhere.{1,5} at ${s3.endpoint} does not exist`),
    );
    await expect(startService(env('s3://me:secret@files/'), service)).rejects.toThrow(
      /FILES_URL takes no credentials(?!.*secret@)/,
    );
  });
});

/** A deletion is answered before its files are gone. */
const met = async (holds: () => Promise<boolean>): Promise<void> => {
  await eventually(holds, Boolean);
};

describe('the files of a service', { timeout: 180_000 }, () => {
  const journey = openJourney();
  let service: Service;
  let site: Site;
  beforeAll(async () => {
    site = await journey.site({ '/': page('Home', '<p>Words about falcons.</p>') });
    service = await journey.service({ KNOWLEDGER_ALLOW_ADDRESSES: '127.0.0.1/32' });
  }, 120_000);

  /** The check of files is made every few seconds. */
  const comesToBe = async (status: number) =>
    (
      await eventually(
        () => readiness(service),
        (told) => told.status === status,
      )
    ).reasons;

  it('are not started over when their volume is gone: it says so, makes nothing, and goes on when it is back', async () => {
    const [files, away] = [join(service.dataDir, 'files'), join(service.dataDir, 'away')];
    await ended(service, (await crawl(service, `${site.origin}/`)).id);
    const [source] = (await service.get('/sources')).sources;
    const raw = () => service.api('GET', `/sources/${source!.id}/raw`);
    expect((await raw()).status).toBe(200);

    await rename(files, away);
    const lost = await raw();
    expect([lost.status, lost.body.error.type]).toEqual([503, 'unavailable']);
    expect(await comesToBe(503)).toEqual({ files: 'down: missing' });
    const { id } = await crawl(service, `${site.origin}/`);
    await until(service, id, ['JobRequeued']);
    expect(existsSync(files)).toBe(false);

    await service.end('SIGTERM');
    await expect(service.again()).rejects.toThrow('Is the volume mounted?');
    const rebuilt = await service.command('rebuild', 'catalog');
    expect([rebuilt.code, rebuilt.output]).toEqual([2, expect.stringContaining('Is the volume mounted?')]);
    expect(existsSync(files)).toBe(false);
    await rename(away, files);
    service = await service.again();
    expect(await comesToBe(200)).toEqual({});
    expect((await raw()).status).toBe(200);
  });
});
