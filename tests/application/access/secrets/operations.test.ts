import { describe, expect, it } from 'vitest';
import { sweepVault } from '../../../../application/agents/sweep-vault.ts';
import { secretStream } from '../../../../application/event-sourcing/streams.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { callerOf } from '../../../support/conversations.ts';
import { RSA } from '../../../support/rsa-key.ts';
import { openSecrets, type SharedSecrets } from '../../../support/secrets.ts';

const caller = callerOf('acme');
const HOUR = 3_600_000;
const REQUEST = { name: 'Host', secretType: 'token', value: 'v4lue', expiresAt: null } as const;

const codeOf = async (work: Promise<unknown>): Promise<string | null> => {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
};

const everything = async ({ store }: SharedSecrets): Promise<string> =>
  JSON.stringify((await store.read('', {}, 1_000)).events, (_, part: unknown) =>
    typeof part === 'bigint' ? String(part) : part,
  );

describe('a secret', () => {
  it('is answered without its value, which is in no event, nor any hash of it', async () => {
    const shared = openSecrets();
    const { operations } = shared.process();
    const made = await operations.create(caller, REQUEST, 'key');
    const { id, ...record } = made.record;
    const at = shared.time.now;
    expect(record).toEqual({
      name: 'Host',
      secretType: 'token',
      expiresAt: null,
      createdAt: at,
      changedAt: at,
      lastUsedAt: null,
      inUse: 0,
    });
    await operations.change(caller, id, { value: 'an0ther' });
    const events = await everything(shared);
    expect(events).toContain('SecretValueReplaced');
    expect(events).toContain('Host');
    expect(events).not.toMatch(/v4lue|an0ther/);
    const [holding] = await shared.vault.writtenBetween({ olderMs: 0, youngerMs: HOUR }, '', 9);
    expect(holding?.ids).toHaveLength(1);
    const [created, replaced] = await shared.store.readStream(secretStream(id));
    expect(await shared.texts.read('acme', id, created?.data['value_id'] as string)).toBeNull();
    const kept = await shared.texts.read('acme', id, replaced?.data['value_id'] as string);
    expect(kept).toEqual({ value: { type: 'token', token: 'an0ther' } });
  });

  it('is made once for an Idempotency-Key, and another value with that key is a conflict', async () => {
    const shared = openSecrets();
    const { operations } = shared.process();
    const made = await operations.create(caller, REQUEST, 'key');
    const again = await operations.create(caller, REQUEST, 'key');
    expect([again.record, again.replayed]).toEqual([made.record, true]);
    const other = operations.create(caller, { ...REQUEST, value: 'other' }, 'key');
    expect(await codeOf(other)).toBe('idempotency_conflict');
    const third = await operations.create(caller, REQUEST, 'key');
    expect(third.record.id).toBe(made.record.id);
    await operations.remove(caller, made.record.id);
    await operations.create(caller, REQUEST, 'key');
    expect(await shared.vault.writtenBetween({ olderMs: 0, youngerMs: HOUR }, '', 9)).toEqual([]);
  });

  it('is not there for other tenants and once deleted, and is refused to restricted keys', async () => {
    const shared = openSecrets();
    const { operations } = shared.process();
    const { id } = (await operations.create(caller, REQUEST, undefined)).record;
    const foreign = callerOf('other');
    expect(await codeOf(operations.change(foreign, id, { name: 'x' }))).toBe('not_found');
    expect(await codeOf(operations.remove(foreign, id))).toBe('not_found');
    const restricted = callerOf('acme', ['g1']);
    expect(await codeOf(operations.create(restricted, REQUEST, undefined))).toBe('key_restricted');
    expect(await codeOf(operations.remove(restricted, id))).toBe('key_restricted');
    await operations.remove(caller, id);
    expect(await codeOf(operations.change(caller, id, { value: 'x' }))).toBe('not_found');
    expect(await codeOf(operations.remove(caller, id))).toBe('not_found');
    expect(await shared.vault.writtenBetween({ olderMs: 0, youngerMs: HOUR }, '', 9)).toEqual([]);
  });

  it('keeps its type, and takes no key that cannot sign', async () => {
    const { operations } = openSecrets().process();
    const { id } = (await operations.create(caller, REQUEST, undefined)).record;
    expect(await codeOf(operations.change(caller, id, { secretType: 'basic' }))).toBe('invalid_request');
    expect((await operations.change(caller, id, { secretType: 'token', name: 'x' })).record.name).toBe('x');
    const key = RSA.pkcs8.replace(/[A-Z]{8}/, 'AAAAAAAA');
    const value = { client_email: 'a@b.example', private_key: key };
    const request = { ...REQUEST, secretType: 'service_account', value } as const;
    await expect(operations.create(caller, request, undefined)).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'value.private_key is no RSA private key',
    });
  });

  it('that a data source names cannot be deleted, until what a crash left attached is an hour old', async () => {
    const shared = openSecrets();
    const { operations, uses } = shared.process();
    const { id } = (await operations.create(caller, REQUEST, undefined)).record;
    await uses.attach(caller.context, id, '01900000-0000-7000-8000-00000000ffff', ['token']);
    expect((await operations.change(caller, id, { name: 'y' })).record.inUse).toBe(1);
    expect(await codeOf(operations.remove(caller, id))).toBe('secret_in_use');
    shared.time.now += HOUR;
    expect(await codeOf(operations.remove(caller, id))).toBeNull();
  });

  it('leaves nothing in the vault that its stream does not name, whatever a crash cut off', async () => {
    const shared = openSecrets();
    const { operations, execute } = shared.process();
    const { id } = (await operations.create(caller, REQUEST, undefined)).record;
    await shared.texts.put('acme', id, 'stray', { value: { type: 'token', token: 'x' } });
    const unborn = '01900000-0000-7000-8000-00000000fffe';
    await shared.texts.open('acme', unborn);
    const swept = () =>
      sweepVault({ vault: shared.vault, execute }, new AbortController().signal, {
        olderMs: 0,
        youngerMs: HOUR,
      });
    expect(await swept()).toEqual({ keys: 1, texts: 1 });
    expect(await swept()).toEqual({ keys: 0, texts: 0 });
    const [holding] = await shared.vault.writtenBetween({ olderMs: 0, youngerMs: HOUR }, '', 9);
    expect([holding?.owner, holding?.ids]).toEqual([secretStream(id), [expect.not.stringMatching('stray')]]);
  });

  it('can be named by no data source that does not find it, or takes another type', async () => {
    const { operations, uses } = openSecrets().process();
    const { id } = (await operations.create(caller, REQUEST, undefined)).record;
    const attach = (tenant: string, secretId: string, types: readonly ('token' | 'app')[]) =>
      codeOf(uses.attach(callerOf(tenant).context, secretId, 'd1', types));
    expect(await attach('acme', '01900000-0000-7000-8000-00000000ffff', ['token'])).toBe('secret_not_found');
    expect(await attach('other', id, ['token'])).toBe('secret_not_found');
    expect(await attach('acme', id, ['app'])).toBe('invalid_request');
    await operations.remove(caller, id);
    expect(await attach('acme', id, ['token'])).toBe('secret_not_found');
  });
});
