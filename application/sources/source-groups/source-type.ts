import type { DataSourceKind } from '../../../domain/data-source/index.ts';
import type { SourceType } from '../../../domain/source/events.ts';

/** The source type of documents of this kind of data source. */
export const sourceTypeOf = (kind: DataSourceKind): SourceType =>
  kind === 'local_file_group' ? 'local_file' : kind;

/** The reverse of `sourceTypeOf`. */
export const kindOfSourceType = (type: SourceType): DataSourceKind =>
  type === 'local_file' ? 'local_file_group' : type;
