import type { TSchema } from 'typebox';
import { ApiKey, ApiKeyCreate, ApiKeyList, IssuedApiKey } from './api-key.ts';
import { CursorPagination, ErrorEnvelope, Message, Pagination } from './common.ts';
import {
  Crawl,
  CrawlCreate,
  CrawlErrors,
  CrawlList,
  CrawlSetting,
  IngestionError,
  JobStatus,
  Occurrences,
  SettingChange,
  SyncRequest,
} from './crawl.ts';
import { Actor, AuditEntry, AuditTrail, LogEvent, LogPage } from './event.ts';
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

/** Schemas with a name of their own in the document: wherever one of these occurs, it is referred to. */
export const components: Readonly<Record<string, TSchema>> = {
  ErrorEnvelope,
  Pagination,
  CursorPagination,
  Message,
  JobStatus,
  IngestionError,
  Crawl,
  CrawlList,
  CrawlCreate,
  SyncRequest,
  CrawlErrors,
  CrawlSetting,
  SettingChange,
  Occurrences,
  Actor,
  AuditEntry,
  AuditTrail,
  LogEvent,
  LogPage,
  FileType,
  SourceType,
  MetadataType,
  Content,
  ContentList,
  Source,
  SourceList,
  MetadataReplacement,
  Filter,
  SearchRequest,
  SearchResults,
  QueryRequest,
  ApiKey,
  ApiKeyList,
  ApiKeyCreate,
  IssuedApiKey,
};

/** Those that refer to themselves, by name. */
export const recursive: Readonly<Record<string, TSchema>> = { Filter };
