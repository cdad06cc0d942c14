import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../adapters/system/identity.ts';
import { derivedId } from '../../../../application/event-sourcing/derived-id.ts';
import { authzSubjectStream } from '../../../../application/event-sourcing/streams.ts';
import { callerOf } from '../../../support/conversations.ts';
import { OPEN, openAuthz } from './authz-in-memory.ts';

const caller = callerOf('acme');
const STREAM = authzSubjectStream(derivedId(sha256, 'authz subject', 'acme', 'jo'));
const UNKNOWN = { code: 'not_found', message: 'no attributes of this principal are known' };
const SALES = { department: ['sales'] };

const setUp = async () => {
  const open = openAuthz();
  for (const name of ['staff', 'guests']) await open.policies.create(caller, name, OPEN, undefined);
  return open;
};

describe('attributes of a principal', () => {
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
