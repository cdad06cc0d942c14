import type { TSchema } from 'typebox';
import { agUiComponents } from './agui.ts';
import { ApiKey, ApiKeyCreate, ApiKeyList, IssuedApiKey } from './api-key.ts';
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
import { Conversation, ConversationDetail, ConversationList, ConversationMessage } from './conversation.ts';
import { CrawlSetting, CrawlSettingChange } from './crawl-setting.ts';
import { Crawl, CrawlCreate, CrawlErrors, CrawlList, SyncRequest } from './crawl.ts';
import { IngestionError, JobStatus, Occurrences } from './data-source.ts';
import {
  CreatedLocalFileGroup,
  LocalFileGroup,
  LocalFileGroupErrors,
  LocalFileGroupForm,
  LocalFileGroupList,
  LocalFileGroupSync,
  LocalFilesForm,
} from './local-file-group.ts';
import { Extraction, ExtractRequest } from './extract.ts';
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
} from './redaction-policy.ts';
import {
  Repo,
  RepoCreate,
  RepoErrors,
  RepoList,
  RepoSetting,
  RepoSettingChange,
  RepoSyncRequest,
} from './repo.ts';
import {
  Wiki,
  WikiCreate,
  WikiErrors,
  WikiList,
  WikiSetting,
  WikiSettingChange,
  WikiSyncRequest,
} from './wiki.ts';
import { Filter, QueryRequest, SearchRequest, SearchResults } from './search.ts';
import {
  Content,
  ContentList,
  FileType,
  MetadataReplacement,
  MetadataType,
  Source,
  SourceList,
  SourceType,
} from './source.ts';

import { Secret, SecretChange, SecretCreate, SecretList } from './secret.ts';
import { SourceGroup, SourceGroupChange, SourceGroupList } from './source-group.ts';
import {
  Tag,
  TagChange,
  TagCreate,
  TagList,
  TagSourceGroup,
  TagSourceGroupCreate,
  TagSourceGroupList,
} from './tag.ts';

/** Schemas with a name of their own in the document: wherever one of these occurs, it is referred to. */
export const components: Readonly<Record<string, TSchema>> = {
  ErrorEnvelope,
  Pagination,
  CursorPagination,
  Message,
  Nothing,
  JobStatus,
  IngestionError,
  Crawl,
  CrawlList,
  CrawlCreate,
  SyncRequest,
  CrawlErrors,
  CrawlSetting,
  CrawlSettingChange,
  Repo,
  RepoList,
  RepoCreate,
  RepoSyncRequest,
  RepoErrors,
  RepoSetting,
  RepoSettingChange,
  Wiki,
  WikiList,
  WikiCreate,
  WikiSyncRequest,
  WikiErrors,
  WikiSetting,
  WikiSettingChange,
  Occurrences,
  LocalFileGroup,
  LocalFileGroupList,
  LocalFileGroupForm,
  LocalFilesForm,
  LocalFileGroupSync,
  LocalFileGroupErrors,
  CreatedLocalFileGroup,
  Actor,
  AuditEntry,
  AuditTrail,
  LogEvent,
  LogPage,
  ...Object.fromEntries(Object.entries(EVENT_DATA).map(([type, data]) => [`${type}Data`, data])),
  ...auditEntryComponents,
  ...logEventComponents,
  FileType,
  SourceType,
  MetadataType,
  Content,
  ContentList,
  Source,
  SourceList,
  MetadataReplacement,
  SourceGroup,
  SourceGroupList,
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
  Secret,
  SecretList,
  SecretCreate,
  SecretChange,
};

/** Those that refer to themselves, by name. */
export const recursive: Readonly<Record<string, TSchema>> = { Filter };
