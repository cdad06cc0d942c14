import { beforeAll, describe, expect, it } from 'vitest';
import { docxFile, paragraph } from '../adapters/extraction/corpus/open-xml.ts';
import { SERVICE_ACCOUNT } from '../support/drive-host/accounts.ts';
import { type DriveHost, openDriveHost } from '../support/drive-host/drive-host.ts';
import { folderUrlOf } from '../support/drive-provider.ts';
import { openJourney } from '../support/journey.ts';
import { dataSourcesAt } from '../support/sync.ts';
import { placesWith } from '../support/places.ts';
import { RSA } from '../support/rsa-key.ts';
import type { Service } from '../support/service.ts';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const REFRESH_TOKEN = '1//refreshtokenofthejourney';

const journey = openJourney();
let service: Service;
let host: DriveHost;
let account: string;
beforeAll(async () => {
  host = await openDriveHost();
  journey.closing(host.close);
  service = await journey.service({
    KNOWLEDGER_DRIVE_API_URL: host.url,
    KNOWLEDGER_DRIVE_TOKEN_URL: host.tokenUrl,
    // Beside a database of its own a service makes none.
    KNOWLEDGER_MASTER_KEY: `${'A'.repeat(43)}=`,
    KNOWLEDGER_LOG_LEVEL: 'warn',
  });
  host.accounts.accepts = new Set();
  account = await keep('service_account', {
    type: 'service_account',
    client_email: SERVICE_ACCOUNT,
    private_key: RSA.pkcs8,
    token_uri: 'https://elsewhere.example/token',
  });
}, 120_000);

const keep = async (type: string, value: unknown): Promise<string> => {
  const { status, body } = await service.api('POST', '/secrets', { name: type, type, value });
  expect([status, body]).toEqual([201, expect.objectContaining({ type })]);
  return body.id;
};
const { over, synced, deleted, sources, ...drives } = dataSourcesAt('/cloud-drives', () => service);
const create = (root: string, more: object = {}) =>
  drives.create({ name: 'Handbook', folder_url: folderUrlOf(root), secret_id: account, ...more });
const found = async (query: string) =>
  (await service.post('/search', { body: { query } })).results.map(
    ({ content }: { content: { url: string } }) => content.url,
  );
const urlOf = (id: string): string => `https://drive.google.com/file/d/${id}/view?usp=drivesdk`;
const paths = (from: number): readonly string[] => host.asked.slice(from).map(({ path }) => path);

describe('a cloud drive', { timeout: 240_000 }, () => {
  it('is created, synced, changed, synced and deleted', async () => {
    const root = host.folder('folder-of-handbooks', null);
    host.folder('folder-of-machines', root);
    host.put('file-of-the-turbine', 'folder-of-machines', '# Turbine\n\nHow the turbine is oiled.\n', {
      name: 'Turbine.md',
      mimeType: 'text/markdown',
    });
    const docx = docxFile(paragraph('Mount the gasket first.'));
    host.native('document-of-gaskets', root, { [DOCX]: docx }, { name: 'Gaskets' });
    const tested = { name: 'Handbook', folder_url: folderUrlOf(root), secret_id: account };
    const reached = await service.post('/cloud-drives/test', { body: tested });
    expect(reached).toMatchObject({ reached: true, items: 2, more: false });
    const made = await create(root, { metadata: { records: [{ key: 'team', val: 'works' }] } });
    expect(made).toEqual({
      id: expect.any(String),
      name: 'Handbook',
      status: 'queued',
      ingestion_setting_id: expect.any(String),
      creation_time: expect.any(Number),
      progress: { seen: 0, indexed: 0, unchanged: 0, skipped: 0, failed: 0, bytes: 0 },
      metadata: { records: [{ key: 'team', val: 'works', type: 'string' }] },
      folder_url: folderUrlOf(root),
    });
    expect(await over(made.id)).toMatchObject({ type: 'JobSucceeded', data: { counts: { indexed: 2 } } });
    expect([await found('turbine'), await found('gasket')]).toEqual([
      [urlOf('file-of-the-turbine')],
      [urlOf('document-of-gaskets')],
    ]);
    const kinds = (await sources(made.id)).map(({ source_type, file_type }) => `${source_type} ${file_type}`);
    expect(new Set(kinds)).toEqual(new Set(['cloud_drive docx', 'cloud_drive md']));

    let asked = host.asked.length;
    expect(await synced(made.id)).toMatchObject({ data: { counts: { unchanged: 2, indexed: 0 } } });
    expect(paths(asked)).toEqual(['/changes']);

    host.put('file-of-the-turbine', 'folder-of-machines', '# Turbine\n\nHow the turbine is greased.\n', {
      name: 'Turbine.md',
      mimeType: 'text/markdown',
    });
    host.trash('document-of-gaskets');
    asked = host.asked.length;
    expect(await synced(made.id)).toMatchObject({ data: { counts: { indexed: 1, seen: 1 } } });
    expect(paths(asked)).toEqual(['/changes', '/files/file-of-the-turbine']);
    expect([await found('greased'), await found('gasket')]).toEqual([[urlOf('file-of-the-turbine')], []]);

    host.put('file-of-the-pump', root, 'How the impeller turns.', {
      name: 'Pump.txt',
      mimeType: 'text/plain',
    });
    const named = `https://drive.google.com/file/d/file-of-the-pump/view`;
    expect(await synced(made.id, { locators: [named] })).toMatchObject({ type: 'JobSucceeded' });
    expect(await found('impeller')).toEqual([urlOf('file-of-the-pump')]);

    expect(await deleted(made.id)).toEqual({ type: 'DataSourceDeleted', left: [] });
    expect((await service.get('/secrets/{id}', { path: { id: account } })).in_use_count).toBe(0);
  });

  it('is read with a refresh token, and fails as credentials rejected once that is refused', async () => {
    const root = host.folder('folder-of-one-person', null);
    host.put('file-of-the-falcon', root, 'The falcon.', { name: 'falcon.txt', mimeType: 'text/plain' });
    host.accounts.refreshTokens.add(REFRESH_TOKEN);
    const value = { client_id: 'app', client_secret: 'planted-client-secret', refresh_token: REFRESH_TOKEN };
    const secret_id = await keep('oauth_refresh', value);
    const made = await create(root, { secret_id });
    expect(await over(made.id)).toMatchObject({ type: 'JobSucceeded', data: { counts: { indexed: 1 } } });
    // The token that is kept is refused, and no other is given for it any more.
    host.accounts.refreshTokens.clear();
    host.accounts.accepts = new Set();
    expect(await synced(made.id)).toMatchObject({
      type: 'JobFailed',
      data: { code: 'credentials_rejected', error: { title: 'Credentials rejected' } },
    });
    expect(await found('falcon')).toEqual([urlOf('file-of-the-falcon')]);
    const renewed = { ...value, refresh_token: `${REFRESH_TOKEN}2` };
    host.accounts.refreshTokens.add(renewed.refresh_token);
    await service.put('/secrets/{id}', { path: { id: secret_id }, body: { value: renewed } });
    expect(await synced(made.id)).toMatchObject({ type: 'JobSucceeded', data: { counts: { unchanged: 1 } } });
    expect(await placesWith(service, ['refreshtokenofthejourney', 'planted-client-secret'])).toEqual([]);
    expect(service.output()).not.toMatch(/refreshtokenofthejourney|planted|ya29/);
  });
});
