import { createHash } from 'node:crypto';
import type { CatalogScope } from '../../../application/ports/catalog.ts';
import type {
  RankRequest,
  WordIndex,
  SearchableSource,
  SearchEngineWriter,
} from '../../../application/ports/search-engine.ts';
import { contentId } from '../../../domain/chunking/content-id.ts';
import type { MetadataRecord } from '../../../domain/source/events.ts';

export interface OpenedEngine {
  readonly index: WordIndex;
  readonly writer: SearchEngineWriter;
  /** Lets the data source carry a tag of the tenant. */
  readonly tag: (tenant: string, name: string, dataSourceId: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest();

/** A UUID of version 8 from a name: tests read better with names. */
export const idOf = (name: string): string => {
  const hex = sha256(name);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

export interface DocumentText {
  readonly title?: string;
  readonly url?: string;
  /** BCP 47. */
  readonly language?: string;
  readonly group?: string;
  readonly fileType?: string;
  readonly metadata?: readonly MetadataRecord[];
  /** Texts of the contents; a pair is headings and text. */
  readonly texts: readonly (string | readonly [readonly string[], string])[];
  /** Declared keys of the row that each content is. */
  readonly rows?: readonly (readonly MetadataRecord[])[];
  /** Each content stands on a page of its own. */
  readonly pages?: boolean;
  /** Unix seconds. */
  readonly at?: number;
}

let revisions = 0;

/** A document of a tenant, with the ids of contents that its texts have in every index. */
export const sourceOf = (tenant: string, name: string, document: DocumentText): SearchableSource => {
  const { title = '', group = 'group', fileType = 'html', metadata = [], texts, at = 1_000 } = document;
  const language = document.language !== undefined && { language: document.language };
  const id = idOf(`${tenant} ${name}`);
  const seen = new Map<string, number>();
  const contents = texts.map((of, i) => {
    const [headingPath, text] = typeof of === 'string' ? [[], of] : of;
    const occurrence = seen.get(text) ?? 0;
    seen.set(text, occurrence + 1);
    return {
      id: contentId(id, { textHash: sha256(text), occurrence }, digest),
      timestamp: at,
      pageNumber: document.pages === true ? i + 1 : 0,
      headingPath,
      text,
      ...(document.rows !== undefined && { metadata: document.rows[i] ?? [] }),
    };
  });
  const url = document.url ?? `https://example.com/${encodeURIComponent(name)}`;
  const dataSourceId = groupId(tenant, group);
  return {
    id,
    tenant,
    dataSourceId,
    sourceType: 'crawl',
    fileType,
    url,
    title,
    ...language,
    metadata,
    revision: BigInt((revisions += 1)),
    contents,
  };
};

const groupId = (tenant: string, group: string): string => idOf(`${tenant} group ${group}`);

let tenants = 0;

/** A tenant of its own in an index, and what it ranks. */
export const tenantOf = ({ index, writer }: OpenedEngine) => {
  tenants += 1;
  const tenant = `tenant ${tenants}`;
  const scope = (only: readonly string[] | null = null): CatalogScope => ({
    tenant,
    only: only === null ? null : only.map((group) => groupId(tenant, group)),
    access: null,
  });
  const rank = (query: string, rest: Partial<RankRequest> = {}, of: CatalogScope = scope()) =>
    index.rank(of, { query, filter: {}, limit: 100, ...rest });
  return {
    tenant,
    scope,
    rank,
    group: (name: string) => groupId(tenant, name),
    /** Writes a document, in place of the one of that name; answers the ids of its contents. */
    write: async (name: string, document: DocumentText): Promise<readonly string[]> => {
      const source = sourceOf(tenant, name, document);
      await writer.replace([source]);
      return source.contents.map(({ id }) => id);
    },
    remove: (...names: readonly string[]) =>
      writer.replace(names.map((name) => sourceOf(tenant, name, { texts: [] }))),
    removeGroup: (name: string) => writer.removeDataSource(tenant, groupId(tenant, name)),
    /** Ids of what is found, best first. */
    found: async (query: string, rest: Partial<RankRequest> = {}, of: CatalogScope = scope()) =>
      (await rank(query, rest, of)).ranked.map((found) => found.contentId),
  };
};
