import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { crawl, ended, record, until } from '../support/crawls.ts';
import { openJourney } from '../support/journey.ts';
import type { Service } from '../support/service.ts';
import { page, type Site } from '../support/site.ts';

/** When the cancel is sent after the answer to the request that began the job: while it is queued, starting, started. */
const MOMENTS_MS = [0, 10, 20, 30, 40, 50, 60, 75, 90, 110, 130, 150];

const START = page('Start', 'soon canceled');

const journey = openJourney();
let service: Service;
let site: Site;
beforeAll(async () => {
  site = await journey.site({ '/': START });
  service = await journey.service({ KNOWLEDGER_ALLOW_ADDRESSES: site.host, KNOWLEDGER_LOG_LEVEL: 'warn' });
}, 120_000);

/** No answer of the site for this path comes before it is called. */
const held = (path: string, answer: string): (() => void) => {
  const hold = Promise.withResolvers<void>();
  site.pages.set(path, (_, response) => {
    void hold.promise.then(() => response.end(answer));
  });
  return () => {
    site.pages.set(path, answer);
    hold.resolve();
  };
};

/** Cancels the job `ms` after it was asked for; answers how it ended, and how long after the request. */
const canceledAfter = async (ms: number, id: string, revision: number) => {
  await pause(ms);
  const { status } = await service.api('POST', `/crawls/${id}/cancel`);
  const entries = (await ended(service, id, revision)).filter((entry) => entry.revision > revision);
  const [asked, end] = [entries.find(({ type }) => type === 'JobCancelRequested'), entries.at(-1)];
  return {
    // Asked for while it waited, the caller's word is the end of it.
    told: asked === undefined ? ['caller', 'api_key'] : ['worker', 'worker'],
    took: asked === undefined ? 0 : end.data.at - asked.data.at,
    status,
    end,
    shown: await record(service, id),
  };
};
type Canceled = Awaited<ReturnType<typeof canceledAfter>>;

const mustBePlain = ({ status, end, told, shown }: Canceled): void => {
  expect([status, end.type, end.data.by, end.actor.kind]).toEqual([202, 'JobCanceled', ...told]);
  expect([end.data.error, shown.status, shown.error]).toEqual([undefined, 'canceled', undefined]);
};
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

describe('a cancel, asked for at any moment', { timeout: 240_000 }, () => {
  it('of a first job is a plain one, by whoever had the job', async () => {
    const seen: Canceled[] = [];
    for (const ms of MOMENTS_MS) {
      // Its robots.txt is answered at once, so that the job begins as soon as it can.
      const release = held('/', START);
      const { id } = await crawl(service, `${site.origin}/`);
      seen.push(await canceledAfter(ms, id, 1));
      release();
    }
    for (const one of seen) mustBePlain(one);
    expect(median(seen.map(({ took }) => took))).toBeLessThan(2_000);
    expect(service.output()).not.toContain('abandoned job');
  });

  it('of a sync is the same', async () => {
    const { id } = await crawl(service, `${site.origin}/`);
    let { revision } = (await ended(service, id)).at(-1);
    const seen: Canceled[] = [];
    for (const ms of MOMENTS_MS) {
      const release = held('/', START);
      expect((await service.api('POST', `/crawls/${id}/sync`)).status).toBe(202);
      seen.push(await canceledAfter(ms, id, revision));
      ({ revision } = seen.at(-1)!.end);
      release();
    }
    for (const one of seen) mustBePlain(one);
    expect(median(seen.map(({ took }) => took))).toBeLessThan(2_000);
    expect(service.output()).not.toContain('abandoned job');
  });

  it('of a job that has been claimed, and has not begun, is answered before it begins', async () => {
    const release = held('/robots.txt', '');
    const { id } = await crawl(service, `${site.origin}/`);
    await until(service, id, ['JobClaimed']);
    const canceled = canceledAfter(0, id, 1);
    await until(service, id, ['JobCancelRequested']);
    release();
    mustBePlain(await canceled);
    expect((await until(service, id, ['JobCanceled'])).map(({ type }) => type)).not.toContain('JobStarted');
  });
});
