import { sha256 } from '../../../../adapters/system/identity.ts';
import {
  type SecretAttachments,
  createSecretAttachments,
} from '../../../../application/access/secrets/attachments.ts';
import type { Execute } from '../../../../application/event-sourcing/execute.ts';
import { ingestionSettingStream } from '../../../../application/event-sourcing/streams.ts';
import type { Connectors } from '../../../../application/sources/ingestion/connector.ts';
import { createCreateDataSource } from '../../../../application/sources/ingestion/create-data-source.ts';
import { createDataSourceOperations } from '../../../../application/sources/ingestion/operations.ts';
import { createIngestionSettingOperations } from '../../../../application/sources/ingestion/setting-operations.ts';
import { ingestionSetting, secretOf } from '../../../../domain/ingestion-setting/index.ts';
import type { GivenValue } from '../../../../domain/secret/value.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { NOW, callerOf, noOverlay } from '../../../support/conversations.ts';
import { countingIds } from '../../../support/ids.ts';
import { RSA } from '../../../support/rsa-key.ts';
import { openSecrets } from '../../../support/secrets.ts';
import { describe, expect, it } from 'vitest';

const caller = callerOf('acme');

const KIND = 'local_file_group';

/** A kind of source whose parameters name a secret, of tokens and passwords alone. */
const connectors = {
  [KIND]: {
    kind: KIND,
    secretTypes: ['token', 'basic'],
    check: () => {},
    subjectOf: () => ({ kind: KIND }),
  },
} as unknown as Connectors;

const parametersWith = (secretId: string | null) =>
  ({ kind: KIND, chunkMetadataKeys: [], secretId }) as never;

const codeOf = async (work: Promise<unknown>): Promise<string | null> => {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
};

/** Does the first thing that it is given, and nothing then. */
const onlyOnce = () => {
  let done = false;
  const once = async (work: () => Promise<unknown>): Promise<void> => {
    if (done) return;
    done = true;
    await work();
  };
  return Object.assign(once, { again: () => void (done = false) });
};

const open = (
  among: (secretAttachments: SecretAttachments) => SecretAttachments = (secretAttachments) =>
    secretAttachments,
) => {
  const shared = openSecrets();
  const { execute, secretAttachments: own, operations } = shared.process();
  const secretAttachments = among(own);
  const check = { refuses: false };
  const needs = { needsSecret: false };
  const refusing = (): void => {
    if (check.refuses) throw new DomainError('invalid_request', 'so the test wants it');
  };
  const deps = {
    execute,
    secretAttachments,
    connectors: { [KIND]: Object.assign(needs, connectors[KIND], { check: refusing }) } as Connectors,
    ids: countingIds(),
    hash: sha256,
    clock: { now: () => shared.time.now },
  };
  const create = createCreateDataSource({ ...deps, scheduling: null as never, overlay: noOverlay });
  const settings = createIngestionSettingOperations({
    ...deps,
    view: null as never,
    scheduling: null as never,
  });
  const tombstones = { putDataSource: async () => {} } as never;
  const view = { withChunkMetadataCounts: async (found: readonly unknown[]) => found } as never;
  const sources = createDataSourceOperations({ ...deps, view, tombstones });
  return {
    shared,
    operations,
    settings,
    sources,
    check,
    needs,
    name: (setting: string, secretId: string | null) =>
      settings.change(caller, KIND, setting, { parameters: { secretId } }),
    keep: async (secretType: 'token' | 'app' = 'token', value: GivenValue = 'v', by = caller) => {
      const request = { name: 'n', secretType, value, expiresAt: null };
      return (await operations.create(by, request, undefined)).record.id;
    },
    create: (secretId: string | null, key?: string, by = caller) =>
      create(by, { name: 'x', metadata: [], parameters: parametersWith(secretId) }, key),
    inUse: async (id: string) => (await operations.change(caller, id, {})).record.inUse,
    named: async (settingId: string) => {
      const found = await execute.load(ingestionSetting, ingestionSettingStream(settingId), 'acme');
      return found?.state.status === 'defined' ? secretOf(found.state.parameters) : undefined;
    },
  };
};

