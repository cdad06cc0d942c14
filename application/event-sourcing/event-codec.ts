import type { DomainEvent, ProjectedEvent } from './aggregates.ts';
import type { Actor, CommandContext, EventMetadata } from '../ports/event-metadata.ts';
import { camelKeys, snakeKeys } from '../../domain/shared/key-case.ts';
import type { JsonObject, NewEvent, RecordedEvent } from '../ports/event-store.ts';

/** Converts the JSON data of one stored version to the next. Pure. */
type Upcaster = (data: JsonObject) => JsonObject;

/**
 * How an event type is stored. A name never changes: a breaking change of shape needs a new stored name and an
 * upcaster.
 */
interface Stored {
  /** Name of newly written events. */
  readonly name: string;
  readonly schemaVersion: number;
  /** Older stored names, oldest first, each with the upcaster to the next one. */
  readonly earlier?: readonly { readonly name: string; readonly upcast: Upcaster }[];
}

const first = (name: string): Stored => ({ name, schemaVersion: 1 });

/** The stored name of every event type. A new event type does not compile without an entry. */
export const STORED: { readonly [T in DomainEvent['type']]: Stored } = {
  DataSourceRegistered: first('DataSourceRegistered'),
  JobQueued: first('JobQueued'),
  JobClaimed: first('JobClaimed'),
  JobHandedOff: first('JobHandedOff'),
  JobStarted: first('JobStarted'),
  JobProgressed: first('JobProgressed'),
  JobSucceeded: first('JobSucceeded'),
  JobFailed: first('JobFailed'),
  JobRequeued: first('JobRequeued'),
  JobCancelRequested: first('JobCancelRequested'),
  JobCanceled: first('JobCanceled'),
  DataSourceDeletionRequested: first('DataSourceDeletionRequested'),
  DataSourceDeleted: first('DataSourceDeleted'),
  DataSourceDeletionFailed: first('DataSourceDeletionFailed'),
  JobStatusLost: first('JobStatusLost'),
  JobStatusReconciled: first('JobStatusReconciled'),
  FilesUploaded: first('FilesUploaded'),
  ScheduleTickSkipped: first('ScheduleTickSkipped'),
  IngestionSettingCreated: first('IngestionSettingCreated'),
  IngestionSettingRenamed: first('IngestionSettingRenamed'),
  IngestionParametersChanged: first('IngestionParametersChanged'),
  ScheduleSet: first('ScheduleSet'),
  ScheduleRemoved: first('ScheduleRemoved'),
  SourceIndexed: first('SourceIndexed'),
  SourceSkipped: first('SourceSkipped'),
  SourceFailed: first('SourceFailed'),
  SourceRemoved: first('SourceRemoved'),
  SourceMetadataReplaced: first('SourceMetadataReplaced'),
  SourceMetadataDeleted: first('SourceMetadataDeleted'),
  ApiKeyIssued: first('ApiKeyIssued'),
  ApiKeyRotated: first('ApiKeyRotated'),
  ApiKeyRevoked: first('ApiKeyRevoked'),
  TagCreated: first('TagCreated'),
  TagChanged: first('TagChanged'),
  TagDeleted: first('TagDeleted'),
  TagBound: first('TagBound'),
  TagUnbound: first('TagUnbound'),
  ConversationStarted: first('ConversationStarted'),
  UserMessageAdded: first('UserMessageAdded'),
  AnswerBegun: first('AnswerBegun'),
  AnswerFinished: first('AnswerFinished'),
  AnswerFailed: first('AnswerFailed'),
  ConversationDeleted: first('ConversationDeleted'),
  RedactionPolicyCreated: first('RedactionPolicyCreated'),
  RedactionPolicyChanged: first('RedactionPolicyChanged'),
  RedactionPolicyDeleted: first('RedactionPolicyDeleted'),
  AuthzPolicyCreated: first('AuthzPolicyCreated'),
  AuthzPolicyChanged: first('AuthzPolicyChanged'),
  AuthzPolicyDeleted: first('AuthzPolicyDeleted'),
  AuthzAttributesSet: first('AuthzAttributesSet'),
  AuthzAttributesDeleted: first('AuthzAttributesDeleted'),
  SecretCreated: first('SecretCreated'),
  SecretChanged: first('SecretChanged'),
  SecretValueReplaced: first('SecretValueReplaced'),
  SecretRenewed: first('SecretRenewed'),
  SecretAttached: first('SecretAttached'),
  SecretDetached: first('SecretDetached'),
  SecretDeleted: first('SecretDeleted'),
  WebhookCreated: first('WebhookCreated'),
  WebhookChanged: first('WebhookChanged'),
  WebhookEnabled: first('WebhookEnabled'),
  WebhookDisabled: first('WebhookDisabled'),
  WebhookSecretRotated: first('WebhookSecretRotated'),
  WebhookDeleted: first('WebhookDeleted'),
  AgentThreadStarted: first('AgentThreadStarted'),
  RunAdmitted: first('RunAdmitted'),
  AgentThreadDeleted: first('AgentThreadDeleted'),
  RunQueued: first('RunQueued'),
  RunStarted: first('RunStarted'),
  RunHandedOver: first('RunHandedOver'),
  RunEmitted: first('RunEmitted'),
  RunSucceeded: first('RunSucceeded'),
  RunFailed: first('RunFailed'),
  RunCancelRequested: first('RunCancelRequested'),
  RunCancelled: first('RunCancelled'),
  AgentRunKeyClaimed: first('AgentRunKeyClaimed'),
  AgentRunKeyReleased: first('AgentRunKeyReleased'),
  CompletionKeyClaimed: first('CompletionKeyClaimed'),
  IdempotencyKeyClaimed: first('IdempotencyKeyClaimed'),
  IdempotencyKeyReleased: first('IdempotencyKeyReleased'),
  IdempotencyKeyUsed: first('IdempotencyKeyUsed'),
};

