import { sha256 } from '../../../../adapters/system/identity.ts';
import {
  type AccessDeps,
  createAccess,
  unlimitedAccess,
  unlimitedUnlessTried,
} from '../../../../application/access/authz/access.ts';
import { createAuthzPolicyOperations } from '../../../../application/access/authz/policy-operations.ts';
import { createAuthzSubjectOperations } from '../../../../application/access/authz/subject-operations.ts';
import { derivedId } from '../../../../application/event-sourcing/streams.ts';
import {
  authzPolicyStream,
  authzSubjectStream,
  idempotencyStream,
} from '../../../../application/event-sourcing/streams.ts';
import type { AuthzView } from '../../../../application/ports/access-views.ts';
import { EVERYTHING } from '../../../../domain/filter/filter.ts';
import type { MetadataValueType } from '../../../../domain/source/events.ts';
import { callerOf } from '../../../support/conversations.ts';
import { memoryParts } from '../../../support/memory-parts.ts';
import { describe, expect, it } from 'vitest';

type Types = Readonly<Record<string, readonly MetadataValueType[]>>;

/** Policies and attributes over events in memory, and documents whose metadata has these types. */
const openAuthz = (types: Types = {}) => {
  const parts = memoryParts();
  const asked: unknown[] = [];
  const view = {
    policies: async (...of: readonly unknown[]) => {
      asked.push(['policies', ...of]);
      return { rows: [], hasMore: false, total: 0 };
    },
    subjects: async (...of: readonly unknown[]) => {
      asked.push(['subjects', ...of]);
      return { rows: [], hasMore: false, total: 0 };
    },
  } as unknown as AuthzView;
  const catalog: AccessDeps['catalog'] = {
    metadataTypes: async (scope, of, keys) => {
      asked.push([scope, of, keys]);
      return new Map(keys.flatMap((key) => (types[key] === undefined ? [] : [[key, types[key]]])));
    },
  };
  const deps = { ...parts, view, catalog };
  return {
    ...parts,
    asked,
    policies: createAuthzPolicyOperations(deps),
    subjects: createAuthzSubjectOperations(deps),
    accessTo: createAccess(deps),
  };
};

const condition = (key: string, val: unknown) => ({ filters: [{ key, operator: 'eq', val }] });

/** Documents of the department of whoever asks, and passages of the first page. */
const MINE = condition('department', { subject: 'department' });

const FIRST_PAGE = condition('page_number', 1);

const RULES = { description: 'mine', sourceMetadata: MINE, chunkMetadata: FIRST_PAGE };

const OPEN = { description: '', sourceMetadata: null, chunkMetadata: null };

const NO_POLICY = { code: 'not_found', message: 'there is no such authz policy' };

const streamOf = (name: string, tenant = 'acme') =>
  authzPolicyStream(derivedId(sha256, 'authz policy', tenant, name));

