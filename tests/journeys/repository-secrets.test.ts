import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { all } from '../support/crawls.ts';
import { follow, type StreamedEvent } from '../support/event-stream.ts';
import { placesWith } from '../support/places.ts';
import { openRepositoryHost, type RepositoryHost } from '../support/repository-host/repository-host.ts';
import { type Service, startService } from '../support/service.ts';

const WRONG = 'wrongtokenofthejourney';
const RIGHT = 'righttokenofthejourney';
const OVER = ['JobSucceeded', 'JobFailed', 'JobCanceled'];

let service: Service;
let host: RepositoryHost;
beforeAll(async () => {
  host = await openRepositoryHost('acme/private');
  host.put('README.md', '# Private\n\nHow the turbine is oiled.\n');
  host.accepts = [`Bearer ${RIGHT}`];
  service = await startService({
    KNOWLEDGER_REPOSITORY_API_URL: host.url,
    KNOWLEDGER_ALLOW_ADDRESSES: new URL(host.archiveUrl).host,
    KNOWLEDGER_MASTER_KEY: `${'B'.repeat(43)}=`,
    KNOWLEDGER_LOG_FORMAT: 'json',
  });
}, 120_000);
afterAll(async () => {
  await service?.dispose();
  await host.close();
});

const keep = async (value: string, more: object = {}): Promise<string> => {
  const { body } = await service.api('POST', '/secrets', { name: 'Host', type: 'token', value, ...more });
  return body.id;
};
const createRepo = (secretId: string) =>
  service.api('POST', '/repos', { name: 'Private', repository: 'acme/private', secret_id: secretId });
const over = async (id: string, after = -1) => {
  const comes = ({ data }: StreamedEvent): boolean => data.revision > after && OVER.includes(data.type);
  return (await follow(service, `/repos/${id}/events`, comes)).at(-1)!.data;
};
const synced = async (id: string) => {
  const trail = await service.api('GET', `/repos/${id}/events?limit=100`);
  expect((await service.api('POST', `/repos/${id}/sync`)).status).toBe(202);
  return over(id, trail.body.events.at(-1).revision);
};
const secret = async (id: string) => (await service.api('GET', `/secrets/${id}`)).body;

describe('a repository that is read with a secret', { timeout: 240_000 }, () => {
  it('fails with what is wrong while the secret is refused, and goes on by a sync with a new value', async () => {
    const id = await keep(WRONG);
    const { status, body: made } = await createRepo(id);
    expect(status).toBe(201);
    expect(await over(made.id)).toMatchObject({
      type: 'JobFailed',
      data: { code: 'credentials_rejected', error: { title: 'Credentials rejected' } },
    });
    expect(await secret(id)).toMatchObject({ in_use_count: 1, last_used_time: expect.any(Number) });
    const trail = await all(service, `/repos/${made.id}/events`, 'events');
    expect(trail.filter(({ type }) => type === 'JobClaimed')).toHaveLength(1);

    expect((await service.api('PUT', `/secrets/${id}`, { value: RIGHT })).status).toBe(200);
    expect(await synced(made.id)).toMatchObject({ type: 'JobSucceeded', data: { counts: { indexed: 1 } } });
    expect(new Set(host.asked.map(({ authorization }) => authorization))).toEqual(
      new Set([`Bearer ${WRONG}`, `Bearer ${RIGHT}`]),
    );

    await service.api('PUT', `/secrets/${id}`, { expires_at: 1_000_000_000 });
    const asked = host.asked.length;
    expect(await synced(made.id)).toMatchObject({
      type: 'JobFailed',
      data: { error: { title: 'Credentials rejected', message: expect.stringContaining('has expired') } },
    });
    expect(host.asked).toHaveLength(asked);
    await service.api('PUT', `/secrets/${id}`, { expires_at: null });
    expect(await synced(made.id)).toMatchObject({ type: 'JobSucceeded', data: { counts: { unchanged: 1 } } });
    expect(await placesWith(service, [WRONG, RIGHT])).toEqual([]);
    expect(service.output()).not.toMatch(/(?:wrong|right)tokenofthejourney/);
  });

  it('holds its secret in use, until it is given another one or deleted', async () => {
    const [one, two] = [await keep(RIGHT), await keep(RIGHT)];
    const { body: made } = await createRepo(one);
    await over(made.id);
    expect((await service.api('DELETE', `/secrets/${one}`)).body.error.type).toBe('secret_in_use');
    const setting = `/repo-settings/${made.ingestion_setting_id}`;
    expect((await service.api('PUT', setting, { secret_id: two })).body.secret_id).toBe(two);
    const counts = async () => [(await secret(one)).in_use_count, (await secret(two)).in_use_count];
    expect(await counts()).toEqual([0, 1]);
    expect((await service.api('DELETE', `/secrets/${one}`)).status).toBe(200);
    expect((await service.api('DELETE', `/secrets/${two}`)).body.error.type).toBe('secret_in_use');
    expect((await service.api('DELETE', `/repos/${made.id}`)).status).toBe(202);
    expect((await secret(two)).in_use_count).toBe(0);
    expect((await service.api('DELETE', `/secrets/${two}`)).status).toBe(200);
  });

  it('is refused with a secret that is not there or of another type, when it is made and when it is changed', async () => {
    const foreign = await createRepo(randomUUID());
    expect([foreign.status, foreign.body.error.type]).toEqual([404, 'secret_not_found']);
    const value = { client_id: 'c', refresh_token: 'r' };
    const refresh = await keep('', { type: 'oauth_refresh', value });
    const other = await createRepo(refresh);
    expect([other.status, other.body.error]).toEqual([
      400,
      {
        type: 'invalid_request',
        message: expect.stringMatching(/is of type oauth_refresh; .* takes: token, basic, app$/),
      },
    ]);
    const { body: made } = await createRepo(await keep(RIGHT));
    const setting = `/repo-settings/${made.ingestion_setting_id}`;
    const changed = await service.api('PUT', setting, { secret_id: randomUUID() });
    expect([changed.status, changed.body.error.type]).toEqual([404, 'secret_not_found']);
    expect((await service.api('PUT', setting, { secret_id: null })).body).not.toHaveProperty('secret_id');
  });
});
