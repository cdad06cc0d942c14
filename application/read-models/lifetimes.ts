import type { DomainEvent, ProjectedEvent } from '../event-sourcing/aggregates.ts';

/** What an event means for the lists of a tenant. */
export type LifetimeChange =
  /** A record begins, unless it already has. */
  | {
      readonly kind: 'begins';
      readonly list: string;
      readonly id: string;
      /** See `LifetimeFilter`; empty: none. */
      readonly owner: string;
      readonly parent: string;
    }
  | { readonly kind: 'ends'; readonly id: string }
  /** All records of these lists with this owner or parent end. */
  | { readonly kind: 'endsAll'; readonly lists: readonly string[]; readonly of: string };

const begins = (list: string, id: string, owner = '', parent = ''): LifetimeChange => ({
  kind: 'begins',
  list,
  id,
  owner,
  parent,
});
const ends = (id: string): LifetimeChange => ({ kind: 'ends', id });

type Meaning<Type> = (
  event: Extract<DomainEvent, { readonly type: Type }>,
  streamId: string,
) => LifetimeChange;

const endsStream = (_: unknown, streamId: string): LifetimeChange => ends(streamId);
const endsAll = (lists: readonly string[], of: string): LifetimeChange => ({ kind: 'endsAll', lists, of });
const sourceSeen = ({ dataSourceId }: { readonly dataSourceId: string }, id: string): LifetimeChange =>
  begins('source', id, dataSourceId);

/** Lists have the name of the kind of a data source, or of the record. All other events change a record at most. */
const MEANINGS: { readonly [Type in DomainEvent['type']]?: Meaning<Type> } = {
  DataSourceRegistered: ({ subject }, id) => begins(subject.kind, id),
  DataSourceDeletionRequested: (_, id) => endsAll(['source', 'tag_binding'], id),
  DataSourceDeleted: endsStream,
  SourceIndexed: sourceSeen,
  SourceSkipped: sourceSeen,
  SourceFailed: sourceSeen,
  SourceRemoved: endsStream,
  ApiKeyIssued: ({ keyId }) => begins('api_key', keyId),
  ApiKeyRevoked: ({ keyId }) => ends(keyId),
  TagCreated: ({ tagId }) => begins('tag', tagId, '', tagId),
  TagDeleted: ({ tagId }) => endsAll(['tag', 'tag_binding'], tagId),
  TagBound: ({ bindingId, sourceGroupId, tagId }) => begins('tag_binding', bindingId, sourceGroupId, tagId),
  TagUnbound: ({ bindingId }) => ends(bindingId),
  RedactionPolicyCreated: (_, id) => begins('redaction_policy', id),
  RedactionPolicyDeleted: endsStream,
  SecretCreated: (_, id) => begins('secret', id),
  SecretDeleted: endsStream,
  WebhookCreated: (_, id) => begins('webhook', id),
  WebhookDeleted: endsStream,
  AuthzPolicyCreated: ({ name }, id) => begins('authz_policy', name, '', id),
  AuthzPolicyDeleted: (_, id) => endsAll(['authz_policy'], id),
  AuthzAttributesSet: ({ principalId }, id) => begins('authz_subject', principalId, '', id),
  AuthzAttributesDeleted: (_, id) => endsAll(['authz_subject'], id),
  ConversationStarted: ({ principalId }, id) => begins('conversation', id, principalId ?? ''),
  ConversationDeleted: endsStream,
  AgentThreadStarted: ({ principalId }, id) => begins('agent_thread', id, principalId ?? '', id),
  RunAdmitted: ({ runId, principalId }, id) => begins('agent_run', runId, principalId ?? '', id),
  AgentThreadDeleted: (_, id) => endsAll(['agent_thread', 'agent_run'], id),
};

/** Whether events of this type begin or end records. */
export const changesLifetimes = (type: string): boolean => type in MEANINGS;

/** The records that an event begins or ends; null: none. */
export const lifetimeChange = ({ event, streamId }: ProjectedEvent): LifetimeChange | null =>
  (MEANINGS[event.type] as Meaning<DomainEvent['type']> | undefined)?.(event, streamId) ?? null;