describe('a policy', () => {
  const caller = callerOf('acme');

  it('is answered as it was written, under a name of its tenant', async () => {
    const { policies, stored, store, time, asked } = openAuthz();
    const made = await policies.create(caller, 'staff', RULES, undefined);
    const { policyId } = made.record;
    expect(made.record).toEqual({ policyId, name: 'staff', ...RULES, createdAt: time.now });
    expect(made).toMatchObject({ changed: true, replayed: false });
    expect(await stored(streamOf('staff'))).toEqual([
      {
        type: 'AuthzPolicyCreated',
        policy_id: policyId,
        name: 'staff',
        description: 'mine',
        source_metadata: MINE,
        chunk_metadata: FIRST_PAGE,
        at: time.now,
      },
    ]);
    expect(made.position).toBe((await store.readStream(streamOf('staff')))[0]?.position);
    // Types of the whole tenant, whatever the key reaches.
    const all = { tenant: 'acme', only: null, access: null };
    expect(asked).toEqual([
      [all, 'source', ['department']],
      [all, 'chunk', ['page_number']],
    ]);
    expect(await policies.get(caller, 'staff')).toEqual(made.record);
    await expect(policies.get(callerOf('other'), 'staff')).rejects.toMatchObject(NO_POLICY);
  });

  it('has a name that no other has, until it is deleted', async () => {
    const { policies, stored, time } = openAuthz();
    await policies.create(caller, 'staff', OPEN, undefined);
    const again = policies.create(caller, 'staff', OPEN, undefined);
    await expect(again).rejects.toMatchObject({ code: 'name_taken' });
    const { position: _, ...gone } = await policies.remove(caller, 'staff');
    expect(gone).toEqual({ record: 'staff', changed: true });
    expect((await stored(streamOf('staff'))).at(-1)).toEqual({
      type: 'AuthzPolicyDeleted',
      name: 'staff',
      at: time.now,
    });
    await expect(policies.get(caller, 'staff')).rejects.toMatchObject(NO_POLICY);
    await expect(policies.remove(caller, 'staff')).rejects.toMatchObject(NO_POLICY);
    expect((await policies.create(caller, 'staff', OPEN, undefined)).changed).toBe(true);
  });

  it('is replaced as a whole; the default one begins so', async () => {
    const { policies, time } = openAuthz();
    await expect(policies.replace(caller, 'staff', OPEN)).rejects.toMatchObject(NO_POLICY);
    await expect(policies.create(caller, 'default', OPEN, undefined)).rejects.toThrow('define it by PUT');
    const first = await policies.replace(caller, 'default', RULES);
    expect(first).toMatchObject({
      record: { name: 'default', ...RULES, createdAt: time.now },
      changed: true,
    });
    expect(await policies.replace(caller, 'default', RULES)).toEqual({ ...first, changed: false });
    time.now += 1;
    const { record } = await policies.replace(caller, 'default', OPEN);
    expect(record).toEqual({ ...first.record, ...OPEN });
  });

  it('is answered again as it was first, and not brought back', async () => {
    const { policies, store } = openAuthz();
    const first = await policies.create(caller, 'staff', RULES, 'k');
    await policies.replace(caller, 'staff', OPEN);
    const again = { ...first, changed: false, replayed: true };
    expect(await policies.create(caller, 'staff', RULES, 'k')).toEqual(again);
    await policies.remove(caller, 'staff');
    expect(await policies.create(caller, 'staff', RULES, 'k')).toEqual(again);
    await expect(policies.get(caller, 'staff')).rejects.toMatchObject(NO_POLICY);
    const other = policies.create(caller, 'staff', OPEN, 'k');
    await expect(other).rejects.toMatchObject({ code: 'idempotency_conflict' });
    const name = derivedId(sha256, 'idempotency', 'acme', 'createAuthzPolicy', 'k');
    expect(await store.readStream(idempotencyStream(name))).not.toEqual([]);
  });

  it('that was made anew since is not what a repeated request made', async () => {
    const { policies } = openAuthz();
    await policies.create(caller, 'staff', OPEN, 'before');
    await policies.remove(caller, 'staff');
    const first = await policies.create(caller, 'staff', OPEN, 'k');
    expect((await policies.create(caller, 'staff', OPEN, 'k')).record).toEqual(first.record);
  });

  it('has filters that can be read, of sixty thousand characters at the most', async () => {
    const { policies, asked } = openAuthz();
    const wrong = (rules: object) => policies.create(caller, 'staff', { ...OPEN, ...rules }, undefined);
    const invalid = { code: 'filter_invalid' };
    await expect(wrong({ sourceMetadata: { filters: 1 } })).rejects.toThrow('source_metadata');
    await expect(wrong({ chunkMetadata: { filters: 1 } })).rejects.toThrow('chunk_metadata');
    await expect(wrong({ chunkMetadata: { filters: 1 } })).rejects.toMatchObject(invalid);
    asked.length = 0;
    const value = (length: number) => ({ filters: [{ key: 'a', operator: 'eq', val: 'x'.repeat(length) }] });
    const frame = JSON.stringify([value(0), null]).length;
    await expect(wrong({ sourceMetadata: value(60_001 - frame) })).rejects.toMatchObject({
      ...invalid,
      message: 'the filters of a policy have at most 60000 characters as JSON',
    });
    expect(asked).toEqual([]);
    const longest = await wrong({ sourceMetadata: value(60_000 - frame) }).catch((error: Error) => error);
    expect(longest).not.toMatchObject({ message: expect.stringContaining('60000') as string });
    expect(asked).toHaveLength(1);
  });

  it('spans source groups: a key restricted to some knows of none', async () => {
    const { policies, asked } = openAuthz();
    const by = callerOf('acme', []);
    for (const refused of [
      policies.create(by, 'staff', OPEN, undefined),
      policies.list(by, { limit: 1 }),
      policies.get(by, 'staff'),
      policies.replace(by, 'staff', OPEN),
      policies.remove(by, 'staff'),
    ])
      await expect(refused).rejects.toMatchObject({
        code: 'key_restricted',
        message: 'an authz policy needs a key that is not restricted to source groups',
      });
    expect(asked).toEqual([]);
    await policies.list(caller, { limit: 1 });
    expect(asked).toEqual([['policies', 'acme', { limit: 1 }]]);
  });
});

