import type { OnBehalfOf } from '../../access/authz/access.ts';
import type { Caller } from '../../access/caller.ts';
import type { Page, PageRequest } from '../../ports/page.ts';
import type { ContentRecord } from '../../ports/catalog.ts';
import type { IdSource } from '../../ports/identity.ts';
import type { FinishReason, LanguageModel, ModelUsage } from '../../ports/language-model.ts';
import type { Logger } from '../../ports/logger.ts';
import type { SchemaCompiler } from '../../ports/compilers.ts';
import type { CompiledRules } from '../../redaction/redactor.ts';
import type { Found } from '../../search/found.ts';
import type { Search } from '../../search/plan-search.ts';
import type { RetrievalFilter } from '../../search/retrieval-filter.ts';

/** What is read: documents, contents, or what a search finds. */
export type ExtractFrom =
  | { readonly kind: 'sources'; readonly ids: readonly string[] }
  | { readonly kind: 'contents'; readonly ids: readonly string[] }
  | {
      readonly kind: 'search';
      readonly query: string;
      /** 1 to 100. */
      readonly limit: number;
      readonly usePostfilter: boolean;
      readonly filter: RetrievalFilter;
    };

export interface ExtractRequest {
  /** JSON Schema of the data. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** What is looked for, where the schema does not say it. */
  readonly prompt?: string;
  readonly from: ExtractFrom;
  /** Whether the contents that the data rest on are named. */
  readonly citation: boolean;
  readonly onBehalfOf: OnBehalfOf;
}

export interface Extraction {
  /** Valid against the schema, and redacted. */
  readonly data: unknown;
  /** What the model says that the data rest on, in the order in which it was read. */
  readonly citations: readonly ContentRecord[];
  readonly finishReason: FinishReason;
  /** What extracted. */
  readonly model: string;
  /** Of all that was asked; null where the provider does not tell. */
  readonly usage: ModelUsage | null;
}

export interface ExtractDeps {
  readonly search: (caller: Caller, search: Search, onBehalfOf: OnBehalfOf) => Promise<Found>;
  /** Both throw DomainError not_found for what the caller may not see. */
  readonly sources: {
    readonly content: (caller: Caller, id: string, onBehalfOf: OnBehalfOf) => Promise<ContentRecord>;
    readonly contents: (
      caller: Caller,
      sourceId: string,
      page: PageRequest,
      onBehalfOf: OnBehalfOf,
    ) => Promise<Page<ContentRecord>>;
  };
  readonly model: LanguageModel;
  /** Of every answer; null: no limit of the operator's. */
  readonly maxTokens: number | null;
  readonly log: Logger;
  /** The rules of the tenant that apply to what models answer. */
  readonly rulesFor: (tenant: string) => Promise<CompiledRules>;
  readonly schemas: SchemaCompiler;
  readonly ids: IdSource;
}