describe('a data source', () => {
  it('that names a secret holds it in use until it is deleted', async () => {
    const world = open();
    const secretId = await world.keep();
    const one = (await world.create(secretId, 'key')).record.row;
    await world.create(secretId, 'key');
    expect(await world.inUse(secretId)).toBe(1);
    const two = (await world.create(secretId)).record.row;
    expect(await world.inUse(secretId)).toBe(2);
    expect(await codeOf(world.operations.remove(caller, secretId))).toBe('secret_in_use');
    for (const { id } of [one, two]) await world.sources.remove(caller, KIND, id);
    expect(await world.inUse(secretId)).toBe(0);
    expect(await codeOf(world.operations.remove(caller, secretId))).toBeNull();
    expect(await codeOf(world.create(secretId))).toBe('secret_not_found');
  });

  it('is refused with a secret that is not there, of another tenant, or of a type that it cannot use', async () => {
    const world = open();
    const foreign = await world.keep('token', 'v', callerOf('other'));
    const app = await world.keep('app', { app_id: 1, installation_id: 2, private_key: RSA.pkcs1 });
    expect(await codeOf(world.create(app))).toBe('invalid_request');
    expect(await codeOf(world.create(foreign))).toBe('secret_not_found');
    expect(await codeOf(world.create('01900000-0000-7000-8000-00000000ffff'))).toBe('secret_not_found');
    const streams = (await world.shared.store.read('', {}, 1_000)).events.map(({ stream }) => stream);
    expect(streams.filter((name) => /^(?:dataSource|ingestionSetting)-/.test(name))).toEqual([]);
  });

  it('is given another secret by its setting, which lets go of the one before', async () => {
    const world = open();
    const [first, second] = [await world.keep(), await world.keep()];
    const { row } = (await world.create(first)).record;
    const change = (secretId: string | null, by = caller) =>
      world.settings.change(by, KIND, row.ingestionSettingId, { parameters: { secretId } });
    await change(second);
    expect([await world.inUse(first), await world.inUse(second)]).toEqual([0, 1]);
    expect(await world.named(row.ingestionSettingId)).toBe(second);
    await change(second);
    expect(await world.inUse(second)).toBe(1);
    expect(await codeOf(change('01900000-0000-7000-8000-00000000ffff'))).toBe('secret_not_found');
    expect(await codeOf(change(first, callerOf('acme', [row.id])))).toBe('key_restricted');
    expect([await world.inUse(first), await world.named(row.ingestionSettingId)]).toEqual([0, second]);
    await change(null);
    expect(await world.inUse(second)).toBe(0);
    expect(await world.named(row.ingestionSettingId)).toBeNull();
  });

  it('stays attached to the secret that it names while another change lets go of it', async () => {
    let back = async (): Promise<unknown> => null;
    const world = open((secretAttachments) => ({
      ...secretAttachments,
      detach: async (...of) => {
        await once(() => back());
        return secretAttachments.detach(...of);
      },
    }));
    const once = onlyOnce();
    const [first, second] = [await world.keep(), await world.keep()];
    const { row } = (await world.create(first)).record;
    back = () => world.name(row.ingestionSettingId, first);
    await world.name(row.ingestionSettingId, second);
    expect(await world.named(row.ingestionSettingId)).toBe(first);
    expect([await world.inUse(first), await world.inUse(second)]).toEqual([1, 0]);
  });

  it('keeps what another change has attached when its own is refused', async () => {
    const once = onlyOnce();
    let other = async (): Promise<unknown> => null;
    const world = open((secretAttachments) => ({
      ...secretAttachments,
      attach: async (...of) => {
        await once(() => other());
        return secretAttachments.attach(...of);
      },
    }));
    const [first, second] = [await world.keep(), await world.keep()];
    const { row } = (await world.create(null)).record;
    await world.name(row.ingestionSettingId, first);
    other = async () => {
      await world.name(row.ingestionSettingId, second);
      world.check.refuses = true;
    };
    once.again();
    expect(await codeOf(world.name(row.ingestionSettingId, second))).toBe('invalid_request');
    expect(await world.named(row.ingestionSettingId)).toBe(second);
    expect([await world.inUse(first), await world.inUse(second)]).toEqual([0, 1]);
  });
});

const { context } = callerOf('acme');

const HOUR = 3_600_000;

const SECRET = 's1';

const alive = { status: 'managed', ingestionSettingId: 'i1' };

const defined = (secretId: string) => ({ status: 'defined', parameters: { secretId } });

const OLD = NOW - HOUR;

const YOUNG = OLD + 1;

/** Whether a data source that was attached at this time is detached: by itself, and by its setting; null: another tenant's. */
const isDetached = async (at: number, source: object | null, setting: object | null = null) => {
  const detached: unknown[] = [];
  const loaded: Readonly<Record<string, object | null>> = {
    'secret-s1': { status: 'active', uses: new Map([['d1', { dataSourceId: 'd1', at }]]) },
    'dataSource-d1': source,
    'ingestionSetting-i1': setting,
  };
  const load = async (_fold: unknown, stream: string, tenant: string) => {
    const state = tenant === 'acme' ? loaded[stream] : null;
    return state === null || state === undefined ? null : { state };
  };
  const run = async (_fold: unknown, stream: string, { type, dataSourceId }: Record<string, unknown>) => {
    detached.push([stream, type, dataSourceId]);
    return { position: 'p' };
  };
  const execute = Object.assign(run, { load }) as unknown as Execute;
  await createSecretAttachments({ execute, clock: { now: () => NOW } }).detachStale(context, SECRET);
  expect(detached.slice(1)).toEqual([]);
  const [first] = detached;
  expect(first ?? ['secret-s1', 'detach', 'd1']).toEqual(['secret-s1', 'detach', 'd1']);
  return first !== undefined;
};

describe('a data source that is attached to a secret', () => {
  it.each([
    ['is about to be created', null, null, [false, true]],
    ['is about to be created here', { status: 'none' }, null, [false, true]],
    ['is being deleted', { ...alive, status: 'deleting' }, defined(SECRET), [true, true]],
    ['could not be deleted', { ...alive, status: 'delete_job_failure' }, defined(SECRET), [true, true]],
    ['is gone', { ...alive, status: 'removed' }, defined(SECRET), [true, true]],
    ['has no setting', alive, null, [true, true]],
    ['has none any more', alive, { status: 'none' }, [true, true]],
    ['names it', alive, defined(SECRET), [false, false]],
    ['is about to name it', alive, defined('s2'), [false, true]],
  ] as const)(
    'that %s is detached, within the hour and after it: %s',
    async (_, source, setting, expected) => {
      expect([await isDetached(YOUNG, source, setting), await isDetached(OLD, source, setting)]).toEqual(
        expected,
      );
    },
  );
});
