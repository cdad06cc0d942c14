import type { DomainEvent } from '../../../../application/event-sourcing/domain-event.ts';
import { AGENT_RUN, AGENT_RUN_KEY, AGENT_THREAD } from './agent.ts';
import { INGESTION_SETTING, SOURCE } from './content.ts';
import { DATA_SOURCE } from './data-source.ts';
import type { DataOf } from './facts.ts';
import { AUTHZ, REDACTION_POLICY } from './policy.ts';
import { SECRET } from './secret.ts';
import { API_KEY, CONVERSATION, IDEMPOTENCY, TAG } from './tenant.ts';

/** The data of every event, as the log shows it. A new event does not compile without an entry. */
export const EVENT_DATA: DataOf<DomainEvent> = {
  ...DATA_SOURCE,
  ...INGESTION_SETTING,
  ...SOURCE,
  ...API_KEY,
  ...TAG,
  ...CONVERSATION,
  ...AUTHZ,
  ...REDACTION_POLICY,
  ...SECRET,
  ...IDEMPOTENCY,
  ...AGENT_THREAD,
  ...AGENT_RUN,
  ...AGENT_RUN_KEY,
};
