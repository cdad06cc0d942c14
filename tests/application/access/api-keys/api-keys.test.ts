import { sha256 } from '../../../../adapters/system/identity.ts';
import { createAuthenticate } from '../../../../application/access/api-keys/authenticate.ts';
import {
  type ApiKeyRequest,
  createApiKeyOperations,
} from '../../../../application/access/api-keys/operations.ts';
import {
  apiKeyStream,
  derivedId,
  idempotencyStream,
} from '../../../../application/event-sourcing/streams.ts';
import type { ApiKeyRow, ApiKeyView } from '../../../../application/ports/access-views.ts';
import type { Caller } from '../../../../application/access/caller.ts';
import type { Past } from '../../../../application/access/past.ts';
import { apiKeyRowOf } from '../../../../application/read-models/access-rows.ts';
import { apiKey } from '../../../../domain/api-key/decider.ts';
import { callerOf } from '../../../support/conversations.ts';
import { THERE, idOf, memoryParts } from '../../../support/memory-parts.ts';
import { describe, expect, it } from 'vitest';

const REQUEST: ApiKeyRequest = {
  name: 'a key',
  scopes: ['knowledge:read'],
  sourceGroupIds: null,
  expiresAt: null,
  requestsPerMinute: 60,
};

/** Keys over events in memory, a view that is never behind, and what is marked, in order. */
const openKeys = () => {
  const parts = memoryParts();
  const marked: unknown[] = [];
  const asked: unknown[] = [];
  let made = 0;
  const rows = async (tenant: string): Promise<readonly ApiKeyRow[]> => {
    const ring = (await parts.execute.load(apiKey, apiKeyStream(tenant), tenant))?.state ?? apiKey.initial;
    return [...ring.keys.values()].map((key) => apiKeyRowOf(key, { tenant, revision: 0n }));
  };
  const view: ApiKeyView = {
    byHash: async () => null,
    get: async (tenant, id) => (await rows(tenant)).find((row) => row.id === id) ?? null,
    list: async (tenant, page, only) => {
      asked.push([tenant, page, only]);
      return { rows: await rows(tenant), hasMore: false, total: 0 };
    },
  };
  const used = new Map<string, number>();
  const operations = createApiKeyOperations({
    ...parts,
    view,
    lastUses: { lastUsed: async () => used, forget: async (id) => void used.delete(id) },
    secrets: { newApiKey: () => `kn_${(made += 1)}` },
    overlay: {
      open: async ({ id, keyHash }, position) => void marked.push(['open', id, keyHash, position]),
      close: async (keyHash, position) => void marked.push(['close', keyHash, position]),
    },
    clearCache: () => void marked.push('forget'),
  });
  return { ...parts, ...operations, marked, asked, used };
};

/** Keys for everything, for source group 1, and for 1 and 2. */
const openThreeKeys = async () => {
  const open = openKeys();
  for (const n of [1, 2]) await open.dataSource(idOf(n), THERE);
  const issue = async (sourceGroupIds: readonly string[] | null) =>
    (await open.issue(callerOf('acme'), { ...REQUEST, sourceGroupIds }, undefined)).record.row.id;
  const ids = [await issue(null), await issue([idOf(1)]), await issue([idOf(1), idOf(2)])] as const;
  open.marked.length = 0;
  return { ...open, whole: ids[0], own: ids[1], wider: ids[2] };
};

const caller = callerOf('acme');

const restricted = callerOf('acme', [idOf(1)]);

const weak = { ...caller, grant: { scopes: ['apikeys:issue'], sourceGroupIds: null } } as const;

const NONE = idOf(99);

const hashOf = (key: string): string => sha256.sha256(key);

