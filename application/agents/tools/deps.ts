import type { Complete } from '../../answers/completions/complete.ts';
import type { DataSourceOperations } from '../../sources/ingestion/operations.ts';
import type { IdSource } from '../../ports/identity.ts';
import type { CompiledRules } from '../../redaction/redactor.ts';
import type { SearchOperations } from '../../search/operations.ts';
import type { SourceGroupOperations } from '../../sources/source-groups/operations.ts';
import type { SourceOperations } from '../../sources/documents/operations.ts';

/** The operations that tools stand for: the same that the API has. */
export interface KnowledgeToolDeps {
  readonly search: SearchOperations['search'];
  readonly sources: Pick<SourceOperations, 'content' | 'list'>;
  readonly sourceGroups: Pick<SourceGroupOperations, 'list' | 'get'>;
  readonly dataSources: Pick<DataSourceOperations, 'get'>;
  readonly complete: Complete;
  /** What the tenant's policies hide from agents. Throws where they cannot be read: then nothing may be told. */
  readonly rulesFor: (tenant: string) => Promise<CompiledRules>;
  readonly ids: IdSource;
}
