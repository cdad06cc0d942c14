import { agentRun } from '../../domain/agent-run/index.ts';
import { agentThread } from '../../domain/agent-thread/decider.ts';
import { apiKey } from '../../domain/api-key/decider.ts';
import { authzPolicy, authzSubject } from '../../domain/authz/decider.ts';
import { conversation } from '../../domain/conversation/index.ts';
import { dataSource } from '../../domain/data-source/index.ts';
import { agentRunKey } from '../../domain/idempotency/agent-run-key.ts';
import { completionKey } from '../../domain/idempotency/completion-key.ts';
import { idempotencyKey } from '../../domain/idempotency/request-key.ts';
import { ingestionSetting } from '../../domain/ingestion-setting/index.ts';
import { redactionPolicy } from '../../domain/redaction/index.ts';
import { secret } from '../../domain/secret/decider.ts';
import { source } from '../../domain/source/decider.ts';
import { tag } from '../../domain/tag/decider.ts';
import { webhook } from '../../domain/webhook/decider.ts';
import type { EventMetadata } from '../ports/event-metadata.ts';
import type { Position } from '../ports/event-store.ts';

/** Every aggregate of this program; defines its events, their stored names and the stream categories. */
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
  webhook,
  agentThread,
  agentRun,
  idempotencyKey,
  completionKey,
  agentRunKey,
] as const;

/** Every event of this program, in its newest shape. */
export type DomainEvent = ReturnType<(typeof AGGREGATES)[number]['decide']>[number];

/** A decoded event as projections see it: the newest shape, whatever version was stored. */
export interface ProjectedEvent<E extends DomainEvent = DomainEvent> {
  readonly id: string;
  readonly stream: string;
  /** The part of the stream name after the category: the aggregate's id. */
  readonly streamId: string;
  readonly revision: bigint;
  readonly position: Position;
  /** When the store accepted the event, in Unix milliseconds. */
  readonly recordedAt: number;
  readonly event: E;
  readonly metadata: EventMetadata;
}

/**
 * Whether the event has a type that only a newer version of the program knows. Its data must not be read. A view
 * receives such events only if it declares that it accepts them.
 */
export const isUnknown = ({ event }: ProjectedEvent): boolean =>
  (event as { readonly type: string }).type === 'UnknownEvent';
