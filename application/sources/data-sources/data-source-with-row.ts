import { dataSource } from '../../../domain/data-source/index.ts';
import { withRow } from '../../read-models/with-row.ts';
import { dataSourceRow } from '../../read-models/data-source-row.ts';

/** Data sources, for operations that return their record. */
export const dataSourceWithRow = withRow(dataSource, dataSourceRow);
