import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase } from '../adapters/postgres/connection.ts';
import { createDueSchedules } from '../adapters/postgres/work/data-source-work.ts';
import type { Service } from '../tests/support/service.ts';
import type { Site } from '../tests/support/site.ts';
import { checkAnswers } from './check-answers.ts';
import { checkCommands } from './check-commands.ts';
import { checkLeftovers } from './check-leftovers.ts';
import { checkPages } from './check-pages.ts';
import { checkStreams } from './check-streams.ts';
import { checkViews } from './check-views.ts';
import { awaitRest, awaitTicks, checkWork } from './check-work.ts';
import type { Things } from './clients.ts';
import type { Found } from './faults.ts';
import type { Fleet } from './fleet.ts';
import { type Log, readLog } from './log.ts';
import type { StressOptions } from './stress.ts';

/** Lets the service come to rest, and looks at everything that it has kept. */
export const checkAll = async (
  { store, dataDir, restMs, tell }: Pick<StressOptions, 'store' | 'dataDir' | 'restMs' | 'tell'>,
  fleet: Fleet,
  site: Site,
  { sent }: Things,
  found: Found,
): Promise<Log & { readonly successes: number }> => {
  const service = fleet.apis()[0];
  if (service === undefined) throw new Error('no API process runs');
  const { db, pool, close } = createDatabase({ connectionString: store.backing.database ?? '', poolSize: 3 });
  try {
    await awaitViews(service, found);
    tell('waiting until no tick is due and no job is under way');
    await awaitTicks(createDueSchedules(db), restMs, found);
    await awaitViews(service, found);
    await awaitRest(service, restMs, found);
    await checkWork(pool, fleet.running(), found);
    const log = await readLog(service);
    await awaitViews(service, found, log);
    tell(`checking ${sent.length} commands against ${log.events.length} events`);
    await store.checkStreams(log, found);
    checkStreams(log, found);
    checkCommands(sent, log, found);
    await checkAnswers(service, log, found);
    const successes = await checkPages(service, site, log, found);
    await checkLeftovers(pool, dataDir, log, found);
    tell('comparing the views with fresh ones');
    await checkViews(db, service, found);
    return { ...log, successes };
  } finally {
    await close();
  }
};

const VIEWS_MS = 60_000;

/** Waits until every list shows what is in the log now. */
const awaitViews = async (service: Service, found: Found, known?: Log): Promise<void> => {
  const { events } = known ?? (await readLog(service));
  const position = events.at(-1)?.position ?? '';
  const deadline = Date.now() + VIEWS_MS;
  for (const path of ['/crawls', '/sources', '/api-keys']) {
    for (;;) {
      const { status } = await service.api('GET', path, undefined, { 'x-min-position': position });
      if (status === 200) break;
      if (Date.now() > deadline) {
        found.stuck.push(`GET ${path} does not reach ${position}: ${status}`);
        break;
      }
      await pause(200);
    }
  }
};