describe('a key', () => {
  it('is shown when it is made, and kept as a hash alone', async () => {
    const { issue, stored, marked, time } = openKeys();
    const { record, position, changed, replayed } = await issue(caller, REQUEST, undefined);
    const { row, key } = record;
    expect([key, changed, replayed]).toEqual(['kn_1', true, false]);
    const { id } = row;
    const facts = { id, tenant: 'acme', keyHash: hashOf('kn_1'), createdAt: time.now, revision: 0n };
    expect(row).toEqual({ ...REQUEST, ...facts, lastUsedAt: null });
    expect(await stored(apiKeyStream('acme'))).toEqual([
      {
        type: 'ApiKeyIssued',
        key_id: id,
        key_hash: hashOf('kn_1'),
        name: 'a key',
        scopes: ['knowledge:read'],
        source_group_ids: null,
        expires_at: null,
        requests_per_minute: 60,
        at: time.now,
      },
    ]);
    expect(marked).toEqual([['open', id, hashOf('kn_1'), position]]);
    expect((await issue(caller, REQUEST, undefined)).record.row.revision).toBe(1n);
  });

  it('is shown once: a repeated request is answered without it, and marks nothing', async () => {
    const { issue, revoke, marked, time } = openKeys();
    const first = await issue(caller, REQUEST, 'k');
    marked.length = 0;
    time.now += 60_000;
    const again = await issue(caller, REQUEST, 'k');
    // The hash is that of a key that was thrown away.
    const row = { ...first.record.row, keyHash: hashOf('kn_2') };
    expect(again).toMatchObject({ record: { row, key: null }, changed: false, replayed: true });
    await issue(caller, { ...REQUEST, scopes: ['apikeys:issue'] }, undefined);
    await revoke(caller, first.record.row.id);
    marked.length = 0;
    expect((await issue(caller, REQUEST, 'k')).record).toMatchObject({ row: { id: row.id }, key: null });
    expect(marked).toEqual([]);
  });

  it('is restricted to source groups that are there, as far as its issuer sees them', async () => {
    const { issue, dataSource } = openKeys();
    await dataSource(idOf(1), THERE);
    const within = (sourceGroupIds: readonly string[]) => ({ ...REQUEST, sourceGroupIds });
    await expect(issue(caller, within([idOf(1), NONE]), undefined)).rejects.toMatchObject({
      code: 'not_found',
      message: `there is no source group ${NONE}`,
    });
    // Whether it is there is not for this caller to learn.
    for (const id of [NONE, idOf(2)])
      await expect(issue(restricted, within([id]), undefined)).rejects.toMatchObject({
        code: 'key_restricted',
      });
    await expect(issue(restricted, REQUEST, undefined)).rejects.toMatchObject({ code: 'key_restricted' });
    expect((await issue(restricted, within([idOf(1)]), undefined)).record.row.sourceGroupIds).toEqual([
      idOf(1),
    ]);
  });

  it('shares no Idempotency-Key between those who are restricted and others', async () => {
    const { issue, dataSource, store } = openKeys();
    await dataSource(idOf(1), THERE);
    const request = { ...REQUEST, sourceGroupIds: [idOf(1)] };
    const first = await issue(caller, request, 'k');
    const name = derivedId(sha256, 'idempotency', 'acme', 'issueApiKey', 'k');
    expect(await store.readStream(idempotencyStream(name))).toHaveLength(1);
    const own = await issue(restricted, request, 'k');
    expect([own.replayed, own.record.row.id === first.record.row.id]).toEqual([false, false]);
    await expect(issue(caller, { ...request, name: 'x' }, 'k')).rejects.toMatchObject({
      code: 'idempotency_conflict',
    });
  });
});

const ROW: ApiKeyRow = { ...REQUEST, id: 'k', tenant: 'acme', keyHash: '#key', createdAt: 0, revision: 0n };

