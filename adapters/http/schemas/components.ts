import type { TSchema } from 'typebox';
import { AgentRunEvent, AgentRunEvents, AgentThreadEvents, agentRunEventComponents } from './agent-event.ts';
import {
  AgentMessage,
  AgentRun,
  AgentRunCancel,
  AgentRunCreate,
  AgentRunList,
  AgentRunSummary,
  AgentThread,
  AgentThreadDetail,
  AgentThreadList,
} from './agent.ts';
import { agUiComponents } from './agui.ts';
import {
  Checkpoint,
  CheckpointList,
  ConsistencyProof,
  InclusionProof,
  VerifierKeys,
} from '../routes/audit-proofs.ts';
import { ApiKey, ApiKeyCreate, ApiKeyList, IssuedApiKey } from '../routes/api-keys.ts';
import {
  AuthzPolicy,
  AuthzPolicyCreate,
  AuthzPolicyList,
  AuthzPolicyReplacement,
  AuthzSubject,
  AuthzSubjectList,
  AuthzSubjectReplacement,
} from './authz.ts';
import { Completion, CompletionChoice, CompletionCreate, Usage, WebCitation } from './completion.ts';
import { CursorPagination, ErrorEnvelope, Message, Nothing, Pagination } from './common.ts';
import {
  Conversation,
  ConversationDetail,
  ConversationList,
  ConversationMessage,
} from '../routes/conversations.ts';
import { RecordChanges } from '../changes.ts';
import { KINDS } from '../data-sources/kinds.ts';
import { ConnectionTest, IngestionError, JobStatus, Occurrences } from './data-source.ts';
import { Extraction, ExtractRequest } from '../routes/extract.ts';
import {
  Actor,
  AuditEntry,
  auditEntryComponents,
  AuditTrail,
  LogEvent,
  logEventComponents,
  LogPage,
} from './event.ts';
import { EVENT_DATA } from './event-data/event-data.ts';
import {
  RedactionPolicy,
  RedactionPolicyCreate,
  RedactionPolicyList,
  RedactionRule,
  RedactionTest,
  RedactionTestResult,
  RedactionTrial,
} from './redaction-policy.ts';
import { ScrapedPage, ScrapeRequest } from './scrape.ts';
import { Filter, QueryRequest, SearchRequest, SearchResults } from './search.ts';
import {
  Content,
  ContentList,
  SourceContentList,
  FileType,
  MetadataReplacement,
  MetadataType,
  Source,
  SourceList,
  SourceType,
} from './source.ts';

import { Secret, SecretChange, SecretCreate, SecretList } from '../routes/secrets.ts';
import { FailedItems, SourceGroup, SourceGroupChange, SourceGroupList } from '../routes/source-groups.ts';
import {
  Tag,
  TagChange,
  TagCreate,
  TagList,
  TagSourceGroup,
  TagSourceGroupCreate,
  TagSourceGroupList,
} from '../routes/tags.ts';

import {
  IssuedWebhook,
  Webhook,
  WebhookChange,
  WebhookCreate,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
  WebhookTest,
} from './webhook.ts';
import { Me } from '../routes/me.ts';
import { ServiceStatus } from '../routes/status.ts';

/** Named schemas of the document: every occurrence becomes a reference. */
export const components: Readonly<Record<string, TSchema>> = {
  ErrorEnvelope,
  Pagination,
  CursorPagination,
  Message,
  Nothing,
  JobStatus,
  IngestionError,
  ...Object.assign({}, ...KINDS.map((kind) => kind.components)),
  Occurrences,
  ConnectionTest,
  ScrapeRequest,
  ScrapedPage,
  Actor,
  AuditEntry,
  AuditTrail,
  RecordChanges,
  LogEvent,
  LogPage,
  Checkpoint,
  CheckpointList,
  VerifierKeys,
  InclusionProof,
  ConsistencyProof,
  ...Object.fromEntries(Object.entries(EVENT_DATA).map(([type, data]) => [`${type}Data`, data])),
  ...auditEntryComponents,
  ...logEventComponents,
  FileType,
  SourceType,
  MetadataType,
  Content,
  ContentList,
  SourceContentList,
  Source,
  SourceList,
  MetadataReplacement,
  SourceGroup,
  SourceGroupList,
  FailedItems,
  SourceGroupChange,
  Tag,
  TagList,
  TagCreate,
  TagChange,
  TagSourceGroup,
  TagSourceGroupList,
  TagSourceGroupCreate,
  Filter,
  SearchRequest,
  SearchResults,
  QueryRequest,
  Usage,
  Completion,
  CompletionChoice,
  CompletionCreate,
  ...agUiComponents,
  WebCitation,
  ExtractRequest,
  Extraction,
  Conversation,
  ConversationList,
  ConversationDetail,
  ConversationMessage,
  RedactionRule,
  RedactionPolicy,
  RedactionPolicyList,
  RedactionPolicyCreate,
  RedactionTest,
  RedactionTestResult,
  RedactionTrial,
  AuthzPolicy,
  AuthzPolicyList,
  AuthzPolicyCreate,
  AuthzPolicyReplacement,
  AuthzSubject,
  AuthzSubjectList,
  AuthzSubjectReplacement,
  ApiKey,
  ApiKeyList,
  ApiKeyCreate,
  IssuedApiKey,
  AgentMessage,
  AgentRun,
  AgentRunSummary,
  AgentRunList,
  AgentRunCreate,
  AgentRunCancel,
  AgentRunEvent,
  AgentRunEvents,
  ...agentRunEventComponents,
  AgentThread,
  AgentThreadList,
  AgentThreadDetail,
  AgentThreadEvents,
  Secret,
  SecretList,
  SecretCreate,
  SecretChange,
  Webhook,
  WebhookList,
  WebhookCreate,
  WebhookChange,
  IssuedWebhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookTest,
  ServiceStatus,
  Me,
};

/** Schemas that refer to themselves, by name. */
export const recursive: Readonly<Record<string, TSchema>> = { Filter };
