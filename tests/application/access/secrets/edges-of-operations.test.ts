import { describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../../../adapters/system/identity.ts';
import { rs256 } from '../../../../adapters/system/token-signer.ts';
import type { EventStore } from '../../../../application/ports/event-store.ts';
import type { SecretRow } from '../../../../application/ports/secrets.ts';
import { createSecretOperations } from '../../../../application/access/secrets/operations.ts';
import { callerOf } from '../../../support/conversations.ts';
import { countingIds } from '../../../support/ids.ts';
import { openSecrets, type SharedSecrets } from '../../../support/secrets.ts';

const caller = callerOf('acme');
const restricted = callerOf('acme', ['g1']);
const never = (): AbortSignal => new AbortController().signal;
const REQUEST = { name: 'Host', secretType: 'token', value: 'v4lue', expiresAt: null } as const;
const ID = '01900000-0000-7000-8000-00000000ffff';
const notFound = { code: 'not_found', message: 'there is no such secret' };
const onlyUnrestricted = {
  code: 'key_restricted',
  message: expect.stringMatching(/^a secret needs/) as string,
};

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
    const { execute, uses } = process();
    return {
      asked,
      ...createSecretOperations({
        execute,
        uses,
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
        usage: {
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

  it('is told of none of another tenant, nor to a key that is restricted', async () => {
    const { get, list } = operations();
    await expect(get(callerOf('other'), ID)).rejects.toMatchObject(notFound);
    await expect(get(restricted, ID)).rejects.toMatchObject(onlyUnrestricted);
    await expect(list(restricted, { limit: 2 })).rejects.toMatchObject(onlyUnrestricted);
  });
});
