import type { Complete } from '../../answers/completions/complete.ts';
import type { DataSourceOperations } from '../../sources/ingestion/operations.ts';
import type { IdSource } from '../../ports/identity.ts';
import type { CompiledRules } from '../../redaction/redactor.ts';
import type { SearchOperations } from '../../search/operations.ts';
import type { SourceGroupOperations } from '../../sources/source-groups/operations.ts';
import type { SourceOperations } from '../../sources/documents/operations.ts';

/** The operations that the tools call; the API uses the same ones. */
export interface KnowledgeToolDeps {
  readonly search: SearchOperations['search'];
  readonly sources: Pick<SourceOperations, 'content' | 'list'>;
  readonly sourceGroups: Pick<SourceGroupOperations, 'list' | 'get'>;
  readonly dataSources: Pick<DataSourceOperations, 'get'>;
  readonly complete: Complete;
  /** Loads the rules that redact texts for agents. Throws when they cannot be read: then nothing may be shown. */
  readonly rulesFor: (tenant: string) => Promise<CompiledRules>;
  readonly ids: IdSource;
}
