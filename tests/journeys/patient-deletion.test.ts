import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { crawl, ended, gone, until } from '../support/crawls.ts';
import { inDatabase } from '../support/database.ts';
import { openJourney } from '../support/journey.ts';
import type { Service } from '../support/service.ts';
import { manyPages, type Site } from '../support/site.ts';

const journey = openJourney();
let service: Service;
let site: Site;
beforeAll(async () => {
  site = await journey.site(manyPages(5));
  service = await journey.service({
    KNOWLEDGER_ALLOW_ADDRESSES: site.host,
    KNOWLEDGER_LOG_LEVEL: 'warn',
    // So short that four tries would be over in seconds if they knew no pause of their own.
    KNOWLEDGER_LEASE_SECONDS: '3',
  });
}, 120_000);

const TRIES = 4;
const failures = (): number => service.output().split('deletion will be tried again').length - 1;

/** Ends every session that waits for the frontier until this many tries of the deletion have failed. */
const breakTries = (onLocked: () => void): Promise<void> =>
  inDatabase(service, ({ db }) =>
    db.transaction().execute(async (trx) => {
      await sql`lock table work.crawl_page in access exclusive mode`.execute(trx);
      onLocked();
      const end = () =>
        sql`select pg_terminate_backend(pid) from pg_locks
          where relation = 'work.crawl_page'::regclass and not granted`.execute(trx);
      await expect.poll(() => end().then(failures), { timeout: 90_000 }).toBeGreaterThanOrEqual(TRIES);
    }),
  );

describe('a deletion that the database fails', { timeout: 180_000 }, () => {
  it('goes on with pauses for as long as that may pass, and is told once for each try', async () => {
    const { id } = await crawl(service, `${site.origin}/`);
    await ended(service, id);
    const { promise: locked, resolve } = Promise.withResolvers<void>();
    const broken = breakTries(resolve);
    // A deletion that is quicker than the lock would not be broken.
    await Promise.race([locked, broken]);
    expect((await service.api('DELETE', `/crawls/${id}`)).status).toBe(202);
    await broken;
    const trail = await until(service, id, ['DataSourceDeleted', 'DataSourceDeletionFailed']);
    expect(trail.map(({ type }) => type).slice(-2)).toEqual([
      'DataSourceDeletionRequested',
      'DataSourceDeleted',
    ]);
    await gone(service, id);
    expect(failures()).toBe(TRIES);
    expect(service.output()).not.toContain('deletion failed');
  });
});
