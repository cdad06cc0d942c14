import type { ApiKeyEvent } from '../../../domain/api-key/index.ts';
import type { DataSourceEvent } from '../../../domain/data-source/index.ts';
import type { IngestionSettingEvent } from '../../../domain/ingestion-setting/index.ts';
import { type ApiKeyRow, apiKeyRow } from '../../../application/read-models/api-key-row.ts';
import {
  type DataSourceRow,
  dataSourceRow,
  dataSourceRowOfUnknown,
} from '../../../application/read-models/data-source-row.ts';
import {
  type IngestionSettingRow,
  ingestionSettingRow,
} from '../../../application/read-models/ingestion-setting-row.ts';
import { isUnknown, type ProjectedEvent } from '../../../application/read-models/projected-event.ts';
import type { RowContext } from '../../../application/read-models/data-source-row.ts';
import { createRowProjection } from './row-projection.ts';

const context = ({ streamId: id, metadata: { tenant }, revision }: ProjectedEvent): RowContext => ({
  id,
  tenant,
  revision,
});

/** Data sources: lists, single reads, and what workers look for. A removed one stays as a row that no read shows. */
export const dataSourceProjection = createRowProjection<DataSourceRow>({
  view: 'data_source',
  shape: 2,
  filter: { categories: ['dataSource'] },
  columns: {
    tenant: 'text',
    kind: 'text',
    status: 'text',
    not_before: 'bigint',
    ingestion_setting_id: 'uuid',
    status_since: 'bigint',
  },
  indexes: [
    '(tenant, kind, id desc)',
    `(status, not_before) where status in ('queued', 'deleting', 'starting', 'started', 'canceling', 'managed')`,
  ],
  keyOf: ({ streamId }) => streamId,
  takesUnknown: true,
  fold: (row, event) =>
    isUnknown(event)
      ? dataSourceRowOfUnknown(row, event.revision)
      : dataSourceRow(row, event.event as DataSourceEvent, context(event)),
  columnsOf: ({ tenant, subject, status, not_before, ingestion_setting_id, status_since }) => ({
    tenant,
    kind: subject.kind,
    status,
    not_before,
    ingestion_setting_id,
    status_since,
  }),
  countedIn: ({ tenant, subject, status }) => (status === 'removed' ? null : { tenant, list: subject.kind }),
});

export const ingestionSettingProjection = createRowProjection<IngestionSettingRow>({
  view: 'ingestion_setting',
  shape: 1,
  filter: { categories: ['ingestionSetting'] },
  columns: { tenant: 'text', data_source_id: 'uuid', name: 'text', scheduled: 'boolean' },
  indexes: ['(data_source_id)', '(id) where scheduled'],
  keyOf: ({ streamId }) => streamId,
  fold: (row, event) => ingestionSettingRow(row, event.event as IngestionSettingEvent, context(event)),
  columnsOf: ({ tenant, data_source_id, name, schedule }) => ({
    tenant,
    data_source_id,
    name,
    scheduled: schedule === null ? 'false' : 'true',
  }),
  countedIn: () => null,
});

/** API keys by the hash of the key. A revoked key has no row. */
export const apiKeyProjection = createRowProjection<ApiKeyRow>({
  view: 'api_key',
  shape: 1,
  filter: { categories: ['apiKey'] },
  columns: { tenant: 'text', key_hash: 'text' },
  indexes: ['(tenant, id desc)', '(key_hash)'],
  keyOf: ({ event }) => (event as ApiKeyEvent).key_id,
  fold: (row, { event, streamId, revision }) =>
    apiKeyRow(row, event as ApiKeyEvent, { tenant: streamId, revision }),
  columnsOf: ({ tenant, key_hash }) => ({ tenant, key_hash }),
  countedIn: ({ tenant }) => ({ tenant, list: 'api_key' }),
});
