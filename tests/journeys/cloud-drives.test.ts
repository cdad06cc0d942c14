import { beforeAll, describe, expect, it } from 'vitest';
import { docxFile, paragraph } from '../adapters/extraction/corpus/open-xml.ts';
import { all } from '../support/crawls.ts';
import { SERVICE_ACCOUNT } from '../support/drive-host/accounts.ts';
import { type DriveHost, openDriveHost } from '../support/drive-host/drive-host.ts';
import { folderUrlOf } from '../support/drive-provider.ts';
import { follow, type StreamedEvent } from '../support/event-stream.ts';
import { eventually } from '../support/eventually.ts';
import { openJourney } from '../support/journey.ts';
import { placesWith } from '../support/places.ts';
import { RSA } from '../support/rsa-key.ts';
import type { Service } from '../support/service.ts';

const OVER = ['JobSucceeded', 'JobFailed', 'JobCanceled', 'DataSourceDeleted'];
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
const create = async (root: string, more: object = {}) => {
  const asked = { name: 'Handbook', folder_url: folderUrlOf(root), secret_id: account, ...more };
  const { status, body } = await service.api('POST', '/cloud-drives', asked);
  expect([status, body]).toEqual([201, expect.objectContaining({ status: 'queued' })]);
  return body;
};
/** The event that ended the job, or the data source, after this revision. */
const over = async (id: string, after = -1) => {
  const comes = ({ data }: StreamedEvent): boolean => data.revision > after && OVER.includes(data.type);
  return (await follow(service, `/cloud-drives/${id}/events`, comes)).at(-1)!.data;
};
const newest = async (id: string): Promise<number> =>
  (await service.api('GET', `/cloud-drives/${id}/events?limit=100`)).body.events.at(-1).revision;
const synced = async (id: string, body: object = {}) => {
  const revision = await newest(id);
  expect((await service.api('POST', `/cloud-drives/${id}/sync`, body)).status).toBe(202);
  return over(id, revision);
};
const failed = async (id: string) =>
  (
    await eventually(
      () => service.api('GET', `/cloud-drives/${id}`),
      ({ body }) => body.status === 'failure',
    )
  ).body;
const sources = (id: string) => all(service, `/sources?source_group_id=${id}`, 'sources');
const found = async (query: string) =>
  (await service.api('POST', '/search', { query })).body.results.map(
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

    const last = await newest(made.id);
    expect((await service.api('DELETE', `/cloud-drives/${made.id}`)).status).toBe(202);
    expect(await over(made.id, last)).toMatchObject({ type: 'DataSourceDeleted' });
    await eventually(
      () => service.api('GET', `/cloud-drives/${made.id}`),
      ({ status }) => status === 404,
    );
    expect(await sources(made.id)).toEqual([]);
    expect((await service.api('GET', `/secrets/${account}`)).body.in_use_count).toBe(0);
  });

  it('has a setting whose name, schedule and secret can change, and whose folder cannot', async () => {
    const root = host.folder('folder-with-a-setting', null);
    const made = await create(root, { rrule: 'FREQ=DAILY' });
    expect(await over(made.id)).toMatchObject({ type: 'JobSucceeded', data: { counts: { seen: 0 } } });
    const path = `/cloud-drive-settings/${made.ingestion_setting_id}`;
    const setting = {
      id: made.ingestion_setting_id,
      name: 'Handbook',
      folder_url: folderUrlOf(root),
      rrule: 'FREQ=DAILY',
      secret_id: account,
    };
    expect((await service.api('GET', path)).body).toEqual(setting);
    const renamed = await service.api('PUT', path, { name: 'Manuals', rrule: 'FREQ=WEEKLY' });
    expect([renamed.status, renamed.body]).toEqual([
      200,
      { ...setting, name: 'Manuals', rrule: 'FREQ=WEEKLY' },
    ]);
    const fixed = await service.api('PUT', path, { folder_url: folderUrlOf('another-folder') });
    expect([fixed.status, fixed.body.error.type]).toEqual([400, 'invalid_request']);
    const { body: without } = await service.api('PUT', path, { secret_id: null, rrule: null });
    expect(without).toEqual({ id: setting.id, name: 'Manuals', folder_url: setting.folder_url });
    const list = (await service.api('GET', '/cloud-drives?limit=1')).body;
    expect(list).toMatchObject({
      cloud_drives: [{ id: made.id, name: 'Manuals', folder_url: setting.folder_url }],
      pagination: { has_more: false },
    });
    expect(await synced(made.id)).toMatchObject({ type: 'JobFailed', data: { code: 'secret_missing' } });
    expect(await failed(made.id)).toMatchObject({ error: { title: 'Credentials rejected' } });
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
    expect((await service.api('PUT', `/secrets/${secret_id}`, { value: renewed })).status).toBe(200);
    expect(await synced(made.id)).toMatchObject({ type: 'JobSucceeded', data: { counts: { unchanged: 1 } } });
    expect(await placesWith(service, ['refreshtokenofthejourney', 'planted-client-secret'])).toEqual([]);
    expect(service.output()).not.toMatch(/refreshtokenofthejourney|planted|ya29/);
  });

  it('lists what failed with its name, and what it left out with a reason', async () => {
    const root = host.folder('folder-with-problems', null);
    host.put('file-that-is-fine', root, 'The osprey.', { name: 'osprey.txt', mimeType: 'text/plain' });
    host.native('form-without-text', root, {}, { mimeType: 'application/vnd.google-apps.form' });
    host.shortcut('shortcut-to-nowhere', root, 'file-never-shared');
    host.put('file-that-is-damaged', root, '%PDF-1.4 cut', { name: 'cut.pdf', mimeType: 'application/pdf' });
    const made = await create(root);
    expect(await over(made.id)).toMatchObject({
      type: 'JobSucceeded',
      data: { counts: { indexed: 1, skipped: 2, failed: 1 } },
    });
    const { body } = await service.api('GET', `/cloud-drives/${made.id}/errors`);
    expect(body.errors).toMatchObject([{ locator: 'file-that-is-damaged', attempt: 1 }]);
    const reasons = (await sources(made.id)).map(({ skip_reason }) => skip_reason).filter(Boolean);
    expect(new Set(reasons)).toEqual(new Set(['broken_shortcut', 'unsupported_file_type']));
  });
});