const STREAM = authzSubjectStream(derivedId(sha256, 'authz subject', 'acme', 'jo'));

const UNKNOWN = { code: 'not_found', message: 'this principal has no attributes' };

const SALES = { department: ['sales'] };

describe('attributes of a principal', () => {
  const caller = callerOf('acme');

  const setUp = async () => {
    const open = openAuthz();
    for (const name of ['staff', 'guests']) await open.policies.create(caller, name, OPEN, undefined);
    return open;
  };

  it('are answered as they were written, by the policy that knows them', async () => {
    const { subjects, stored, store, time } = await setUp();
    const written = await subjects.set(caller, 'jo', 'staff', SALES);
    const createdAt = time.now;
    const policies = [{ authzPolicy: 'staff', attributes: SALES }];
    expect(written).toMatchObject({ record: { principalId: 'jo', createdAt, policies }, changed: true });
    expect(await stored(STREAM)).toEqual([
      {
        type: 'AuthzAttributesSet',
        principal_id: 'jo',
        authz_policy: 'staff',
        attributes: SALES,
        at: createdAt,
      },
    ]);
    expect(written.position).toBe((await store.readStream(STREAM))[0]?.position);
    expect(await subjects.set(caller, 'jo', 'staff', SALES)).toEqual({ ...written, changed: false });
    time.now += 1;
    const { record } = await subjects.set(caller, 'jo', 'guests', {});
    expect(record).toEqual({
      principalId: 'jo',
      createdAt,
      policies: [...policies, { authzPolicy: 'guests', attributes: {} }],
    });
    expect(await subjects.get(caller, 'jo')).toEqual(record);
  });

  it('are of a policy that is there', async () => {
    const { subjects } = await setUp();
    await expect(subjects.set(caller, 'jo', 'none', {})).rejects.toMatchObject({
      code: 'authz_policy_not_found',
      message: 'there is no authz policy "none"',
    });
    await expect(subjects.get(caller, 'jo')).rejects.toMatchObject(UNKNOWN);
  });

  it('have sixty thousand characters at the most', async () => {
    const { subjects } = await setUp();
    const of = (length: number) => ({ a: ['x'.repeat(length - '{"a":[""]}'.length)] });
    expect((await subjects.set(caller, 'jo', 'staff', of(60_000))).changed).toBe(true);
    await expect(subjects.set(caller, 'jo', 'staff', of(60_001))).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'attributes have at most 60000 characters as JSON',
    });
  });

  it('are forgotten for every policy at once', async () => {
    const { subjects, stored, time } = await setUp();
    await expect(subjects.remove(caller, 'jo')).rejects.toMatchObject(UNKNOWN);
    for (const policy of ['staff', 'guests']) await subjects.set(caller, 'jo', policy, SALES);
    time.now += 1;
    expect(await subjects.remove(caller, 'jo')).toMatchObject({ record: 'jo', changed: true });
    expect((await stored(STREAM)).at(-1)).toEqual({
      type: 'AuthzAttributesDeleted',
      principal_id: 'jo',
      at: time.now,
    });
    await expect(subjects.get(caller, 'jo')).rejects.toMatchObject(UNKNOWN);
  });

  it('are of one tenant, and not for keys restricted to source groups', async () => {
    const { subjects, asked } = await setUp();
    await subjects.set(caller, 'jo', 'staff', SALES);
    await expect(subjects.get(callerOf('other'), 'jo')).rejects.toMatchObject(UNKNOWN);
    const by = callerOf('acme', []);
    asked.length = 0;
    for (const refused of [
      subjects.list(by, { limit: 1 }),
      subjects.get(by, 'jo'),
      subjects.set(by, 'jo', 'staff', {}),
      subjects.remove(by, 'jo'),
    ])
      await expect(refused).rejects.toMatchObject({
        code: 'key_restricted',
        message: 'the attributes of a principal needs a key that is not restricted to source groups',
      });
    expect(asked).toEqual([]);
    await subjects.list(caller, { limit: 1 });
    expect(asked).toEqual([['subjects', 'acme', { limit: 1 }]]);
  });
});

const admin = callerOf('acme');

const SCOPE = { tenant: 'acme', only: ['g1'] };

const partsOf = (filter: { readonly parts: readonly unknown[] } | undefined) => JSON.stringify(filter?.parts);

