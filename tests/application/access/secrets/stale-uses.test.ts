import { describe, expect, it } from 'vitest';
import type { Execute } from '../../../../application/event-sourcing/execute.ts';
import { createSecretUses } from '../../../../application/access/secrets/uses.ts';
import { callerOf, NOW } from '../../../support/conversations.ts';

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
    'secret-s1': { status: 'kept', uses: new Map([['d1', { dataSourceId: 'd1', at }]]) },
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
  await createSecretUses({ execute, clock: { now: () => NOW } }).detachStale(context, SECRET);
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
