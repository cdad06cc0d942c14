import { beforeAll, describe, expect, it } from 'vitest';
import { CRAWL, crawl, ended } from '../support/crawls.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { page, type Site } from '../support/site.ts';
import { sql } from 'kysely';
import { inDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import type { Service } from '../support/service.ts';

describe('a schedule', { timeout: 180_000 }, () => {
  const journey = openJourney();
  let service: Tenant;
  let site: Site;
  beforeAll(async () => {
    site = await journey.site({ '/': page('Start', 'crawled now and then') });
    service = await journey.tenant();
  }, 120_000);

  /** Creates a crawl with a rule; answers its id and the path of its setting, once reads show both. */
  const scheduled = async (rrule: string | null) => {
    const body = { ...CRAWL, start_url: `${site.origin}/`, rrule };
    const made = await service.api('POST', '/crawls', body);
    const path = `/crawl-settings/${made.body.ingestion_setting_id}`;
    const { status } = await get(path, made.headers.get('x-position') ?? '');
    expect([made.status, status]).toEqual([201, 200]);
    return { id: made.body.id as string, path };
  };
  const get = (path: string, position: string) =>
    service.api('GET', path, undefined, { 'x-min-position': position });
  const occurrences = async (path: string, limit = 3): Promise<readonly number[]> =>
    (await service.api('GET', `${path}/occurrences?limit=${limit}`)).body.occurrences;

  it('is set with the crawl, and says when it fires', async () => {
    const { path } = await scheduled('FREQ=DAILY;BYHOUR=3;BYMINUTE=30;BYSECOND=0');
    const { body } = await service.api('GET', path);
    expect(body).toMatchObject({ name: 'A site', rrule: 'FREQ=DAILY;BYHOUR=3;BYMINUTE=30;BYSECOND=0' });
    const instants = await occurrences(path, 5);
    expect(instants.map((at) => at % 86_400)).toEqual([12_600, 12_600, 12_600, 12_600, 12_600]);
    expect(instants.map((at, i) => at - instants[0]! - i * 86_400)).toEqual([0, 0, 0, 0, 0]);
    expect(instants[0]! * 1_000).toBeGreaterThan(Date.now());
    const preview = (rrule: string) =>
      service.api('GET', `/schedule/occurrences?rrule=${encodeURIComponent(rrule)}&limit=5`);
    expect((await preview(body.rrule)).body).toEqual({ occurrences: instants });
    expect(await preview('FREQ=MINUTELY')).toMatchObject({
      status: 400,
      body: { error: { type: 'invalid_rrule', message: expect.stringContaining('too frequent') } },
    });
  });
});

describe('the scheduler of a running service', { timeout: 180_000 }, () => {
  const MINUTE = 60_000;
  const DAY = 24 * 60 * MINUTE;

  const journey = openJourney();
  let service: Service;
  let site: Site;
  beforeAll(async () => {
    site = await journey.site({ '/': page('Start', 'crawled now and then') });
    service = await journey.service({ KNOWLEDGER_ALLOW_ADDRESSES: site.host, KNOWLEDGER_LOG_LEVEL: 'warn' });
  }, 120_000);

  /** A crawl with this rule whose first job is over, and whose next tick is planned. */
  const scheduled = async (rrule: string) => {
    const made = await crawl(service, `${site.origin}/`, { rrule });
    const entries = await ended(service, made.id);
    await eventually(
      () => planned(made.ingestion_setting_id),
      (at) => at !== null,
    );
    return {
      id: made.id,
      setting: made.ingestion_setting_id,
      revision: entries.at(-1).revision as number,
    };
  };
  /** When the scheduler means to tick next; null while it has not planned. */
  const planned = (setting: string): Promise<number | null> =>
    inDatabase(service, async ({ db }) => {
      const { rows } = await sql<{ nextDue: number }>`
        select next_due from work.schedule_tick where ingestion_setting_id = ${setting}`.execute(db);
      return rows[0]?.nextDue ?? null;
    });
  /** The next tick is planned after the one before has started its job, which may be over by then. */
  const plannedAgain = (setting: string) =>
    eventually(
      () => planned(setting),
      (at) => at !== null && at > Date.now(),
    );
  /** Puts the next tick at this moment, as if the clock had gone on by as much. */
  const plan = (setting: string, at: number): Promise<void> =>
    inDatabase(service, async ({ db }) => {
      await sql`update work.schedule_tick set next_due = ${at} where ingestion_setting_id = ${setting}`.execute(
        db,
      );
    });
  const trail = async (id: string) =>
    (await service.get('/crawls/{id}/events', { path: { id }, query: { limit: 100 } })).events;
  const ticksIn = async (id: string) =>
    (await trail(id)).filter(
      ({ type, data }) =>
        type === 'ScheduleTickSkipped' ||
        (type === 'JobQueued' && 'trigger' in data && data.trigger === 'schedule'),
    );

  it('starts a sync when a tick is due, in the name of the schedule, and plans the next one', async () => {
    const { id, setting, revision } = await scheduled('FREQ=DAILY');
    const due = Date.now() - MINUTE;
    await plan(setting, due);
    const entries = await ended(service, id, revision);
    const queued = entries.find((entry) => entry.revision > revision);
    expect(queued).toMatchObject({
      type: 'JobQueued',
      data: { trigger: 'schedule', mode: 'incremental', generation: 2, due_at: due },
      actor: { kind: 'schedule', id: setting },
    });
    expect(entries.at(-1).type).toBe('JobSucceeded');
    await plannedAgain(setting);
    expect(await ticksIn(id)).toHaveLength(1);
  });

  it('makes up by one sync for all ticks that were missed while it was not running', async () => {
    const { id, setting, revision } = await scheduled('FREQ=HOURLY');
    const first = Date.now() - 5 * DAY;
    // Killed, because an orderly stop ends the database too.
    await service.end('SIGKILL');
    await plan(setting, first);
    service = await service.again();
    await ended(service, id, revision);
    await plannedAgain(setting);
    // The next look finds nothing more: it is the one that ticks another schedule.
    const other = await scheduled('FREQ=DAILY');
    await plan(other.setting, Date.now() - MINUTE);
    await ended(service, other.id, other.revision);
    expect(await ticksIn(id)).toMatchObject([{ type: 'JobQueued', data: { due_at: first } }]);
  });
});
