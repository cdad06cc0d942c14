import type { Run } from '../../../../application/event-sourcing/execute.ts';
import { dataSourceStream, ingestionSettingStream } from '../../../../application/event-sourcing/streams.ts';
import { EventStoreUnavailable, OutcomeUnknown } from '../../../../application/ports/event-store.ts';
import type { DueSchedule } from '../../../../application/ports/recurrence.ts';
import {
  type SchedulerDeps,
  runScheduler,
  tickDue,
} from '../../../../application/sources/schedules/scheduler.ts';
import { begun, claimed, completed, created } from '../../../domain/data-source/job-steps.ts';
import { idOf, memoryParts } from '../../../support/memory-parts.ts';
import { type Schedules, openSchedules } from '../../../support/schedules.ts';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

const HOUR = 3_600_000;

const SETTING = idOf(7);

const FINISHED = [created, claimed, begun, completed];

/** A data source, and one schedule of it that is due every full hour; `did`: what the scheduler did, in order. */
const openSchedule = async (more: Partial<DueSchedule> = {}, steps = FINISHED) => {
  const parts = memoryParts();
  await parts.dataSource(idOf(1), steps);
  const first = Math.ceil(parts.time.now / HOUR) * HOUR;
  const one: DueSchedule = {
    ingestionSettingId: SETTING,
    tenant: 'acme',
    settingRevision: 0n,
    dataSourceId: idOf(1),
    schedule: { rrule: 'FREQ=HOURLY', start: first - HOUR },
    tickedUntil: 0,
    nextDue: first,
    ...more,
  };
  parts.time.now = first;
  const did: unknown[] = [];
  const due = [[one]];
  const deps: SchedulerDeps = {
    ...parts,
    schedules: {
      due: async (now, limit) => {
        did.push(['due', now, limit]);
        return due.shift() ?? [];
      },
      plan: async (...planned) => void did.push(['plan', ...planned]),
      forget: () => Promise.reject(new Error('nobody asks')),
    },
    scheduling: {
      schedule: () => Promise.reject(new Error('nobody asks')),
      occurrences: async (_, after) => {
        did.push(['after', after]);
        return after > first + 10 * HOUR ? [] : [Math.floor(after / HOUR) * HOUR + HOUR];
      },
    },
    log: {
      info: () => {},
      warn: (...told) => void did.push(['warn', ...told]),
      error: (...told) => void did.push(['error', ...told]),
    },
    idle: async (ms) => void did.push(['idle', ms]),
  };
  const jobs = async () =>
    (await parts.stored(dataSourceStream(idOf(1)))).filter(({ type }) => type === 'JobQueued').slice(1);
  return { ...parts, deps, due, one, did, first, jobs };
};

describe('a schedule that is due', () => {
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
      ['warn', 'the scheduler will retry', { error: 'away' }],
      ['idle', 1_000],
    ]);
  });
});

const START = Date.UTC(2026, 0, 1, 9, 30);

const ONE = { queued: 1, skipped: 0 };

const NONE = { queued: 0, skipped: 0 };

let schedules: Schedules;

const opened: Schedules[] = [];

beforeEach(async () => {
  schedules = await openSchedules(START);
  opened.push(schedules);
});

afterAll(() => Promise.all(opened.map(({ close }) => close())));

/** A crawl with this rule whose first job is over. */
const idle = async (rrule: string) => {
  const made = await schedules.scheduled(rrule);
  await schedules.finish(made.id);
  return made;
};

