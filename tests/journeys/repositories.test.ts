import { beforeAll, describe, expect, it } from 'vitest';
import type { SecretCreate } from '../../clients/typescript/src/index.ts';
import { openJourney } from '../support/journey.ts';
import { dataSourcesAt } from '../support/sync.ts';
import { openRepositoryHost, type RepositoryHost } from '../support/repository-host/repository-host.ts';
import type { Service } from '../support/service.ts';

const journey = openJourney();
let service: Service;
let host: RepositoryHost;
beforeAll(async () => {
  host = await openRepositoryHost('acme/docs');
  journey.closing(host.close);
  service = await journey.service({
    KNOWLEDGER_REPOSITORY_API_URL: host.url,
    // Archives come from another host, as they do from GitHub.
    KNOWLEDGER_ALLOW_ADDRESSES: new URL(host.archiveUrl).host,
    // Beside a database of its own a service makes none.
    KNOWLEDGER_MASTER_KEY: `${'A'.repeat(43)}=`,
    KNOWLEDGER_LOG_LEVEL: 'warn',
  });
}, 120_000);

const { over, synced, deleted, ...repos } = dataSourcesAt('/repos', () => service);
const create = (more: object = {}) => repos.create({ name: 'Docs', repository: 'acme/docs', ...more });
const found = async (query: string) =>
  (await service.post('/search', { body: { query } })).results.map(
    ({ content }: { content: { url: string } }) => content.url,
  );

describe('a repository', { timeout: 240_000 }, () => {
  it('is created, synced, changed, synced and deleted', async () => {
    host.put('README.md', '# Handbook\n\nHow the turbine is oiled.\n');
    host.put('src/pump.ts', 'export const pump = (litres: number) => litres * 2; // impeller\n');
    host.put('docs/install.html', '<title>Install</title><p>Mount the gasket first.</p>');
    const first = host.tag('v1');
    const made = await create({ path_filters: ['!docs/**'] });
    expect(made).toMatchObject({
      name: 'Docs',
      repository: 'acme/docs',
      reference_type: 'default',
      reference_param: '',
      path_filters: ['!docs/**'],
      metadata: { records: [] },
    });
    expect(await over(made.id)).toMatchObject({ type: 'JobSucceeded', data: { counts: { indexed: 2 } } });
    expect(await found('impeller')).toEqual([`${host.url}/acme/docs/blob/${first}/src/pump.ts#L1-L1`]);
    expect(await found('gasket')).toEqual([]);

    const before = host.asked.length;
    expect(await synced(made.id)).toMatchObject({ data: { counts: { unchanged: 2, indexed: 0 } } });
    expect(host.asked.slice(before).filter(({ path }) => path.includes('/blobs/'))).toEqual([]);

    host.put('README.md', '# Handbook\n\nHow the turbine is greased.\n');
    host.remove('src/pump.ts');
    const second = host.tag('v2');
    expect(await synced(made.id)).toMatchObject({ data: { counts: { indexed: 1, seen: 1 } } });
    expect(await found('greased')).toEqual([`${host.url}/acme/docs/blob/${second}/README.md`]);
    expect(await found('impeller')).toEqual([]);

    expect(await deleted(made.id)).toEqual({ type: 'DataSourceDeleted', left: [] });
  });

  it('is read with a secret, and again with a new value when the host refuses the old one', async () => {
    host.put('README.md', '# Private\n\nThe falcon.\n');
    const secret = { name: 'host', type: 'token', value: { token: 'planted-old' } } as const;
    const { id: secret_id } = await service.post('/secrets', { body: secret });
    host.accepts = ['Bearer planted-old'];
    const made = await create({ secret_id, path_filters: ['README.md'] });
    expect(await over(made.id)).toMatchObject({ type: 'JobSucceeded', data: { counts: { indexed: 1 } } });
    const setting = await service.get('/repo-settings/{id}', { path: { id: made.ingestion_setting_id } });
    expect(setting).toMatchObject({ secret_id });
    await expect(service.delete('/secrets/{id}', { path: { id: secret_id } })).rejects.toMatchObject({
      type: 'secret_in_use',
    });

    host.accepts = ['Bearer planted-new'];
    expect(await synced(made.id)).toMatchObject({
      type: 'JobFailed',
      data: { code: 'credentials_rejected', error: { title: 'Credentials rejected' } },
    });
    await service.put('/secrets/{id}', {
      path: { id: secret_id },
      body: { value: { token: 'planted-new' } },
    });
    expect(await synced(made.id)).toMatchObject({ type: 'JobSucceeded' });
    host.accepts = null;
    expect(service.output()).not.toContain('planted');
  });

  it('is tested with its secret before it is created, and nothing is kept of that', async () => {
    host.put('README.md', '# Private');
    host.put('manual/a.md', '# A');
    host.accepts = ['Bearer right'];
    const secretOf = async (type: SecretCreate['type'], value: SecretCreate['value']): Promise<string> =>
      (await service.post('/secrets', { body: { name: type, type, value } })).id;
    const [right, wrong] = [await secretOf('token', 'right'), await secretOf('token', 'wrong')];
    const other = await secretOf('oauth_refresh', { refresh_token: 'r', client_id: 'c', client_secret: 's' });
    const events = async () => (await service.get('/events', { query: { limit: 1 } })).events;
    const before = await events();

    const test = async (more: object) => {
      const body = { name: 'Docs', repository: 'acme/docs', ...more };
      const { status, body: answer } = await service.api('POST', '/repos/test', body);
      return status === 200 ? (answer.error?.code ?? answer) : [status, answer.error.type];
    };
    expect(await test({ secret_id: right, path_filters: ['manual/**'] })).toEqual({
      reached: true,
      items: 1,
      more: false,
      first_item: 'manual/a.md',
    });
    expect(await test({ secret_id: wrong })).toBe('credentials_rejected');
    expect(await test({ secret_id: right, repository: 'acme/nothing' })).toBe('not_found');
    expect(await test({ secret_id: other })).toEqual([400, 'invalid_request']);
    expect(await test({ secret_id: before[0]!.id })).toEqual([404, 'secret_not_found']);
    expect(await test({ reference_type: 'branch' })).toEqual([400, 'invalid_request']);
    host.hook = (response) => (response.socket?.resetAndDestroy(), true);
    expect(await test({ secret_id: right })).toBe('transient_error');
    expect(await events()).toEqual(before);
    host.hook = () => false;
    host.accepts = null;
  });
});
