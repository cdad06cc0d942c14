import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectEmbeddedPostgres } from '../../adapters/embedded-postgres/server.ts';
import { createDatabase } from '../../adapters/postgres/connection.ts';
import { createPostgresEventStore } from '../../adapters/postgres/event-store.ts';
import { createWakeUp } from '../../adapters/postgres/events/wake-up.ts';
import type { NewEvent } from '../../application/ports/event-store.ts';
import { openJourney } from '../support/journey.ts';
import { eventOf } from '../support/log-proof.ts';
import type { Service } from '../support/service.ts';

const EVENTS = 10_000;
const EVENTS_OF_A_STREAM = 100;

describe('an export whose process is killed', { timeout: 180_000 }, () => {
  const journey = openJourney();
  let service: Service;
  let folder: string;
  beforeAll(async () => {
    service = await journey.service();
    folder = await mkdtemp(join(tmpdir(), 'knowledger-killed-export-'));
    const { body } = await service.api('GET', '/events?order=desc&limit=1', undefined, {
      accept: 'application/x-ndjson',
    });
    const position = await fill(
      (JSON.parse(body) as { readonly actor: { readonly tenant: string } }).actor.tenant,
    );
    await service.api('GET', '/audit/checkpoint', undefined, { 'x-min-position': position });
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Appends to streams that no view of records reads. */
  const fill = async (tenant: string): Promise<string> => {
    const address = await connectEmbeddedPostgres({ dataDir: join(service.dataDir, 'postgres') });
    const database = createDatabase({ ...address!, poolSize: 4 });
    const wakeUp = createWakeUp(database);
    const store = createPostgresEventStore({ pool: database.pool, wakeUp });
    let last = '';
    for (let n = 0; n < EVENTS; n += EVENTS_OF_A_STREAM) {
      const events = Array.from({ length: EVENTS_OF_A_STREAM }, (_, at) => eventOf(tenant, { n: n + at }));
      const stream = `idempotency-${crypto.randomUUID()}`;
      ({ position: last } = await store.append(stream, 'none', events as [NewEvent, ...NewEvent[]]));
    }
    await wakeUp.close();
    await database.close();
    return last;
  };

  /** What an export has on the disk that it had not when it started. */
  const progressOf = async (path: string): Promise<string> => {
    const state = await readFile(`${path}.state.json`, 'utf8').catch(() => '');
    const parts = path.endsWith('.parquet') ? await readdir(path).catch(() => []) : [];
    return /"events":0/.test(state) && parts.length === 0 ? '' : state + parts.join(' ');
  };

  /** Exports; kills the process each time when it has written something, up to three times. */
  const exportedWithKills = async (path: string): Promise<number> => {
    for (let kills = 0; ; kills++) {
      const before = await progressOf(path);
      const child = service.started('events', 'export', path);
      const exit = once(child, 'exit');
      if (kills < 3) {
        while (child.exitCode === null && (await progressOf(path)) === before) await pause(1);
        child.kill('SIGKILL');
      }
      const [code] = (await exit) as [number | null];
      if (code === 0) return kills;
      expect(code).toBeNull();
    }
  };

  const rowsOf = async (path: string): Promise<unknown> => {
    if (!path.endsWith('.parquet')) return readFile(path, 'utf8');
    const rows: unknown[] = [];
    for (const part of (await readdir(path)).filter((name) => name.endsWith('.parquet')).toSorted())
      rows.push(
        ...(await parquetReadObjects({
          file: await asyncBufferFromFile(join(path, part)),
          compressors: { ZSTD: (bytes) => new Uint8Array(zstdDecompressSync(bytes)) },
        })),
      );
    return rows;
  };

  it.each(['ndjson', 'csv', 'parquet'])(
    'has the same events as one that was left alone, once it is called again: %s',
    async (format) => {
      const [whole, killed] = ['whole', 'killed'].map((name) => join(folder, `${name}.${format}`)) as [
        string,
        string,
      ];
      expect((await service.command('events', 'export', whole)).code).toBe(0);
      expect(await exportedWithKills(killed)).toBeGreaterThan(0);
      expect(await rowsOf(killed)).toEqual(await rowsOf(whole));
    },
  );
});