describe('a tick', { timeout: 60_000 }, () => {
  const DAY = 24 * HOUR;

  it('queues a job when the rule is due, not before, and not twice', async () => {
    const { id } = await idle('FREQ=HOURLY');
    expect(await schedules.tick(id, START + HOUR - 1)).toEqual(NONE);
    expect(await schedules.tick(id, START + HOUR)).toEqual(ONE);
    expect((await schedules.events(id)).at(-1)).toMatchObject({
      trigger: 'schedule',
      mode: 'incremental',
      generation: 2,
      dueAt: START + HOUR,
    });
    await schedules.finish(id);
    expect(await schedules.tick(id, START + HOUR + 1_000)).toEqual(NONE);
    expect(await schedules.tick(id, START + 2 * HOUR)).toEqual(ONE);
  });

  it('is skipped while a job is at work, and that is recorded', async () => {
    const { id } = await schedules.scheduled('FREQ=HOURLY');
    expect(await schedules.tick(id, START + HOUR)).toEqual({ queued: 0, skipped: 1 });
    expect(await schedules.tick(id, START + HOUR + 1_000)).toEqual(NONE);
    await schedules.finish(id);
    expect(await schedules.tick(id, START + 2 * HOUR)).toEqual(ONE);
  });

  it('that was missed is made up by one job, also after the setting was renamed', async () => {
    const { id, setting } = await idle('FREQ=HOURLY');
    expect(await schedules.tick(id, START + 3 * DAY + 60_000)).toEqual(ONE);
    await schedules.finish(id);
    expect(await schedules.tick(id, START + 3 * DAY + 120_000)).toEqual(NONE);
    await schedules.change(setting, { name: 'another name' });
    expect(await schedules.tick(id, START + 3 * DAY + 180_000)).toEqual(NONE);
    expect(await schedules.tick(id, START + 3 * DAY + HOUR)).toEqual(ONE);
  });

  it('goes by a changed rule at once', async () => {
    const { id, setting } = await idle('FREQ=DAILY');
    schedules.time.now = START + HOUR;
    await schedules.change(setting, { rrule: 'FREQ=HOURLY' });
    expect(await schedules.tick(id, START + 2 * HOUR - 1)).toEqual(NONE);
    expect(await schedules.tick(id, START + 2 * HOUR)).toEqual(ONE);
  });

  it('never comes of a rule that was removed, even where the views do not know yet', async () => {
    const { id, setting } = await idle('FREQ=HOURLY');
    await schedules.settled();
    const [known] = await schedules.deps.schedules.due(START, 10);
    await schedules.change(setting, { rrule: null });
    expect(await schedules.tick(id, START + DAY)).toEqual(NONE);
    const stale = { ...schedules.deps.schedules, due: async () => [known!] };
    await tickDue({ ...schedules.deps, schedules: stale });
    expect((await schedules.events(id)).filter(({ type }) => type === 'JobQueued')).toHaveLength(1);
  });

  it('is handled once by two schedulers that look at the same time', async () => {
    const { id } = await idle('FREQ=HOURLY');
    await schedules.settled();
    schedules.time.now = START + HOUR;
    await Promise.all([tickDue(schedules.deps), tickDue(schedules.deps), tickDue(schedules.deps)]);
    expect((await schedules.events(id)).filter(({ type }) => type === 'JobQueued')).toHaveLength(2);
  });

  it.each(['FREQ=HOURLY;COUNT=2', 'FREQ=HOURLY;UNTIL=20260101T103000Z'])('ends with %s', async (rrule) => {
    const { id } = await idle(rrule);
    expect(await schedules.tick(id, START + HOUR)).toEqual(ONE);
    await schedules.finish(id);
    for (const at of [START + 2 * HOUR, START + 30 * DAY]) expect(await schedules.tick(id, at)).toEqual(NONE);
  });

  it('does nothing to a data source that is being deleted or gone', async () => {
    const { id } = await idle('FREQ=HOURLY');
    await schedules.settled();
    const due = await schedules.deps.schedules.due(START, 10);
    await schedules.run(id, { type: 'delete', at: START });
    expect(await schedules.tick(id, START + HOUR)).toEqual(NONE);
    await tickDue({ ...schedules.deps, schedules: { ...schedules.deps.schedules, due: async () => due } });
    await schedules.run(id, { type: 'delete_done', contents: 0, sources: 0, bytes: 0, at: START });
    await tickDue({ ...schedules.deps, schedules: { ...schedules.deps.schedules, due: async () => due } });
    expect((await schedules.events(id)).at(-1)?.type).toBe('DataSourceDeleted');
  });

  it('stays due while the event store is away, and ticks when it is back', async () => {
    const { id } = await idle('FREQ=HOURLY');
    const { execute: whole } = schedules.deps;
    await schedules.settled();
    schedules.time.now = START + HOUR;
    const errors: string[] = [];
    const log = { ...schedules.deps.log, error: (message: string) => void errors.push(message) };
    for (const away of [new EventStoreUnavailable('away'), new OutcomeUnknown('lost')]) {
      const run: Run = () => Promise.reject(away);
      const execute = Object.assign(run, { load: whole.load, history: whole.history });
      await expect(tickDue({ ...schedules.deps, execute, log })).rejects.toThrow(away);
    }
    expect(errors).toEqual([]);
    await tickDue(schedules.deps);
    expect((await schedules.events(id)).at(-1)).toMatchObject({ type: 'JobQueued', trigger: 'schedule' });
  });

  it('starves no other schedule by failing', async () => {
    const broken = await idle('FREQ=HOURLY');
    const { id } = await idle('FREQ=HOURLY');
    const { execute: whole } = schedules.deps;
    const run = ((decider, stream, ...rest) => {
      if (stream.endsWith(broken.id)) throw new Error('broken');
      return whole(decider, stream, ...rest);
    }) as typeof whole;
    const execute = Object.assign(run, { load: whole.load, history: whole.history });
    await schedules.settled();
    schedules.time.now = START + HOUR;
    await tickDue({ ...schedules.deps, execute });
    expect((await schedules.events(id)).at(-1)).toMatchObject({ type: 'JobQueued', trigger: 'schedule' });
    expect(await schedules.tick(broken.id, START + 2 * HOUR)).toEqual(ONE);
  });
});
