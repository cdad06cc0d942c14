import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../adapters/system/identity.ts';
import { apiKeyStream } from '../../../../application/event-sourcing/streams.ts';
import { callerOf } from '../../../support/conversations.ts';
import { idOf } from '../../../support/memory-parts.ts';
import { openThreeKeys } from './keys-in-memory.ts';

const caller = callerOf('acme');
const restricted = callerOf('acme', [idOf(1)]);
const weak = { ...caller, grant: { scopes: ['apikeys:issue'], sourceGroupIds: null } } as const;
const NO_KEY = { code: 'not_found', message: 'there is no such API key' };
const NONE = idOf(99);
const hashOf = (key: string): string => sha256.sha256(key);

describe('a key that is rotated', () => {
  it('opens with the new one before the old one is closed', async () => {
    const { rotate, whole, marked, stored, time } = await openThreeKeys();
    time.now += 1;
    const { record, position, changed } = await rotate(caller, whole);
    expect([record.key, changed]).toEqual(['kn_4', true]);
    expect(record.row).toMatchObject({ id: whole, keyHash: hashOf('kn_4'), revision: 3n });
    expect(marked).toEqual([
      ['open', whole, hashOf('kn_4'), position],
      ['close', hashOf('kn_1'), position],
      'forget',
    ]);
    expect((await stored(apiKeyStream('acme'))).at(-1)).toEqual({
      type: 'ApiKeyRotated',
      key_id: whole,
      key_hash: hashOf('kn_4'),
      at: time.now,
    });
  });

  it('is one that the caller sees, and no stronger', async () => {
    const { rotate, whole, wider, own, marked } = await openThreeKeys();
    for (const [by, id] of [
      [caller, NONE],
      [callerOf('other'), whole],
      [restricted, whole],
      [restricted, wider],
    ] as const)
      await expect(rotate(by, id)).rejects.toMatchObject(NO_KEY);
    await expect(rotate(weak, whole)).rejects.toMatchObject({ code: 'scope_not_grantable' });
    expect(marked).toEqual([]);
    expect((await rotate(restricted, own)).changed).toBe(true);
  });
});

describe('a key that is revoked', () => {
  it('is closed, and gone', async () => {
    const { revoke, get, whole, marked, stored, time } = await openThreeKeys();
    time.now += 1;
    const { position, ...done } = await revoke(caller, whole);
    expect(done).toEqual({ record: whole, changed: true });
    expect(marked).toEqual([['close', hashOf('kn_1'), position], 'forget']);
    expect((await stored(apiKeyStream('acme'))).at(-1)).toEqual({
      type: 'ApiKeyRevoked',
      key_id: whole,
      at: time.now,
    });
    await expect(revoke(caller, whole)).rejects.toMatchObject(NO_KEY);
    await expect(get(caller, whole)).rejects.toMatchObject(NO_KEY);
  });

  it('is one that the caller sees, and no stronger', async () => {
    const { revoke, whole, wider, own, marked } = await openThreeKeys();
    for (const id of [NONE, whole, wider]) await expect(revoke(restricted, id)).rejects.toMatchObject(NO_KEY);
    await expect(revoke(weak, whole)).rejects.toMatchObject({ code: 'scope_not_grantable' });
    expect(marked).toEqual([]);
    expect((await revoke(restricted, own)).record).toBe(own);
  });
});

describe('keys as they are read', () => {
  it('are those that reach no further than the reader', async () => {
    const { get, list, whole, own, wider, asked } = await openThreeKeys();
    expect((await get(restricted, own)).id).toBe(own);
    expect((await get(caller, wider)).id).toBe(wider);
    for (const id of [whole, wider, NONE]) await expect(get(restricted, id)).rejects.toMatchObject(NO_KEY);
    await list(caller, { limit: 3 });
    await list(restricted, { limit: 3 });
    expect(asked).toEqual([
      ['acme', { limit: 3 }, null],
      ['acme', { limit: 3 }, [idOf(1)]],
    ]);
  });

  it('go on behind one that the reader sees, or saw until it was revoked, and behind no other', async () => {
    const { list, revoke, whole, own, wider, asked } = await openThreeKeys();
    const after = (by: typeof caller, id: string) => list(by, { limit: 3, after: id });
    const refused = (id: string) => ({
      code: 'invalid_cursor',
      message: `there is no record ${id} in this list`,
    });
    await after(caller, whole);
    await after(restricted, own);
    for (const [by, id] of [
      [caller, NONE],
      [callerOf('other'), whole],
      [restricted, whole],
      [restricted, wider],
    ] as const)
      await expect(after(by, id)).rejects.toMatchObject(refused(id));
    for (const id of [own, wider]) await revoke(caller, id);
    await after(restricted, own);
    await after(caller, wider);
    await expect(after(restricted, wider)).rejects.toMatchObject(refused(wider));
    expect(asked).toHaveLength(4);
  });
});
