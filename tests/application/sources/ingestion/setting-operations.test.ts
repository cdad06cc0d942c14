import { describe, expect, it } from 'vitest';
import {
  parametersInForce,
  settingInForce,
} from '../../../../application/sources/ingestion/parameters-in-force.ts';
import type { SettingChange } from '../../../../application/sources/ingestion/setting-operations.ts';
import type { Parameters } from '../../../../domain/ingestion-setting/index.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { deleted, purged } from '../../../domain/data-source/job-steps.ts';
import { callerOf, NOW } from '../../../support/conversations.ts';
import { caller, CRAWL, openDataSources, repoWith } from './data-sources-in-memory.ts';

const NOWHERE = '01900000-0000-7000-8000-00000000ffff';
const DAILY = 'FREQ=DAILY';

/** The setting of a new data source. */
const withSetting = async (parameters: Parameters = CRAWL, rrule?: string) => {
  const world = openDataSources();
  const { row } = (await world.create(parameters, rrule === undefined ? {} : { rrule })).record;
  const kind = parameters.kind as 'crawl';
  const id = row.ingestionSettingId;
  return {
    ...world,
    id,
    dataSourceId: row.id,
    change: (change: SettingChange, by = caller) => world.settings.change(by, kind, id, change),
    facts: async () => (await world.factsOfSetting(id)).map(({ type }) => type),
  };
};

