import { describe, expect, it } from 'vitest';
import type { Run } from '../../../../application/event-sourcing/execute.ts';
import { EventStoreUnavailable, OutcomeUnknown } from '../../../../application/ports/event-store.ts';
import {
  runScheduler,
  type SchedulerDeps,
  tickDue,
} from '../../../../application/sources/schedules/scheduler.ts';
import { dataSourceStream, ingestionSettingStream } from '../../../../application/event-sourcing/streams.ts';
import { idOf } from '../../../support/memory-parts.ts';
import { HOUR, openSchedule, SETTING } from './schedules-in-memory.ts';

describe('a schedule that is due', () => {
  it('queues a job for the moment at which it was due, and is planned anew from now on', async () => {
    const { deps, did, first, jobs, store, time } = await openSchedule();
    time.now += 5 * HOUR + 1;
    expect(await tickDue(deps)).toBe(1);
    expect(await jobs()).toMatchObject([{ trigger: 'schedule', due_at: first, at: time.now }]);
    const { metadata, data } = (await store.readStream(dataSourceStream(idOf(1)))).at(-1)!;
    expect(metadata).toMatchObject({
      tenant: 'acme',
      actor: { kind: 'schedule', id: SETTING },
      $correlationId: data['job_id'],
      $causationId: SETTING,
    });
    expect(did).toEqual([
      ['due', time.now, 50],
      ['after', time.now],
      ['plan', SETTING, 0n, first + 6 * HOUR],
    ]);
  });

  it.each([
    ['its start', 0, -HOUR],
    ['what was ticked for', 2 * HOUR, 2 * HOUR],
  ])('that was never planned is sought after %s', async (_, ticked, after) => {
    const { deps, due, one, did, first } = await openSchedule();
    due[0] = [{ ...one, nextDue: null, tickedUntil: ticked === 0 ? 0 : first + ticked }];
    await tickDue(deps);
    expect(did[1]).toEqual(['after', first + after]);
  });

  it('of a setting that has changed since does nothing: the next look knows more', async () => {
    const { deps, did, jobs, store, codec, one } = await openSchedule();
    const context = {
      tenant: 'acme',
      actor: { kind: 'api_key', id: 'k' },
      correlationId: 'c',
      causationId: 'c',
    } as const;
    const event = (n: number) => codec.encode({ type: 'ScheduleRemoved', at: 1 }, idOf(1_000 + n), context);
    await store.append(ingestionSettingStream(SETTING), 'none', [event(1)]);
    await tickDue({
      ...deps,
      schedules: { ...deps.schedules, due: async () => [{ ...one, settingRevision: 0n }] },
    });
    expect(await jobs()).toHaveLength(1);
    did.length = 0;
    await store.append(ingestionSettingStream(SETTING), 0n, [event(2)]);
    await tickDue({ ...deps, schedules: { ...deps.schedules, due: async () => [one] } });
    expect([did, await jobs()]).toEqual([[], [expect.anything()]]);
  });

  it('whose data source cannot be told is put off as well', async () => {
    const { deps, did, first } = await openSchedule();
    const { load, history } = deps.execute;
    const broken: Run = async () => {
      throw new Error('broken');
    };
    await tickDue({ ...deps, execute: Object.assign(broken, { load, history }) });
    expect(did.at(-1)).toEqual(['plan', SETTING, 0n, first + 300_000]);
  });

  it.each([new EventStoreUnavailable('away'), new OutcomeUnknown('lost')])(
    'stays due while the store is away: %s',
    async (error) => {
      const { deps, did } = await openSchedule();
      const readStream = async (): Promise<never> => {
        throw error;
      };
      const store = { ...deps.store, readStream };
      await expect(tickDue({ ...deps, store })).rejects.toBe(error);
      expect(did).toHaveLength(1);
    },
  );
});

describe('the scheduler', () => {
  it('looks once a second, at once again where there may be more, and after a failure', async () => {
    const { deps, did, due, one } = await openSchedule();
    const over = new AbortController();
    due[0] = Array.from({ length: 50 }, () => ({ ...one, nextDue: Infinity }));
    due.push([{ ...one, nextDue: Infinity }]);
    let looks = 0;
    const schedules: SchedulerDeps['schedules'] = {
      ...deps.schedules,
      due: async (...of) => {
        looks += 1;
        if (looks === 3) throw new Error('away');
        return deps.schedules.due(...of);
      },
    };
    const idle: SchedulerDeps['idle'] = async (ms, signal) => {
      await deps.idle(ms, signal);
      if (looks === 3) over.abort();
    };
    await runScheduler({ ...deps, schedules, idle }, over.signal);
    expect(did.map((what) => (what as readonly string[])[0]).filter((name) => name !== 'plan')).toEqual([
      'due',
      'due',
      'idle',
      'warn',
      'idle',
    ]);
    expect(did.slice(-2)).toEqual([
      ['warn', 'the scheduler will look again', { error: 'away' }],
      ['idle', 1_000],
    ]);
  });
});
