import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { DueSchedules } from '../application/ports/recurrence.ts';
import type { Service } from '../tests/support/service.ts';
import type { Found } from './faults.ts';
import { LEASE_SECONDS } from './member.ts';

const ENDED = ['success', 'failure', 'canceled'];
const POLL_MS = 1_000;
/** Clients plan no tick further ahead; the next of the same rule is an hour later. */
const AHEAD_MS = 10_000;

/** Waits until the scheduler has done all ticks that the clients planned: each may queue a job, after all others ended. */
export const awaitTicks = async (schedules: DueSchedules, maxMs: number, found: Found): Promise<void> => {
  const [horizon, deadline] = [Date.now() + AHEAD_MS, Date.now() + maxMs];
  for (;;) {
    const due = await schedules.due(horizon, 10);
    if (due.length === 0) return;
    if (Date.now() > deadline) {
      for (const { ingestionSettingId } of due)
        found.stuck.push(`a tick of setting ${ingestionSettingId} is still due`);
      return;
    }
    await pause(POLL_MS);
  }
};

/**
 * Waits until no job and no deletion is under way, but not for ever: what a dead worker held is tried again after up to
 * a minute. Answers whether it came to rest.
 */
export const awaitRest = async (service: Service, maxMs: number, found: Found): Promise<boolean> => {
  const deadline = Date.now() + maxMs;
  for (;;) {
    const underWay = (await Array.fromAsync(service.all('/crawls'))).filter(
      ({ status }) => !ENDED.includes(status),
    );
    if (underWay.length === 0) return true;
    if (Date.now() > deadline) {
      for (const { id, status } of underWay) found.stuck.push(`crawl ${id} is still ${status}`);
      return false;
    }
    await pause(POLL_MS);
  }
};

/** Nobody holds a lease any more once the longest has run out, and every process says that it is ready. */
export const checkWork = async (pool: pg.Pool, services: readonly Service[], found: Found): Promise<void> => {
  const held = async (): Promise<readonly object[]> =>
    (await pool.query<object>('select * from work.work_lease where until > now()')).rows;
  const runOut = Date.now() + 2 * LEASE_SECONDS * 1000;
  while ((await held()).length > 0 && Date.now() < runOut) await pause(POLL_MS);
  for (const lease of await held()) found.stuck.push(`a lease is held: ${JSON.stringify(lease)}`);
  for (const { base } of services) {
    const response = await fetch(`${base}/readyz`);
    const text = await response.text();
    if (response.status !== 200) found.stuck.push(`${base}/readyz answered ${response.status}: ${text}`);
  }
};
