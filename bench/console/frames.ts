import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { connectEmbeddedPostgres } from '../../adapters/embedded-postgres/server.ts';
import { createDatabase } from '../../adapters/postgres/connection.ts';
import { chromiumHere } from '../../tests/support/chromium.ts';
import { startService } from '../../tests/support/service.ts';
import type { Bench, Result } from '../bench.ts';
import { percentile } from '../measuring/side-by-side.ts';

const SIZES = { sources: 10_000, events: 1_000_000 };
/** How long each list is scrolled. */
const SCROLL_MS = 8_000;
const AIM_MS = 200;

/**
 * The longest time between two frames while long lists of the console are scrolled in Chromium, beside that of a page of
 * plain text, which does nothing.
 */
export const consoleBench: Bench = {
  name: 'console',
  needs: [],
  measure: async function* measure({ quick, cleanup }) {
    const found = await chromiumHere();
    if (found === null) throw new Error('there is no Chromium that runs here');
    const { sources, events } = quick ? { sources: 200, events: 2_000 } : SIZES;
    const service = await startService({ KNOWLEDGER_LOG_LEVEL: 'warn', KNOWLEDGER_CONSOLE: 'on' });
    cleanup.defer(() => service.dispose());
    let made = 0;
    const makeSources = async (): Promise<void> => {
      for (; made < sources;) {
        const { status } = await service.api('POST', '/pushes', { name: `Source ${(made += 1)}` });
        if (status !== 201) throw new Error(`POST /pushes answered ${status}`);
      }
    };
    await Promise.all(Array.from({ length: 16 }, makeSources));
    await fillLog(service.dataDir, events);
    const browser = await chromium.launch({ executablePath: found.path, chromiumSandbox: false });
    cleanup.defer(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
    await page.setContent(`<p>${'plain text '.repeat(200_000)}</p>`);
    const rival = await scrolled(page);
    await page.goto(`${service.base}/console#key=${service.key}`);
    // Signed in.
    await page.locator('nav').first().waitFor({ timeout: 120_000 });
    for (const [name, path, count] of [
      ['10,000 sources', '/console/sources', sources],
      ['1,000,000 events', '/console/events', events],
    ] as const) {
      await page.goto(`${service.base}${path}`);
      await page.getByRole('row').nth(10).waitFor({ timeout: 120_000 });
      const frames = await scrolled(page);
      const pixels = await page.locator('.rows-body').evaluate((list) => list.scrollTop);
      yield { ...told(`scrolling ${name}`, frames, rival), rows: count, pixels };
    }
  },
};

/** Events of no consequence before all others: no view looks at them again. */
const fillLog = async (dataDir: string, events: number): Promise<void> => {
  const connection = await connectEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') });
  if (connection === null) throw new Error('the Postgres of the program does not answer');
  const { pool, close } = createDatabase({ ...connection, poolSize: 1, statementTimeoutMs: 0 });
  await pool.query(
    `INSERT INTO es.events (tx, pos, stream, category, revision, event_id, type, data, metadata, recorded_at, tenant)
      SELECT 2, n, 'idempotency-' || md5((n / 1000)::text)::uuid, 'idempotency', n % 1000, gen_random_uuid(),
        'IdempotencyKeyUsed', '{}', '{}', 1790000000000 + n, t.tenant
      FROM generate_series(1, $1::int) AS n, (SELECT tenant FROM es.events WHERE tenant IS NOT NULL LIMIT 1) AS t`,
    [events],
  );
  await pool.query('VACUUM ANALYZE es.events');
  await close();
};

/** Times between frames in milliseconds, while a wheel turns. */
const scrolled = async (page: Page): Promise<readonly number[]> => {
  await page.evaluate(() => {
    const { requestAnimationFrame } = globalThis as unknown as {
      requestAnimationFrame: (next: (now: number) => void) => void;
    };
    const frames: number[] = [];
    let last = performance.now();
    const next = (now: number): void => {
      frames.push(now - last);
      last = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    Object.assign(globalThis, { frames });
  });
  await page.mouse.move(700, 600);
  for (const end = Date.now() + SCROLL_MS; Date.now() < end;) {
    await page.mouse.wheel(0, 600);
    await page.waitForTimeout(16);
  }
  return page.evaluate(() => (globalThis as unknown as { frames: number[] }).frames.slice(2));
};

const told = (bench: string, ours: readonly number[], rival: readonly number[]): Result => {
  const [longest, plain] = [Math.max(...ours), Math.max(...rival)];
  return {
    bench,
    ratio: longest / plain,
    ours: longest,
    rival: plain,
    unit: 'ms, longest frame',
    measured: 'over HTTP',
    target: `<= ${AIM_MS} ms`,
    met: longest <= AIM_MS,
    p95: { ours: percentile(ours, 0.95), rival: percentile(rival, 0.95) },
    rival_is: 'a page of two megabytes of plain text',
  };
};
