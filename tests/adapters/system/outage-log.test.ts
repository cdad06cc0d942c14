import { describe, expect, it } from 'vitest';
import { createOutageLog } from '../../../adapters/system/console-logger.ts';
import type { LogFields } from '../../../application/ports/logger.ts';

const setUp = () => {
  const world = { now: 1_000_000, since: null as number | null };
  const told: (readonly [string, string, unknown])[] = [];
  const note = (level: string) => (message: string, fields?: LogFields) =>
    void told.push([level, message, fields?.['error']]);
  const base = { info: note('info'), warn: note('warn'), error: note('error') };
  const { log, summary } = createOutageLog(
    base,
    () => world.since,
    () => world.now,
  );
  return { world, told, log, summary };
};

describe('the log in an outage', () => {
  it('tells each warning once, from a moment before the outage was noticed to its end, and counts the others', () => {
    const { world, told, log, summary } = setUp();
    log.warn('will look again', { error: 'connect ECONNREFUSED 127.0.0.1:5432' });
    world.now += 2_500;
    world.since = world.now - 2_500;
    for (let i = 0; i < 1_000; i += 1) {
      world.now += 1_000;
      log.warn('will look again', { error: `connect ECONNREFUSED 127.0.0.1:${5_000 + i}` });
      log.warn('will go on', { view: `view ${i}`, error: 'away' });
    }
    expect(told).toEqual([
      ['warn', 'will look again', 'connect ECONNREFUSED 127.0.0.1:5432'],
      ['warn', 'will go on', 'away'],
    ]);
    expect(summary()).toEqual({ warnings_left_out: 1_999 });
    expect(summary()).toEqual({});
    world.since = world.now + 20_000;
    world.now = world.since + 1;
    log.warn('will go on', { error: 'away' });
    expect(told).toHaveLength(3);
  });

  it('tells a warning again after a second while nothing is away', () => {
    const { world, told, log } = setUp();
    for (const pause of [0, 900, 99, 2]) {
      world.now += pause;
      log.warn('a provider failed', { error: 'busy' });
    }
    expect(told).toHaveLength(2);
  });

  it('always tells errors, and warnings that are about no error', () => {
    const { told, log } = setUp();
    for (let i = 0; i < 3; i += 1) {
      log.error('job broke', { error: 'no such column' });
      log.warn('abandoned job', { data_source_id: String(i) });
      log.info('rebuilding', { view: 'tag' });
    }
    expect(told).toHaveLength(9);
  });
});