/** A stored event has a type that this version of the program does not know: a newer version wrote it. */
export class UnknownEventType extends Error {
  override readonly name = 'UnknownEventType';
}

export interface EventCodec {
  readonly encode: (event: DomainEvent, id: string, context: CommandContext) => NewEvent;
  /** The event type with this stored name, or null if it is unknown. */
  readonly typeOf: (storedName: string) => string | null;
  /** @throws UnknownEventType */
  readonly decode: (recorded: Pick<RecordedEvent, 'type' | 'data'>) => DomainEvent;
}

export const createEventCodec = (stored: { readonly [type: string]: Stored } = STORED): EventCodec => {
  const readers = readersOf(stored);
  return {
    encode: (event, id, context) => {
      const { type, ...data } = event;
      const { name, schemaVersion } = stored[type] ?? unknown(type);
      return {
        id,
        type: name,
        data: snakeKeys(data) as JsonObject,
        metadata: metadataOf(context, schemaVersion),
      };
    },
    typeOf: (storedName) => readers.get(storedName)?.type ?? null,
    decode: ({ type, data }) => {
      const read = readers.get(type) ?? unknown(type);
      return { ...(camelKeys(read.upcast(data)) as object), type: read.type } as DomainEvent;
    },
  };
};

const readersOf = (stored: {
  readonly [type: string]: Stored;
}): ReadonlyMap<string, { readonly type: string; readonly upcast: Upcaster }> => {
  const readers = new Map<string, { type: string; upcast: Upcaster }>();
  for (const [type, { name, earlier = [] }] of Object.entries(stored)) {
    readers.set(name, { type, upcast: (data) => data });
    for (const [i, { name: old }] of earlier.entries()) {
      const steps = earlier.slice(i);
      readers.set(old, { type, upcast: (data) => steps.reduce((shape, step) => step.upcast(shape), data) });
    }
  }
  return readers;
};

