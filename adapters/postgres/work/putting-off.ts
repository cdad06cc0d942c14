import { sql } from 'kysely';
import type { Lease, PutOff, WorkLeases } from '../../../application/ports/leases.ts';
import { createMicroBatch } from '../batching.ts';
import { PREPARED, unnested } from '../prepared-statements.ts';
import type { Sql } from '../database-schema.ts';

interface Given {
  readonly owner: string;
  readonly lease: Lease;
  readonly pause: PutOff;
}

/** `WorkLeases.putOff`: what several pieces of work that end together give back goes in one statement. */
export const createPuttingOff = (db: Sql): WorkLeases['putOff'] => {
  const putOff = createMicroBatch({
    send: async (given: readonly Given[]) => {
      const columns = unnested([
        ['uuid', given.map(({ lease }) => lease.id)],
        ['text', given.map(({ owner }) => owner)],
        ['bigint', given.map(({ lease }) => Number(lease.token))],
        ['float8', given.map(({ pause }) => pause.ms)],
        ['int', given.map(({ pause }) => (pause.transient ? 0 : 1))],
      ]);
      await sql`
        update work.work_lease l set until = now(), not_before = now() + g.ms * interval '1 millisecond',
          lasting = l.lasting + g.lasting
        from ${columns} g (id, owner, token, ms, lasting)
        where l.id = g.id and l.owner = g.owner and l.token = g.token ${PREPARED}`.execute(db);
      return given;
    },
  });
  return async (owner, lease, pause) => void (await putOff({ owner, lease, pause }));
};