describe('an ingestion setting', () => {
  it('is changed by what is given alone, and answered as it is then', async () => {
    const { change, facts, id, dataSourceId, shared } = await withSetting();
    const parameters = { maxDepth: 9, htmlOnly: true };
    const { record, position, changed } = await change({ name: 'Other', rrule: DAILY, parameters });
    expect(record).toEqual({
      id,
      tenant: 'acme',
      dataSourceId,
      name: 'Other',
      parameters: { ...CRAWL, ...parameters },
      schedule: { rrule: DAILY, start: NOW },
      revision: 3n,
    });
    expect([changed, position]).toEqual([true, await shared.store.head()]);
    expect(await facts()).toEqual([
      'IngestionSettingCreated',
      'IngestionSettingRenamed',
      'IngestionParametersChanged',
      'ScheduleSet',
    ]);
    expect(await change({})).toMatchObject({ changed: false, record });
    expect(await facts()).toHaveLength(4);
  });

  it('keeps its schedule where a rule is not given, and loses it where it is null', async () => {
    const { change, facts } = await withSetting(CRAWL, DAILY);
    expect((await change({ name: 'Other' })).record.schedule).toEqual({ rrule: DAILY, start: NOW });
    expect((await change({ rrule: null })).record.schedule).toBeNull();
    expect((await facts()).at(-1)).toBe('ScheduleRemoved');
  });

  it.each(['', ' \t'])('takes no empty rule for the end of the schedule: %j', async (rrule) => {
    const { change, facts } = await withSetting(CRAWL, DAILY);
    await expect(change({ rrule, name: 'Other' })).rejects.toMatchObject({
      code: 'invalid_rrule',
      message: 'the rule is empty: send null to remove the schedule',
    });
    expect(await facts()).toEqual(['IngestionSettingCreated']);
  });

  it('is judged by its connector as the change would leave it, and only where parameters change', async () => {
    const { change, facts, connectors } = await withSetting();
    const looked: unknown[] = [];
    Object.assign(connectors.crawl!, { check: (parameters: unknown) => void looked.push(parameters) });
    await change({ name: 'Other' });
    expect(looked).toEqual([]);
    await change({ parameters: { maxDepth: 9 } });
    expect(looked).toEqual([{ ...CRAWL, maxDepth: 9 }]);
    const refusal = new DomainError('pattern_invalid', 'it cannot be read');
    Object.assign(connectors.crawl!, {
      check: () => {
        throw refusal;
      },
    });
    const before = (await facts()).length;
    await expect(change({ name: 'Third', parameters: { maxDepth: 1 } })).rejects.toBe(refusal);
    expect(await facts()).toHaveLength(before);
  });

  it('is not there for whoever may not see its data source, nor under another kind, nor when that is gone', async () => {
    const { settings, id, dataSourceId, after, facts } = await withSetting();
    const refused = { code: 'not_found', message: 'there is no such ingestion setting' };
    const change = (by = caller, kind = 'crawl', of = id) =>
      settings.change(by, kind as 'crawl', of, { name: 'Other' });
    const get = (by = caller, kind = 'crawl', of = id) => settings.get(by, kind as 'crawl', of);
    for (const work of [change, get]) {
      const nobody = [callerOf('other'), callerOf('acme', [NOWHERE])];
      for (const by of nobody) await expect(work(by)).rejects.toMatchObject(refused);
      await expect(work(caller, 'repo')).rejects.toMatchObject(refused);
      await expect(work(caller, 'crawl', NOWHERE)).rejects.toMatchObject(refused);
    }
    const own = callerOf('acme', [dataSourceId]);
    expect([(await get(own)).id, (await change(own)).changed]).toEqual([id, true]);
    const before = await facts();
    await after(dataSourceId, deleted);
    // It may yet be taken up again, as long as it is there.
    expect((await change()).changed).toBe(false);
    await after(dataSourceId, purged);
    await expect(change()).rejects.toMatchObject(refused);
    expect(await facts()).toEqual(before);
  });

  it('tells the next times at which its schedule queues a job, and none without a schedule', async () => {
    const { settings, id, change, shared } = await withSetting(CRAWL, DAILY);
    shared.time.now += 5;
    expect(await settings.occurrences(caller, 'crawl', id, 2)).toEqual([2 * NOW + 5, 2 * NOW + 6]);
    await change({ rrule: null });
    expect(await settings.occurrences(caller, 'crawl', id, 2)).toEqual([]);
    await expect(settings.occurrences(callerOf('other'), 'crawl', id, 2)).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a setting that names a secret', () => {
  const withRepo = async () => {
    const world = openDataSources();
    const [first, second] = [await world.secret(), await world.secret('basic')];
    const { row } = (await world.create(repoWith(first))).record;
    const name = (secretId: string | null, more: SettingChange = {}, by = caller) =>
      world.settings.change(by, 'repo', row.ingestionSettingId, { ...more, parameters: { secretId } });
    const uses = async () => [await world.usesOf(first), await world.usesOf(second)];
    return { ...world, world, first, second, row, name, uses };
  };

  it('lets go of the former one, and answers the position of that', async () => {
    const { name, second, first, uses, positionOfSecret } = await withRepo();
    const { position } = await name(second);
    expect(position).toBe(await positionOfSecret(first));
    expect(await uses()).toEqual([0, 1]);
    expect((await name(null)).position).toBe(await positionOfSecret(second));
    expect(await uses()).toEqual([0, 0]);
    // There is no former one to let go of.
    const { position: at } = await name(first);
    expect(at > (await positionOfSecret(first))).toBe(true);
  });

  it('attaches nothing where a change leaves the secret as it is, so that a restricted key may make it', async () => {
    const { name, first, row, settings, uses } = await withRepo();
    const own = callerOf('acme', [row.id]);
    expect((await name(first, { name: 'Other' }, own)).record.name).toBe('Other');
    const change = { parameters: { pathFilters: ['*.md'] } };
    expect((await settings.change(own, 'repo', row.ingestionSettingId, change)).changed).toBe(true);
    expect((await settings.change(own, 'repo', row.ingestionSettingId, { name: 'Third' })).changed).toBe(
      true,
    );
    expect(await uses()).toEqual([1, 0]);
  });

  it('takes another one from an unrestricted key alone', async () => {
    const { name, second, row, uses } = await withRepo();
    await expect(name(second, {}, callerOf('acme', [row.id]))).rejects.toMatchObject({
      code: 'key_restricted',
      message: expect.stringMatching(/^naming another secret needs/) as string,
    });
    // To name none is no use of another one.
    await name(null, {}, callerOf('acme', [row.id]));
    expect(await uses()).toEqual([0, 0]);
  });

  it('leaves the new one as it was where the change is refused, and attached where it may have been written', async () => {
    const { name, second, uses, world, connectors } = await withRepo();
    world.refusal = new DomainError('invalid_request', 'so the test wants it');
    await expect(name(second)).rejects.toBe(world.refusal);
    expect(await uses()).toEqual([1, 0]);
    world.refusal = new Error('the connection broke');
    await expect(name(second)).rejects.toBe(world.refusal);
    expect(await uses()).toEqual([1, 1]);
    const { secretTypes: _, ...untyped } = connectors.repo!;
    Object.assign(connectors, { repo: untyped });
    world.refusal = null;
    // No type fits a connector that names none.
    await name(null);
    await expect(name(second)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('the parameters that a job goes by', () => {
  it('are those in force, each with the time of its last change', async () => {
    const { change, id, execute, shared } = await withSetting();
    expect(await parametersInForce({ execute }, 'acme', id)).toEqual({ parameters: CRAWL, changedAt: {} });
    shared.time.now = NOW + 1;
    await change({ parameters: { maxDepth: 9, htmlOnly: true } });
    shared.time.now = NOW + 2;
    await change({ parameters: { maxDepth: 8, htmlOnly: true }, name: 'Other' });
    expect(await parametersInForce({ execute }, 'acme', id)).toEqual({
      parameters: { ...CRAWL, maxDepth: 8, htmlOnly: true },
      changedAt: { maxDepth: NOW + 2, htmlOnly: NOW + 1 },
    });
  });

  it('cannot be guessed where the setting is missing, or is of another tenant', async () => {
    const { id, execute } = await withSetting();
    const missing = (of: string) => `ingestion setting ${of} is missing`;
    await expect(parametersInForce({ execute }, 'acme', NOWHERE)).rejects.toThrow(missing(NOWHERE));
    await expect(parametersInForce({ execute }, 'other', id)).rejects.toThrow(missing(id));
  });

  it('begin with the creation', () => {
    const changed = { type: 'IngestionParametersChanged', parameters: CRAWL, at: NOW } as const;
    expect(() => settingInForce.evolve(settingInForce.initial, changed)).toThrow('before');
  });
});
