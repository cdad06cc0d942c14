import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../adapters/system/identity.ts';
import { derivedId } from '../../../../application/event-sourcing/derived-id.ts';
import { authzPolicyStream, idempotencyStream } from '../../../../application/event-sourcing/streams.ts';
import { callerOf } from '../../../support/conversations.ts';
import { FIRST_PAGE, MINE, OPEN, openAuthz, RULES } from './authz-in-memory.ts';

const caller = callerOf('acme');
const NO_POLICY = { code: 'not_found', message: 'there is no such authz policy' };
const streamOf = (name: string, tenant = 'acme') =>
  authzPolicyStream(derivedId(sha256, 'authz policy', tenant, name));

describe('a policy', () => {
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

  it('whose first try wrote nothing is made when it is asked for again', async () => {
    const { policies, store } = openAuthz();
    const away = new Error('away');
    const whole = { ...store };
    let isAway = true;
    const append: typeof store.append = async (stream, ...rest) => {
      if (isAway && stream === streamOf('staff')) throw away;
      return whole.append(stream, ...rest);
    };
    Object.assign(store, { append });
    await expect(policies.create(caller, 'staff', OPEN, 'k')).rejects.toThrow(away);
    isAway = false;
    expect(await policies.create(caller, 'staff', OPEN, 'k')).toMatchObject({ changed: true });
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
