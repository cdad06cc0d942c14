import type { Complete } from '../completion/complete.ts';
import type { DataSourceOperations } from '../ingestion/operations.ts';
import type { IdSource } from '../ports/identity.ts';
import type { CompiledRules } from '../redaction/redactor.ts';
import type { SearchOperations } from '../retrieval/operations.ts';
import type { SourceGroupOperations } from '../source-group/operations.ts';
import type { SourceOperations } from '../source/operations.ts';

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
