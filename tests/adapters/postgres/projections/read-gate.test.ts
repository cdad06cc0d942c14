import { afterEach, describe, expect, it } from 'vitest';
import { createReadGate, createViewProgress } from '../../../../adapters/postgres/projections/read-gate.ts';
import { liveVersion, moveCheckpoint } from '../../../../adapters/postgres/projections/versions.ts';
import {
  dataSourceProjection,
  ingestionSettingProjection,
} from '../../../../adapters/postgres/projections/views.ts';
import { openWorld, type World } from '../../../support/world.ts';

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const open = async () => {
  world = await openWorld([dataSourceProjection, ingestionSettingProjection]);
  const progress = createViewProgress();
  const { db, pool } = world;
  let questions = 0;
  pool.on('acquire', () => (questions += 1));
  return { db, progress, gate: createReadGate(db, progress), questions: () => questions };
};

const VIEWS = ['data_source', 'ingestion_setting'] as const;

describe('the read gate', () => {
  it('asks nobody about views that this process moves, and opens when they have come so far', async () => {
    const { progress, gate, questions } = await open();
    const before = questions();
    progress.moved('data_source', 'p2');
    progress.moved('ingestion_setting', 'p1');
    const waiting = gate.reached(VIEWS, 'p2', 60_000);
    progress.moved('ingestion_setting', 'p2');
    expect(await waiting).toBe(true);
    expect(await gate.reached(VIEWS, 'p1', 0)).toBe(true);
    expect(questions()).toBe(before);
  });

  it('asks the database as soon as a view is left to others', async () => {
    const { db, progress, gate } = await open();
    for (const view of VIEWS) progress.moved(view, 'p1');
    const waiting = gate.reached(VIEWS, 'p2', 60_000);
    for (const view of VIEWS) await moveCheckpoint(db, (await liveVersion(db, view))!, '', 'p2');
    progress.left('data_source');
    expect(await waiting).toBe(true);
  });

  it('gives the last word to the database, where another process may be further', async () => {
    const { db, progress, gate } = await open();
    for (const view of VIEWS) {
      progress.moved(view, 'p1');
      await moveCheckpoint(db, (await liveVersion(db, view))!, '', 'p2');
    }
    expect(await gate.reached(VIEWS, 'p2', 0)).toBe(true);
    expect(await gate.reached(VIEWS, 'p3', 0)).toBe(false);
  });

  it('stays closed for a view that is not made yet', async () => {
    const { db, gate } = await open();
    for (const view of VIEWS) await moveCheckpoint(db, (await liveVersion(db, view))!, '', 'p2');
    expect(await gate.reached(VIEWS, 'p2', 0)).toBe(true);
    expect(await gate.reached([...VIEWS, 'search'], 'p2', 0)).toBe(false);
  });

  it('closes early when the caller has gone', async () => {
    const { progress, gate } = await open();
    for (const view of VIEWS) progress.moved(view, 'p1');
    const gone = new AbortController();
    const waiting = gate.reached(VIEWS, 'p2', 60_000, gone.signal);
    gone.abort();
    expect(await waiting).toBe(false);
  });
});
