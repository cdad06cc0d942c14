import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../adapters/system/identity.ts';
import { derivedId } from '../../../../application/event-sourcing/derived-id.ts';
import { apiKeyStream, idempotencyStream } from '../../../../application/event-sourcing/streams.ts';
import { callerOf } from '../../../support/conversations.ts';
import { idOf, THERE } from '../../../support/memory-parts.ts';
import { openKeys, REQUEST } from './keys-in-memory.ts';

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
    expect(row).toEqual({ ...REQUEST, ...facts });
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

  it('has no scope that its issuer lacks', async () => {
    const { issue, marked } = openKeys();
    await expect(issue(weak, REQUEST, undefined)).rejects.toMatchObject({ code: 'scope_not_grantable' });
    expect(marked).toEqual([]);
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