const unknown = (type: string): never => {
  throw new UnknownEventType(`this version of the program does not know event type ${type}`);
};

const metadataOf = (context: CommandContext, schemaVersion: number): JsonObject => ({
  tenant: context.tenant,
  actor: actorOf(context.actor),
  $correlationId: context.correlationId,
  $causationId: context.causationId,
  ...(context.traceparent !== undefined && { traceparent: context.traceparent }),
  ...(context.tracestate !== undefined && { tracestate: context.tracestate }),
  schemaVersion,
});

const actorOf = ({ kind, id, name }: Omit<Actor, 'name'> & { readonly name?: string | undefined }) => ({
  kind,
  id,
  ...(name !== undefined && { name }),
});

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Whether this program, of whatever version, has written the event: other programs may write to streams that are named
 * like ours.
 */
export const carriesOurMarks = ({ metadata }: Pick<RecordedEvent, 'metadata'>): boolean => {
  const { tenant, actor, $correlationId, $causationId, schemaVersion } = metadata;
  const { id } = (actor ?? {}) as { readonly id?: unknown };
  return (
    typeof schemaVersion === 'number' &&
    isFilled(tenant) &&
    isFilled(id) &&
    isFilled($correlationId) &&
    isFilled($causationId)
  );
};
const isFilled = (text: unknown): boolean => typeof text === 'string' && text !== '';

/** Whether the stream of an event is named by the id of an aggregate or of its tenant, as streams of ours are. */
export const hasOurId = ({ stream, metadata }: Pick<RecordedEvent, 'stream' | 'metadata'>): boolean => {
  const id = streamIdOf(stream);
  return UUID.test(id) || id === metadata['tenant'];
};

/** Whether an event belongs to the log of its tenant: this program wrote it, to a stream that is named like ours. */
export const isOurs = (event: Pick<RecordedEvent, 'stream' | 'metadata'>): boolean =>
  carriesOurMarks(event) && hasOurId(event);

/** Reads stored metadata. Tolerates missing fields, because other programs may write to the same store. */
export const readMetadata = (metadata: JsonObject): EventMetadata => {
  const text = (key: string): string => (typeof metadata[key] === 'string' ? metadata[key] : '');
  const { kind = 'system', id = '', name } = (metadata['actor'] ?? {}) as Partial<Actor>;
  return {
    tenant: text('tenant'),
    actor: actorOf({ kind, id, name }),
    correlationId: text('$correlationId'),
    causationId: text('$causationId'),
    ...(text('traceparent') !== '' && { traceparent: text('traceparent') }),
    ...(text('tracestate') !== '' && { tracestate: text('tracestate') }),
    schemaVersion: typeof metadata['schemaVersion'] === 'number' ? metadata['schemaVersion'] : 1,
  };
};

/** The id of the stream's aggregate: the part after the category. */
export const streamIdOf = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

/** Returns null if this version does not know the type of the event. */
export const decodeKnown = (
  codec: EventCodec,
  recorded: Pick<RecordedEvent, 'type' | 'data'>,
): DomainEvent | null => {
  try {
    return codec.decode(recorded);
  } catch (error) {
    if (error instanceof UnknownEventType) return null;
    throw error;
  }
};

/** Decodes unknown types as UnknownEvent: see `isUnknown`. */
export const tolerantCodec = (codec: EventCodec): EventCodec => ({
  ...codec,
  decode: (recorded) => decodeKnown(codec, recorded) ?? ({ type: 'UnknownEvent' } as never),
});

/** @throws UnknownEventType */
export const project = (codec: EventCodec, recorded: RecordedEvent): ProjectedEvent => ({
  id: recorded.id,
  stream: recorded.stream,
  streamId: streamIdOf(recorded.stream),
  revision: recorded.revision,
  position: recorded.position,
  recordedAt: recorded.recordedAt,
  event: codec.decode(recorded),
  metadata: readMetadata(recorded.metadata),
});
