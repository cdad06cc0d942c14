import type { DataSourceKind } from '../../../domain/data-source/index.ts';
import type { SourceType } from '../../../domain/source/events.ts';

/** What the documents of a data source of this kind came by. */
export const sourceTypeOf = (kind: DataSourceKind): SourceType =>
  kind === 'local_file_group' ? 'local_file' : kind;