/** Keys by their hashes, which a test may change, and how often they were looked up. */
const setUp = (rows: Record<string, ApiKeyRow> = { '#key': ROW }) => {
  const time = { now: 1_000 };
  const asked: string[] = [];
  const uses: string[] = [];
  const authenticate = createAuthenticate({
    view: {
      byHash: async (keyHash: string) => {
        asked.push(keyHash);
        return rows[keyHash] ?? null;
      },
    } as never,
    hash: { sha256: (key) => `#${String(key)}` },
    clock: { now: () => time.now },
    noteUse: (id) => void uses.push(id),
  });
  return { authenticate, rows, time, asked, uses };
};

const refusal = (reason: string) => ({ ok: false, reason });

describe('whoever sends a key', () => {
  it('is known by its hash', async () => {
    const { authenticate, asked, uses } = setUp();
    expect(await authenticate('key')).toEqual({ ok: true, key: ROW });
    expect(await authenticate('other')).toEqual(refusal('invalid_api_key'));
    expect(asked).toEqual(['#key', '#other']);
    expect(uses).toEqual(['k']);
  });

  it('is told that there is none, and of one that is far too long without a look', async () => {
    const longest = 'x'.repeat(200);
    const { authenticate, asked } = setUp({ [`#${longest}`]: ROW });
    for (const none of [undefined, '']) expect(await authenticate(none)).toEqual(refusal('missing_api_key'));
    expect(await authenticate(`${longest}x`)).toEqual(refusal('invalid_api_key'));
    expect(asked).toEqual([]);
    expect((await authenticate(longest)).ok).toBe(true);
  });

  it('is refused from the moment on in which the key expires', async () => {
    const { authenticate, time, uses } = setUp({ '#key': { ...ROW, expiresAt: 1_500 } });
    time.now = 1_499;
    expect((await authenticate('key')).ok).toBe(true);
    time.now = 1_500;
    expect(await authenticate('key')).toEqual(refusal('expired_api_key'));
    expect(uses).toEqual(['k']);
  });
});

describe('a look-up', () => {
  it('is reused for a second', async () => {
    const { authenticate, rows, time, asked } = setUp();
    await authenticate('key');
    delete rows['#key'];
    time.now += 999;
    expect((await authenticate('key')).ok).toBe(true);
    expect(asked).toHaveLength(1);
    time.now += 1;
    expect(await authenticate('key')).toEqual(refusal('invalid_api_key'));
  });

  it('that found nothing is made again each time', async () => {
    const { authenticate, rows } = setUp({});
    expect((await authenticate('key')).ok).toBe(false);
    rows['#key'] = ROW;
    expect((await authenticate('key')).ok).toBe(true);
  });

  it('is forgotten when the keys have changed', async () => {
    const { authenticate, rows } = setUp();
    await authenticate('key');
    delete rows['#key'];
    authenticate.clearCache();
    expect((await authenticate('key')).ok).toBe(false);
  });
});

const NO_KEY = { code: 'not_found', message: 'there is no such API key' };

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
  it('tell when they were last used, but in the past, until they are revoked', async () => {
    const { get, list, rotate, revoke, whole, own, wider, used } = await openThreeKeys();
    used.set(whole, 5);
    const times = async (by: Caller) =>
      Object.fromEntries((await list(by, { limit: 3 })).rows.map(({ id, lastUsedAt }) => [id, lastUsedAt]));
    expect(await times(caller)).toEqual({ [whole]: 5, [own]: null, [wider]: null });
    expect((await get(caller, whole)).lastUsedAt).toBe(5);
    const { lastUsedAt: _, ...row } = await get(caller, whole);
    const apiKeys = { get: async () => row, list: async () => ({ rows: [row], hasMore: false, total: 1 }) };
    const before = { ...caller, past: { apiKeys } as unknown as Past };
    expect(await times(before)).toEqual({ [whole]: null });
    expect((await get(before, whole)).lastUsedAt).toBeNull();
    expect((await rotate(caller, whole)).record.row.lastUsedAt).toBe(5);
    await revoke(caller, whole);
    expect(used.size).toBe(0);
  });

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
