import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { OnBehalfOf } from '../../access/authz/access.ts';
import type { Caller } from '../../access/caller.ts';
import type { ContentRecord } from '../../ports/catalog.ts';
import type { SchemaCompiler } from '../../ports/compilers.ts';
import type { IdSource } from '../../ports/identity.ts';
import type { FinishReason, LanguageModel, ModelUsage } from '../../ports/language-model.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Page, PageRequest } from '../../ports/page.ts';
import { type CompiledRules, redact } from '../../redaction/redactor.ts';
import type { SearchResponse } from '../../search/rerank-results.ts';
import type { Search } from '../../search/plan-search.ts';
import type { RetrievalFilter } from '../../search/retrieval-filter.ts';

/** The texts to extract from: documents, contents, or search results. */
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
  /** What to look for, if the schema does not say it. */
  readonly prompt?: string;
  readonly from: ExtractFrom;
  /** Whether to cite the contents that the data is based on. */
  readonly citation: boolean;
  readonly onBehalfOf: OnBehalfOf;
}

export interface Extraction {
  /** Valid against the schema, and redacted. */
  readonly data: unknown;
  /** The contents that the data is based on according to the model, in the order in which it read them. */
  readonly citations: readonly ContentRecord[];
  readonly finishReason: FinishReason;
  /** The model that extracted the data. */
  readonly model: string;
  /** Usage of all calls; null when the provider does not report it. */
  readonly usage: ModelUsage | null;
}

export interface ExtractDeps {
  readonly search: (caller: Caller, search: Search, onBehalfOf: OnBehalfOf) => Promise<SearchResponse>;
  /** Both throw DomainError not_found for sources and contents that the caller may not see. */
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
  /** Maximum tokens of every answer; null when the operator sets no limit. */
  readonly maxTokens: number | null;
  readonly log: Logger;
  /** Loads the rules that redact the answers of models for the tenant. */
  readonly rulesFor: (tenant: string) => Promise<CompiledRules>;
  readonly schemas: SchemaCompiler;
  readonly ids: IdSource;
}

const PAGE = 100;
/** Maximum contents of named sources. More fit in no model, so reading them would be useless. */
const MAX_CONTENTS = 1_000;
/** Maximum concurrent reads. */
const MAX_CONCURRENT_READS = 8;

type ContentReaders = Pick<ExtractDeps, 'search' | 'sources'>;

/**
 * ContentReaders the contents that the caller names or that its search finds, without duplicates, in that order.
 *
 * @throws DomainError not_found for contents that the caller may not see; invalid_request when the sources have too
 *   many contents
 */
export const readContents = async (
  deps: ContentReaders,
  caller: Caller,
  { from, onBehalfOf }: Pick<ExtractRequest, 'from' | 'onBehalfOf'>,
): Promise<readonly ContentRecord[]> => {
  switch (from.kind) {
    case 'sources':
      return ofSources(deps, caller, distinct(from.ids), onBehalfOf);
    case 'contents':
      return ofContents(deps, caller, distinct(from.ids), onBehalfOf);
    case 'search': {
      const { query, limit, usePostfilter, filter } = from;
      const search = { query, mode: 'hybrid', limit, rerank: false, usePostfilter, filter } as const;
      return (await deps.search(caller, search, onBehalfOf)).results.map(({ content }) => content);
    }
  }
};

const distinct = (ids: readonly string[]): readonly string[] => [
  ...new Set(ids.map((id) => id.toLowerCase())),
];

const ofSources = async (
  { sources }: ContentReaders,
  caller: Caller,
  ids: readonly string[],
  onBehalfOf: ExtractRequest['onBehalfOf'],
): Promise<readonly ContentRecord[]> => {
  const contents: ContentRecord[] = [];
  for (const id of ids) {
    for (let after: string | undefined, more = true; more; after = contents.at(-1)?.id) {
      const page = { limit: PAGE, ...(after !== undefined && { after }) };
      const { rows, hasMore } = await sources.contents(caller, id, page, onBehalfOf);
      contents.push(...rows);
      more = hasMore && rows.length > 0;
      if (contents.length > MAX_CONTENTS) {
        const message = `these sources hold more than ${MAX_CONTENTS} contents: name fewer, or give a query`;
        throw new DomainError('invalid_request', message);
      }
    }
  }
  return contents;
};

const ofContents = async (
  { sources }: ContentReaders,
  caller: Caller,
  ids: readonly string[],
  onBehalfOf: ExtractRequest['onBehalfOf'],
): Promise<readonly ContentRecord[]> => {
  const contents: ContentRecord[] = [];
  for (let at = 0; at < ids.length; at += MAX_CONCURRENT_READS) {
    const some = ids
      .slice(at, at + MAX_CONCURRENT_READS)
      .map((id) => sources.content(caller, id, onBehalfOf));
    contents.push(...(await Promise.all(some)));
  }
  return contents;
};

/** Redacts every string in the data, including names of fields. */
export const redactData = (data: unknown, rules: CompiledRules): unknown => {
  if (rules.rules.length === 0) return data;
  const redacted = (value: unknown): unknown => {
    if (typeof value === 'string') return redact(value, rules).text;
    if (Array.isArray(value)) return value.map(redacted);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [redact(name, rules).text, redacted(part)]),
    );
  };
  return redacted(data);
};
