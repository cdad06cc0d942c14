import { agentRun } from '../../domain/agent-run/index.ts';
import { agentThread } from '../../domain/agent-thread/decider.ts';
import { apiKey } from '../../domain/api-key/decider.ts';
import { authzPolicy, authzSubject } from '../../domain/authz/decider.ts';
import { conversation } from '../../domain/conversation/index.ts';
import { dataSource } from '../../domain/data-source/index.ts';
import { ingestionSetting } from '../../domain/ingestion-setting/index.ts';
import { redactionPolicy } from '../../domain/redaction/index.ts';
import { secret } from '../../domain/secret/decider.ts';
import { source } from '../../domain/source/decider.ts';
import { tag } from '../../domain/tag/decider.ts';
import { agentRunKey } from '../../domain/idempotency/agent-run-key.ts';
import { completionKey } from '../../domain/idempotency/completion-key.ts';
import { idempotencyKey } from '../../domain/idempotency/request-key.ts';

/** Every aggregate that this program writes: events, stored names and categories are of these. */
export const AGGREGATES = [
  dataSource,
  ingestionSetting,
  source,
  apiKey,
  conversation,
  tag,
  redactionPolicy,
  authzPolicy,
  authzSubject,
  secret,
  agentThread,
  agentRun,
  idempotencyKey,
  completionKey,
  agentRunKey,
] as const;
