import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { createCheckpointMoves } from '../../../../adapters/postgres/projections/checkpoint-moves.ts';
import {
  createVersion,
  LostRace,
  liveVersion,
  moveCheckpoint,
  switchOver,
  type Version,
} from '../../../../adapters/postgres/projections/versions.ts';
import {
  apiKeyProjection,
  dataSourceProjection,
  ingestionSettingProjection,
} from '../../../../adapters/postgres/projections/views.ts';
import { openWorld, type World } from '../../../support/world.ts';

const VIEWS = [dataSourceProjection, ingestionSettingProjection, apiKeyProjection];
let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const open = async () => {
  world = await openWorld(VIEWS);
  const { db } = world;
  const versions: Version[] = [];
  for (const { view } of VIEWS) versions.push((await liveVersion(db, view))!);
  const positions = async () => {
    const { rows } = await sql<{ position: string; xmin: string }>`
      select position, xmin::text from projection_version where live order by view`.execute(db);
    return rows;
  };
  return { db, versions, positions, moves: createCheckpointMoves(db) };
};

describe('moves of checkpoints', () => {
  it('fail alone where somebody else was first', async () => {
    const { versions, moves, positions } = await open();
    await moves.move(versions[1]!, '', 'elsewhere');
    const ended = await Promise.allSettled(versions.map((version) => moves.move(version, '', 'p1')));
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(ended[1]).toMatchObject({ reason: expect.any(LostRace) });
    expect((await positions()).map(({ position }) => position)).toEqual(['p1', 'p1', 'elsewhere']);
  });

  it('fail for a version that was replaced, though its row is still there', async () => {
    const { db, versions, moves } = await open();
    const [replaced, ...others] = versions;
    const next = await createVersion(db, VIEWS[0]!, false);
    expect(await switchOver(db, VIEWS[0]!, next)).toBe(true);
    const ended = await Promise.allSettled(versions.map((version) => moves.move(version, '', 'p1')));
    expect(ended.map(({ status }) => status)).toEqual(['rejected', ...others.map(() => 'fulfilled')]);
    await expect(moveCheckpoint(db, replaced!, '', 'p1')).rejects.toThrow(LostRace);
  });

  it('do not wait for one whose row is held', async () => {
    const { db, versions, moves } = await open();
    const held = versions[0]!;
    let waited: Promise<unknown> = Promise.resolve();
    await db.transaction().execute(async (trx) => {
      await sql`select from projection_version where view = ${held.view} for update`.execute(trx);
      waited = moves.move(held, '', 'p1');
      await Promise.all(versions.slice(1).map((version) => moves.move(version, '', 'p1')));
      expect((await liveVersion(trx as unknown as typeof db, held.view))?.position).toBe('');
    });
    await waited;
    expect((await liveVersion(db, held.view))?.position).toBe('p1');
  });
});
