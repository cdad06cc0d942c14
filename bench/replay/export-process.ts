// A process that exports the log of a database to a file, and tells how long it took and how much memory.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openExport } from '../../adapters/exports/open-export.ts';
import { createDatabase, type DatabaseAddress } from '../../adapters/postgres/connection.ts';
import { createPostgresEventFeed } from '../../adapters/postgres/event-feed.ts';
import { createWakeUp } from '../../adapters/postgres/events/wake-up.ts';
import { createLogTree } from '../../adapters/postgres/log-tree/log-tree.ts';
import { sha256Bytes } from '../../adapters/system/proof.ts';
import { exportLog } from '../../application/audit/export-log.ts';
import { BEGINNING } from '../../application/ports/event-store.ts';

process.once('message', ({ address, format }: { address: DatabaseAddress; format: string }) => {
  void (async () => {
    const path = await mkdtemp(join(tmpdir(), 'knowledger-bench-export-'));
    const database = createDatabase({ ...address, poolSize: 10 });
    const feed = createPostgresEventFeed({ pool: database.pool, wakeUp: createWakeUp(database) });
    const begun = performance.now();
    const before = process.cpuUsage();
    const file = await openExport(join(path, `log.${format}`), { filter: {}, after: BEGINNING });
    const deps = {
      feed,
      tree: createLogTree(database.db),
      sha256: sha256Bytes,
      redactTextFor: async () => (text: string) => text,
    };
    for await (const page of exportLog(deps, {}, BEGINNING)) await file.write(page);
    const { events } = await file.close();
    const { user, system } = process.cpuUsage(before);
    process.send?.({
      events,
      seconds: (performance.now() - begun) / 1000,
      processorSeconds: (user + system) / 1e6,
      megabytes: (process.resourceUsage().maxRSS * 1024) / 1e6,
      path,
    });
  })();
});
process.on('disconnect', () => process.exit());
