import { sha256 } from '../../../../adapters/system/identity.ts';
import { rs256 } from '../../../../adapters/system/cipher.ts';
import { createSecretOperations } from '../../../../application/access/secrets/operations.ts';
import { sweepVault } from '../../../../application/agents/sweep-vault.ts';
import { secretStream } from '../../../../application/event-sourcing/streams.ts';
import type { EventStore } from '../../../../application/ports/event-store.ts';
import type { SecretRow } from '../../../../application/ports/secrets.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { callerOf } from '../../../support/conversations.ts';
import { countingIds } from '../../../support/ids.ts';
import { RSA } from '../../../support/rsa-key.ts';
import { type SharedSecrets, openSecrets } from '../../../support/secrets.ts';
import { describe, expect, it, vi } from 'vitest';

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
    const loadActive = await shared.texts.read('acme', id, replaced?.data['value_id'] as string);
    expect(loadActive).toEqual({ value: { type: 'token', token: 'an0ther' } });
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
      message: 'value.private_key is not an RSA private key',
    });
  });

  it('that a data source names cannot be deleted, until what a crash left attached is an hour old', async () => {
    const shared = openSecrets();
    const { operations, secretAttachments } = shared.process();
    const { id } = (await operations.create(caller, REQUEST, undefined)).record;
    await secretAttachments.attach(caller.context, id, '01900000-0000-7000-8000-00000000ffff', ['token']);
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
    await shared.texts.createKey('acme', unborn);
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
});

const never = (): AbortSignal => new AbortController().signal;

const ID = '01900000-0000-7000-8000-00000000ffff';

const notFound = { code: 'not_found', message: 'there is no such secret' };

const made = async (shared: SharedSecrets) =>
  (await shared.process().operations.create(caller, REQUEST, undefined)).record;

const valueOf = (shared: SharedSecrets, secretId: string) =>
  shared.process().credentials.of({ tenant: 'acme', secretId }).current(never());

const textsIn = async ({ vault }: SharedSecrets): Promise<number> =>
  (await vault.writtenBetween({ olderMs: 0, youngerMs: 3_600_000 }, '', 9)).flatMap(({ ids }) => ids).length;

describe('a change of a secret', () => {
  it('of one that is deleted meanwhile finds nothing, and keeps nothing', async () => {
    const shared = openSecrets();
    const { id } = await made(shared);
    const { put } = shared.vault;
    vi.spyOn(shared.vault, 'put').mockImplementation(async (...of) => {
      await shared.process().operations.remove(caller, id);
      return put(...of);
    });
    const changing = shared.process().operations.change(caller, id, { value: 'late' });
    await expect(changing).rejects.toMatchObject(notFound);
    expect(await textsIn(shared)).toBe(0);
  });
});

describe('a deletion of a secret', () => {
  it('that was broken off is finished by the next one', async () => {
    const shared = openSecrets();
    const { operations } = shared.process();
    const { id } = await made(shared);
    const crash = new Error('crash');
    vi.spyOn(shared.vault, 'destroy').mockRejectedValueOnce(crash);
    await expect(operations.remove(caller, id)).rejects.toBe(crash);
    expect(await textsIn(shared)).toBe(1);
    await expect(operations.remove(caller, id)).rejects.toMatchObject(notFound);
    expect(await textsIn(shared)).toBe(0);
  });
});

describe('a secret whose creation was broken off', () => {
  it('is whole once the request is repeated', async () => {
    const shared = openSecrets();
    const { store } = shared;
    const crash = new Error('crash');
    const crashing: EventStore = {
      readStream: (...of) => store.readStream(...of),
      append: async (stream, ...of) => {
        if (stream.startsWith('secret-')) throw crash;
        return store.append(stream, ...of);
      },
    };
    const broken = shared.process(undefined, crashing).operations.create(caller, REQUEST, 'key');
    await expect(broken).rejects.toBe(crash);
    const [holding] = await shared.vault.writtenBetween({ olderMs: 0, youngerMs: 3_600_000 }, '', 9);
    await shared.vault.destroy('acme', holding!.owner);
    const { record, changed } = await shared.process().operations.create(caller, REQUEST, 'key');
    expect(changed).toBe(true);
    expect(await valueOf(shared, record.id)).toEqual({ type: 'token', token: 'v4lue' });
  });
});

describe('what is told of secrets', () => {
  const row: SecretRow = {
    id: ID,
    tenant: 'acme',
    name: 'Host',
    secretType: 'token',
    expiresAt: null,
    createdAt: 1,
    changedAt: 2,
    inUse: 3,
    deleted: false,
    revision: 4n,
  };
  const other = { ...row, id: ID.replace('f', 'e') };
  const operations = () => {
    const asked: unknown[] = [];
    const { texts, process } = openSecrets();
    const { execute, secretAttachments } = process();
    return {
      asked,
      ...createSecretOperations({
        execute,
        secretAttachments,
        texts,
        ids: countingIds(),
        clock: { now: () => 0 },
        hash: sha256,
        signer: rs256,
        view: {
          get: async (tenant, id) => (tenant === 'acme' && id === ID ? row : null),
          list: async (...of) => {
            asked.push(of);
            return { rows: [row, other], hasMore: true, total: 9 };
          },
        },
        lastUses: {
          used: async () => {},
          forget: async () => {},
          lastUsed: async (ids) => {
            asked.push(ids);
            return new Map(ids.includes(ID) ? [[ID, 5]] : []);
          },
        },
      }),
    };
  };
  const shown = {
    id: ID,
    name: 'Host',
    secretType: 'token',
    expiresAt: null,
    createdAt: 1,
    changedAt: 2,
    inUse: 3,
  };

  it('is when each was used, and nothing that is not for callers', async () => {
    const { get, list, asked } = operations();
    expect(await get(caller, ID)).toStrictEqual({ ...shown, lastUsedAt: 5 });
    expect(await list(caller, { limit: 2 })).toStrictEqual({
      rows: [
        { ...shown, lastUsedAt: 5 },
        { ...shown, id: other.id, lastUsedAt: null },
      ],
      hasMore: true,
      total: 9,
    });
    expect(asked).toEqual([[ID], ['acme', { limit: 2 }], [ID, other.id]]);
  });
});
