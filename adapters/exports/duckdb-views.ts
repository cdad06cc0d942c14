/** The id in the names of streams of a category. */
const idOf = (category: string, table = ''): string => `substr(${table}stream, ${category.length + 2})`;

/**
 * What analysts ask for, as views over the table `events`: they are as new as it is, and nothing is kept twice. Times are
 * UTC, `waiting` and `working` are intervals. Later views may use earlier ones.
 */
const VIEWS: Readonly<Record<string, string>> = {
  keys: `
    SELECT e.tenant, (e.data->>'key_id') AS key_id, any_value(e.data->>'name') AS name,
      any_value(CAST((e.data->'scopes') AS varchar[])) AS scopes,
      min(e.recorded_at) FILTER (e.type = 'ApiKeyIssued') AS issued_at,
      any_value(e.actor_id) FILTER (e.type = 'ApiKeyIssued') AS issued_by,
      any_value(epoch_ms(CAST((e.data->>'expires_at') AS bigint))) AS expires_at,
      max(e.recorded_at) FILTER (e.type = 'ApiKeyRotated') AS rotated_at,
      min(e.recorded_at) FILTER (e.type = 'ApiKeyRevoked') AS revoked_at
    FROM events e WHERE e.category = 'apiKey' GROUP BY ALL`,

  actors: `
    SELECT e.tenant, e.actor_kind AS kind, e.actor_id AS id,
      coalesce(any_value(k.name), arg_max((e.metadata->'actor'->>'name'), e.recorded_at)) AS name, count(*) AS events,
      min(e.recorded_at) AS first_seen, max(e.recorded_at) AS last_seen
    FROM events e
    LEFT JOIN keys k ON e.actor_kind = 'api_key' AND k.tenant = e.tenant AND k.key_id = e.actor_id
    GROUP BY ALL`,

  settings: `
    SELECT tenant, ${idOf('ingestionSetting')} AS setting_id, any_value(data->>'data_source_id') AS data_source_id,
      arg_max((data->>'name'), revision) FILTER ((data->>'name') IS NOT NULL) AS name,
      arg_max(coalesce((data->'schedule'->>'rrule'), ''), revision)
        FILTER (type IN ('IngestionSettingCreated', 'ScheduleSet', 'ScheduleRemoved')) AS last_rrule,
      nullif(last_rrule, '') AS rrule,
      arg_max((data->'parameters'), revision) FILTER ((data->'parameters') IS NOT NULL) AS parameters
    FROM events WHERE category = 'ingestionSetting' GROUP BY ALL`,

  data_sources: `
    WITH found AS (
      SELECT tenant, ${idOf('dataSource')} AS data_source_id,
        any_value(data->'subject') AS subject,
        any_value(data->>'ingestion_setting_id') AS setting_id,
        min(recorded_at) AS created_at,
        arg_min(actor_id, revision) AS created_by,
        min(recorded_at) FILTER (type = 'DataSourceDeleted') AS deleted_at
      FROM events WHERE category = 'dataSource' GROUP BY ALL)
    SELECT f.*, (f.subject->>'kind') AS kind, s.name, s.rrule,
      coalesce((f.subject->>'start_url'), (f.subject->>'repository'), (f.subject->>'folder_url'), (f.subject->>'page_id')) AS target
    FROM found f LEFT JOIN settings s USING (tenant, setting_id)`,

  jobs: `
    WITH of_jobs AS (
      SELECT *, ${idOf('dataSource')} AS data_source_id,
        coalesce((data->>'job_id'), (data->>'interrupted_job_id')) AS job_id,
        count(*) FILTER (type IN ('JobQueued', 'JobRequeued'))
          OVER (PARTITION BY tenant, stream, coalesce((data->>'job_id'), (data->>'interrupted_job_id')) ORDER BY revision)
          AS nth
      FROM events WHERE category = 'dataSource'),
    tries AS (
      SELECT tenant, data_source_id, job_id, nth,
        any_value(CAST((data->>'attempt') AS integer)) FILTER (type IN ('JobQueued', 'JobRequeued')) AS attempt,
        any_value(data->>'trigger') FILTER (type = 'JobQueued') AS first_trigger,
        any_value(data->>'mode') FILTER (type = 'JobQueued') AS first_mode,
        any_value(CAST((data->>'generation') AS integer)) FILTER (type = 'JobQueued') AS first_generation,
        any_value(actor_kind) FILTER (type = 'JobQueued') AS first_asked_by_kind,
        any_value(actor_id) FILTER (type = 'JobQueued') AS first_asked_by,
        min(recorded_at) FILTER (type IN ('JobQueued', 'JobRequeued')) AS queued_at,
        min(recorded_at) FILTER (type IN ('JobClaimed', 'JobHandedOff')) AS claimed_at,
        min(recorded_at) FILTER (type = 'JobStarted') AS started_at,
        any_value(data->>'worker_id') AS worker_id,
        bool_or(type = 'JobCancelRequested') AS cancel_requested,
        arg_min(CASE type WHEN 'JobSucceeded' THEN 'success' WHEN 'JobFailed' THEN 'failure' WHEN 'JobCanceled' THEN 'canceled'
          WHEN 'DataSourceDeletionRequested' THEN 'deleted' WHEN 'JobStatusLost' THEN 'unknown'
          WHEN 'JobStatusReconciled' THEN nullif((data->>'status'), 'managed') END, revision) AS last_outcome,
        min(recorded_at) FILTER (type IN ('JobSucceeded', 'JobFailed', 'JobCanceled', 'DataSourceDeletionRequested',
          'JobStatusLost') OR type = 'JobStatusReconciled' AND (data->>'status') <> 'managed') AS last_at,
        any_value(data->'error') FILTER (type <> 'JobRequeued') AS last_error,
        any_value(data->>'code') AS last_code,
        any_value(data->>'reason') FILTER (type = 'JobRequeued') AS queued_because,
        any_value(data->'error') FILTER (type = 'JobRequeued') AS queued_error,
        arg_max((data->'counts'), revision) FILTER ((data->'counts') IS NOT NULL) AS counts
      FROM of_jobs WHERE nth > 0 GROUP BY ALL)
    SELECT tenant, data_source_id, job_id, nth, attempt,
      first_value(first_trigger) OVER whole AS "trigger",
      first_value(first_mode) OVER whole AS mode,
      first_value(first_generation) OVER whole AS generation,
      first_value(first_asked_by_kind) OVER whole AS asked_by_kind,
      first_value(first_asked_by) OVER whole AS asked_by,
      queued_at, claimed_at, started_at,
      coalesce(last_at, lead(queued_at) OVER whole) AS ended_at,
      coalesce(claimed_at, ended_at) - queued_at AS waiting,
      ended_at - claimed_at AS working,
      coalesce(last_outcome, CASE WHEN lead(queued_at) OVER whole IS NOT NULL THEN 'requeued' END) AS outcome,
      coalesce(last_code, lead(queued_because) OVER whole) AS code,
      coalesce(last_error, lead(queued_error) OVER whole) AS error,
      (error->>'title') AS error_title, (error->>'message') AS error_message, worker_id, cancel_requested,
      CAST((counts->>'seen') AS bigint) AS seen, CAST((counts->>'indexed') AS bigint) AS indexed,
      CAST((counts->>'unchanged') AS bigint) AS unchanged, CAST((counts->>'skipped') AS bigint) AS skipped,
      CAST((counts->>'failed') AS bigint) AS failed, CAST((counts->>'bytes') AS bigint) AS bytes
    FROM tries
    WINDOW whole AS (PARTITION BY tenant, data_source_id, job_id ORDER BY nth
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)`,

  units: `
    SELECT tenant, ${idOf('source')} AS source_id, (data->>'data_source_id') AS data_source_id,
      nullif((data->>'job_id'), '') AS job_id, CAST((data->>'generation') AS integer) AS generation, recorded_at,
      CASE type WHEN 'SourceIndexed' THEN 'indexed' WHEN 'SourceSkipped' THEN 'skipped' WHEN 'SourceFailed' THEN 'failed'
        ELSE 'removed' END AS outcome,
      coalesce((data->>'code'), (data->>'reason')) AS reason, (data->>'message') AS message,
      (data->>'source_type') AS source_type, (data->>'locator') AS locator, (data->>'url') AS url,
      nullif(regexp_extract(coalesce((data->>'url'), (data->>'locator')), '^[a-z]+://([^/:?#]+)', 1), '') AS site,
      (data->>'title') AS title, (data->>'file_type') AS file_type, (data->>'language') AS language,
      CAST((data->'raw'->>'bytes') AS bigint) AS bytes, CAST((data->'chunk_set'->>'chunks') AS bigint) AS chunks
    FROM events WHERE type IN ('SourceIndexed', 'SourceSkipped', 'SourceFailed', 'SourceRemoved')`,

  runs: `
    SELECT tenant, ${idOf('agentRun')} AS run_id, any_value(data->>'thread_id') AS thread_id,
      any_value(data->>'parent_run_id') AS parent_run_id, any_value(data->>'workflow_type') AS workflow_type,
      any_value(data->>'provider') AS provider, any_value(data->>'principal_id') AS principal_id,
      any_value(data->>'key_id') AS asked_by,
      min(recorded_at) FILTER (type = 'RunQueued') AS queued_at,
      min(recorded_at) FILTER (type = 'RunStarted') AS started_at,
      min(recorded_at) FILTER (type IN ('RunSucceeded', 'RunFailed', 'RunCancelled')) AS ended_at,
      coalesce(started_at, ended_at) - queued_at AS waiting, ended_at - started_at AS working,
      any_value(CASE type WHEN 'RunSucceeded' THEN 'succeeded' WHEN 'RunFailed' THEN 'failed'
        WHEN 'RunCancelled' THEN 'cancelled' END) AS outcome,
      any_value(data->>'code') AS code,
      list(DISTINCT (data->'emission'->>'model')) FILTER ((data->'emission'->>'kind') = 'model_answered') AS models,
      count(*) FILTER ((data->'emission'->>'kind') = 'tool_called') AS tool_calls,
      coalesce(sum(CAST((data->'emission'->'usage'->>'input_tokens') AS bigint)), 0) AS input_tokens,
      coalesce(sum(CAST((data->'emission'->'usage'->>'output_tokens') AS bigint)), 0) AS output_tokens
    FROM events WHERE category = 'agentRun' GROUP BY ALL`,

  answers: `
    WITH conversations AS (
      SELECT tenant, stream, (data->>'principal_id') AS principal_id FROM events WHERE type = 'ConversationStarted')
    SELECT e.tenant, ${idOf('conversation', 'e.')} AS conversation_id, (e.data->>'message_id') AS message_id,
      any_value(c.principal_id) AS principal_id,
      any_value(e.actor_id) FILTER (e.type = 'AnswerBegun') AS asked_by,
      min(e.recorded_at) FILTER (e.type = 'AnswerBegun') AS begun_at,
      min(e.recorded_at) FILTER (e.type <> 'AnswerBegun') AS ended_at, ended_at - begun_at AS working,
      any_value(CASE e.type WHEN 'AnswerFinished' THEN 'finished' WHEN 'AnswerFailed' THEN 'failed' END) AS outcome,
      any_value(e.data->>'finish_reason') AS finish_reason, any_value(e.data->>'code') AS code,
      any_value(e.data->>'model') AS model,
      coalesce(any_value(CAST((e.data->'usage'->>'input_tokens') AS bigint)), 0) AS input_tokens,
      coalesce(any_value(CAST((e.data->'usage'->>'output_tokens') AS bigint)), 0) AS output_tokens
    FROM events e LEFT JOIN conversations c USING (tenant, stream)
    WHERE e.type IN ('AnswerBegun', 'AnswerFinished', 'AnswerFailed') GROUP BY ALL`,

  token_usage: `
    SELECT tenant, 'answer' AS used_for, message_id AS id, principal_id, asked_by, begun_at AS asked_at, input_tokens, output_tokens
    FROM answers
    UNION ALL
    SELECT tenant, 'run', run_id, principal_id, asked_by, queued_at, input_tokens, output_tokens FROM runs`,

  deletions: `
    WITH found AS (
      SELECT tenant, category AS what,
        coalesce((data->>'key_id'), (data->>'tag_id'), substr(stream, length(category) + 2)) AS id,
        arg_min(actor_kind, revision) AS deleted_by_kind, arg_min(actor_id, revision) AS deleted_by,
        min(recorded_at) AS requested_at,
        max(recorded_at) FILTER (type <> 'DataSourceDeletionRequested') AS gone_at,
        gone_at - requested_at AS took
      FROM events
      WHERE type IN ('DataSourceDeletionRequested', 'ApiKeyRevoked')
        OR suffix(type, 'Deleted') AND type <> 'SourceMetadataDeleted'
        OR type = 'SourceRemoved' AND (data->>'reason') = 'requested'
      GROUP BY ALL)
    SELECT f.*, coalesce(d.name, k.name) AS name, d.target
    FROM found f
    LEFT JOIN data_sources d ON f.what = 'dataSource' AND d.tenant = f.tenant AND d.data_source_id = f.id
    LEFT JOIN keys k ON f.what = 'apiKey' AND k.tenant = f.tenant AND k.key_id = f.id`,
};

export const CREATE_VIEWS: readonly string[] = Object.entries(VIEWS).map(
  ([name, query]) => `CREATE OR REPLACE VIEW ${name} AS ${query}`,
);
