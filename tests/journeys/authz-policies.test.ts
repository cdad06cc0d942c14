import { beforeAll, describe, expect, it } from 'vitest';
import { after, MINE, startGuarded } from '../support/authz.ts';
import { crawl, ended } from '../support/crawls.ts';
import { type Client, withKey } from '../support/client.ts';
import { openJourney } from '../support/journey.ts';
import { EVERY_SCOPE, issued } from '../support/keys.ts';
import type { Service } from '../support/service.ts';
import { page, type Site } from '../support/site.ts';

const journey = openJourney();
let service: Service;
let site: Site;
let group: string;

beforeAll(async () => {
  site = await journey.site({ '/': page('Start', 'all about an animal of the forest') });
  service = await startGuarded(journey);
  group = (await crawl(service, `${site.origin}/`, { max_depth: 1 })).id;
  await ended(service, group);
  const made = await service.api('POST', '/authz-policies', { name: 'mine', ...MINE });
  if (made.status !== 201) throw new Error(`the policy was answered with ${made.status}`);
}, 120_000);

describe('policies and the attributes of principals', { timeout: 90_000 }, () => {
  it('refuses requests that name a policy that there is not, or none where no default is defined', async () => {
    const asked = async (policy: object) => {
      const { status, body } = await service.api('POST', '/query', policy);
      return [status, body.error?.type];
    };
    const unknown = [422, 'authz_policy_not_found'];
    expect(await asked({ authz_policy: 'nowhere' })).toEqual(unknown);
    expect((await service.api('DELETE', '/authz-policies/default')).status).toBe(200);
    expect(await asked({})).toEqual(unknown);
    const refused = await service.api('PUT', '/authz-subject-attributes/jo', { attributes: {} });
    expect([refused.status, refused.body.error.type]).toEqual(unknown);
    expect((await service.api('PUT', '/authz-policies/default', {})).status).toBe(200);
    expect(await asked({})).toEqual([200, undefined]);
  });

  it('lists policies and principals by name, and answers a repeated request as the first time', async () => {
    const key = { 'idempotency-key': 'once' };
    const body = { name: 'readers', description: 'first', ...MINE };
    const first = await service.api('POST', '/authz-policies', body, key);
    expect(await service.api('POST', '/authz-policies', body, key)).toMatchObject({
      status: 201,
      body: first.body,
    });
    const taken = await service.api('POST', '/authz-policies', body);
    expect([taken.status, taken.body.error.type]).toEqual([409, 'name_taken']);
    const reserved = await service.api('POST', '/authz-policies', { ...body, name: 'default' });
    expect([reserved.status, reserved.body.error.type]).toEqual([400, 'invalid_request']);
    const wrong = {
      source_metadata: { filters: [{ key: 'department', operator: 'exists', val: { subject: 'a' } }] },
    };
    const invalid = await service.api('PUT', '/authz-policies/readers', wrong);
    expect([invalid.status, invalid.body.error.type]).toEqual([422, 'filter_invalid']);
    const principals = ['a/b', 'größer', 'zoe@example.com'];
    let last = first;
    for (const principal of principals) {
      const path = `/authz-subject-attributes/${encodeURIComponent(principal)}`;
      last = await service.api('PUT', path, { authz_policy: 'readers', attributes: { level: 3 } });
      expect((await service.api('GET', path)).body.principal_id).toBe(principal);
    }
    const listed = await service.api('GET', '/authz-subject-attributes?limit=1', undefined, after(last));
    expect(listed.body.authz_subject_attributes[0].policies).toEqual([
      { authz_policy: 'readers', attributes: { level: 3 } },
    ]);
    const next = encodeURIComponent(listed.body.pagination.next_id);
    const rest = await service.api('GET', `/authz-subject-attributes?after=${next}`);
    const names = [listed, rest].flatMap(({ body: { authz_subject_attributes: some } }) =>
      some.map(({ principal_id: principalId }: { principal_id: string }) => principalId),
    );
    expect(names).toEqual(principals);
    expect(rest.body.pagination.total).toBe(3);
    const policies = (await service.api('GET', '/authz-policies')).body.authz_policies;
    expect(policies.map(({ name }: { name: string }) => name)).toEqual(['default', 'mine', 'readers']);
  });

  it('is no business of keys for some source groups, of other tenants, nor of keys without the scope', async () => {
    const restricted = withKey(
      service,
      (await issued(service, { scopes: EVERY_SCOPE, source_group_ids: [group] })).key,
    );
    const reader = withKey(service, (await issued(service, {})).key);
    const { output } = await service.command('tenant', 'Acme');
    const stranger = withKey(service, /kn_\S+/.exec(output)?.[0] ?? '');
    const requests: readonly (readonly [string, string, object?])[] = [
      ['GET', '/authz-policies/mine'],
      ['PUT', '/authz-policies/mine', {}],
      ['DELETE', '/authz-policies/mine'],
      ['GET', '/authz-subject-attributes/zoe%40example.com'],
      ['DELETE', '/authz-subject-attributes/zoe%40example.com'],
    ];
    for (const [method, path, body] of requests) {
      const told = async (by: Client) => (await by.api(method, path, body)).body.error.type;
      expect([path, await told(restricted)]).toEqual([path, 'key_restricted']);
      expect([path, await told(reader)]).toEqual([path, 'insufficient_scope']);
      expect([path, await told(stranger)]).toEqual([path, 'not_found']);
    }
    expect((await restricted.api('POST', '/query', { authz_policy: 'mine' })).body.pagination.total).toBe(0);
    expect((await service.api('GET', '/authz-policies/mine')).status).toBe(200);
  });
});
