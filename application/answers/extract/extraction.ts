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

const PAGE = 100;
/** Contents of named sources: what is more fits no model, and is not read in vain. */
const MOST = 1_000;
/** Reads at once. */
const AT_ONCE = 8;

type Reads = Pick<ExtractDeps, 'search' | 'sources'>;

/**
 * The contents that the caller names or that its search finds, once each, in the order named or found.
 *
 * @throws DomainError not_found for what the caller may not see; invalid_request for sources that hold too much
 */
export const readContents = async (
  deps: Reads,
  caller: Caller,
  { from, onBehalfOf }: Pick<ExtractRequest, 'from' | 'onBehalfOf'>,
): Promise<readonly ContentRecord[]> => {
  switch (from.kind) {
    case 'sources':
      return ofSources(deps, caller, once(from.ids), onBehalfOf);
    case 'contents':
      return ofContents(deps, caller, once(from.ids), onBehalfOf);
    case 'search': {
      const { query, limit, usePostfilter, filter } = from;
      const search = { query, mode: 'hybrid', limit, rerank: false, usePostfilter, filter } as const;
      return (await deps.search(caller, search, onBehalfOf)).results.map(({ content }) => content);
    }
  }
};

const once = (ids: readonly string[]): readonly string[] => [...new Set(ids.map((id) => id.toLowerCase()))];

const ofSources = async (
  { sources }: Reads,
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
      if (contents.length > MOST) {
        const message = `these sources hold more than ${MOST} contents: name fewer, or give a query`;
        throw new DomainError('invalid_request', message);
      }
    }
  }
  return contents;
};

const ofContents = async (
  { sources }: Reads,
  caller: Caller,
  ids: readonly string[],
  onBehalfOf: ExtractRequest['onBehalfOf'],
): Promise<readonly ContentRecord[]> => {
  const contents: ContentRecord[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE).map((id) => sources.content(caller, id, onBehalfOf));
    contents.push(...(await Promise.all(some)));
  }
  return contents;
};

/** The same data with every text in it redacted, names of fields too. */
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
