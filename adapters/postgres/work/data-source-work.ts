import { sql } from 'kysely';
import { INGESTION_JOB, INGESTION_PURGE } from '../../../application/sources/ingestion/kinds-of-work.ts';
import {
  CANCELING_LIMIT,
  JOB_LIMIT,
  MANAGED_SILENCE_LIMIT,
  STARTING_LIMIT,
} from '../../../domain/data-source/index.ts';
import type { WorkKind } from './work-kind.ts';

const inStatus = (status: string, now: number) => sql`
  select id, tenant, status_since as since from read.data_source
  where status = ${sql.lit(status)} and not_before <= ${now}`;

const CLAIM = sql`jsonb_build_object('status', status, 'job_id', doc->'job_id', 'epoch', doc->'epoch')`;

/**
 * Queued jobs whose back-off has passed; those that were claimed, until they have ended. Of those that are done outside
 * nobody holds a lease: they are found once a limit has passed alone.
 */
const jobs: WorkKind = {
  kind: INGESTION_JOB,
  owed: (now) => inStatus('queued', now),
  underWay: (now) => sql`
    select id, tenant,
      status_since <= case status when 'starting' then ${now - STARTING_LIMIT}::bigint
        when 'started' then ${now - JOB_LIMIT}::bigint else ${now - CANCELING_LIMIT}::bigint end as overdue,
      ${CLAIM} as claim
    from read.data_source where status in ('starting', 'started', 'canceling')
      and (kind <> 'push' or status_since <= ${now - CANCELING_LIMIT}::bigint)
    union all
    select id, tenant, true as overdue, ${CLAIM} as claim
    from read.data_source
    where status = 'managed' and (doc->>'heard_at')::bigint <= ${now - MANAGED_SILENCE_LIMIT}::bigint`,
};

/** Deletions that were accepted. */
const purges: WorkKind = { kind: INGESTION_PURGE, owed: (now) => inStatus('deleting', now) };

/** What data sources owe, by their view: it is the list of work. */
export const dataSourceWork: readonly [WorkKind, WorkKind] = [jobs, purges];