describe('what may be read', () => {
  const caller = callerOf('acme', ['g1']);

  /** Two policies; sales is the department of jo by the first of them alone. */
  const setUp = async (types: Parameters<typeof openAuthz>[0] = { department: ['string'] }) => {
    const open = openAuthz(types);
    for (const name of ['staff', 'others']) await open.policies.create(admin, name, RULES, undefined);
    await open.subjects.set(admin, 'jo', 'staff', { department: ['sales'] });
    open.asked.length = 0;
    return open;
  };

  it('is all that the key reaches where authorization is off', async () => {
    expect(await unlimitedAccess(caller, { authzPolicy: 'none' })).toEqual({ ...SCOPE, access: null });
  });

  it('is that of the policy also where authorization is off, if the request tries it', async () => {
    const { accessTo } = await setUp();
    const off = unlimitedUnlessTried(accessTo);
    const named = { authzPolicy: 'staff', principalId: 'jo' };
    expect(await off(caller, named)).toEqual({ ...SCOPE, access: null });
    expect(await off(caller, { ...named, isTrial: false })).toEqual({ ...SCOPE, access: null });
    const tried = await off(caller, { ...named, isTrial: true });
    expect(tried).toEqual(await accessTo(caller, named));
    expect(tried.access).not.toBeNull();
  });

  it('is nothing by a policy that there is not, the default one too', async () => {
    const { accessTo, policies, asked } = await setUp();
    const code = 'authz_policy_not_found';
    await expect(accessTo(caller, { authzPolicy: 'no"ne' })).rejects.toMatchObject({
      code,
      message: String.raw`there is no authz policy "no\"ne"`,
    });
    await expect(accessTo(caller, {})).rejects.toMatchObject({
      code,
      message: 'no policy "default" is defined, so that nothing may be read: define it, or name another',
    });
    await expect(accessTo(callerOf('other'), { authzPolicy: 'staff' })).rejects.toMatchObject({ code });
    await policies.replace(admin, 'default', OPEN);
    expect(await accessTo(caller, {})).toEqual({
      ...SCOPE,
      access: { sources: EVERYTHING, chunks: EVERYTHING },
    });
    expect(asked).toEqual([]);
  });

  it('is by the attributes that the policy knows of the principal', async () => {
    const { accessTo, asked } = await setUp();
    const scope = await accessTo(caller, { authzPolicy: 'staff', principalId: 'jo' });
    expect(scope).toMatchObject(SCOPE);
    expect(partsOf(scope.access?.sources)).toContain('sales');
    expect(partsOf(scope.access?.chunks)).toContain('page_number');
    expect(partsOf(scope.access?.chunks)).not.toContain('department');
    const all = { tenant: 'acme', only: null, access: null };
    expect(asked).toEqual([
      [all, 'source', ['department']],
      [all, 'chunk', ['page_number']],
    ]);
  });

  it.each([
    ['by another policy', { authzPolicy: 'others', principalId: 'jo' }],
    ['to another principal', { authzPolicy: 'staff', principalId: 'al' }],
    ['to nobody', { authzPolicy: 'staff', principalId: null }],
    ['to a principal without a name', { authzPolicy: 'staff', principalId: '' }],
    ['where none is named', { authzPolicy: 'staff' }],
  ])('is not what attributes allow %s', async (_, behalf) => {
    const { accessTo } = await setUp();
    const sources = (await accessTo(caller, behalf)).access?.sources;
    expect(partsOf(sources)).not.toContain('sales');
    expect(sources).not.toEqual(EVERYTHING);
  });

  it('asks nothing of a principal without a name', async () => {
    const { accessTo, execute } = await setUp();
    const load = execute.load.bind(execute);
    const read: string[] = [];
    const noted: typeof load = (of, stream, ...rest) => {
      read.push(stream.split('-')[0]!);
      return load(of, stream, ...rest);
    };
    Object.assign(execute, { load: noted });
    await accessTo(caller, { authzPolicy: 'staff', principalId: '' });
    await accessTo(caller, { authzPolicy: 'staff', principalId: null });
    expect(read).toEqual(['authzPolicy', 'authzPolicy']);
  });

  it('compares by the type that the values of a key have in common', async () => {
    const compare = async (...types: readonly ('integer' | 'string')[]) => {
      const open = openAuthz({ page_number: types });
      await open.policies.create(admin, 'pages', { ...OPEN, chunkMetadata: FIRST_PAGE }, undefined);
      return partsOf((await open.accessTo(caller, { authzPolicy: 'pages' })).access?.chunks);
    };
    expect(await compare('integer')).not.toBe(await compare('integer', 'string'));
  });
});
