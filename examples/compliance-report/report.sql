-- A report on the last 90 days of the event log: six tables, each for one question of an auditor.
SET VARIABLE since = (SELECT max(recorded_at) - INTERVAL 90 DAY FROM events);

-- 1. Which keys are valid, who issued them, and what is remarkable about them?
SELECT k.name AS valid_key, k.scopes, k.issued_at, coalesce(a.name, k.issued_by) AS issued_by, k.expires_at,
  concat_ws(', ', CASE WHEN k.expires_at IS NULL THEN 'never expires' END,
    CASE WHEN list_contains(k.scopes, 'apikeys:issue') THEN 'may issue keys' END,
    CASE WHEN coalesce(k.rotated_at, k.issued_at) < getvariable('since') THEN 'not rotated' END) AS finding
FROM keys k LEFT JOIN actors a ON a.tenant = k.tenant AND a.id = k.issued_by
WHERE k.revoked_at IS NULL AND coalesce(k.expires_at > (SELECT max(recorded_at) FROM events), true)
ORDER BY k.issued_at;

-- 2. Who changed keys, secrets, policies and webhooks?
WITH changes AS (
  SELECT *, any_value(coalesce(data->>'name', data->>'url', data->>'principal_id'))
    OVER (PARTITION BY tenant, stream, data->>'key_id') AS name
  FROM events WHERE category IN ('apiKey', 'secret', 'authzPolicy', 'authzSubject', 'redactionPolicy', 'webhook'))
SELECT c.recorded_at AS changed_at, c.type AS change, c.name, coalesce(a.name, c.actor_id) AS changed_by, c.trace_id
FROM changes c LEFT JOIN actors a ON a.tenant = c.tenant AND a.kind = c.actor_kind AND a.id = c.actor_id
WHERE c.recorded_at >= getvariable('since')
ORDER BY c.position;

-- 3. What was to be deleted, and is it gone?
SELECT d.requested_at AS deletion_requested_at, d.what, coalesce(d.name, d.id) AS name,
  coalesce(a.name, d.deleted_by) AS deleted_by, d.gone_at,
  CASE WHEN d.gone_at IS NULL THEN 'not gone' WHEN d.took > INTERVAL 1 DAY THEN 'took more than a day' END AS finding
FROM deletions d LEFT JOIN actors a ON a.tenant = d.tenant AND a.kind = d.deleted_by_kind AND a.id = d.deleted_by
WHERE d.requested_at >= getvariable('since') OR d.gone_at IS NULL
ORDER BY d.requested_at;

-- 4. What is hidden from whom today?
SELECT arg_max(data->>'name', revision) AS redaction_policy, max(recorded_at) AS in_force_since,
  arg_max(CAST(data->'applies_to' AS varchar[]), revision) AS applies_to,
  arg_max(data->>'$.rules[*].kind', revision) AS hides
FROM events WHERE category = 'redactionPolicy'
GROUP BY tenant, stream HAVING count(*) FILTER (type = 'RedactionPolicyDeleted') = 0
ORDER BY in_force_since;

-- 5. Which people and keys wrote, and how much?
SELECT e.actor_kind AS writer, coalesce(a.name, e.actor_id) AS name, count(*) AS events, min(e.recorded_at) AS first_at,
  max(e.recorded_at) AS last_at
FROM events e LEFT JOIN actors a ON a.tenant = e.tenant AND a.kind = e.actor_kind AND a.id = e.actor_id
WHERE e.actor_kind IN ('person', 'api_key') AND e.recorded_at >= getvariable('since')
GROUP BY e.tenant, e.actor_kind, e.actor_id, a.name
ORDER BY events DESC, name;

-- 6. Are events of the log missing here? Their order and hashes are proved by docs/proofs.md.
SELECT tenant, count(*) AS events, max("index") + 1 AS size_of_the_log,
  CASE WHEN count("index") <> max("index") + 1 THEN 'incomplete' END AS finding
FROM events GROUP BY tenant ORDER BY tenant;
