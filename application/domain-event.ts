import type { ApiKeyEvent } from '../domain/api-key/index.ts';
import type { DataSourceEvent } from '../domain/data-source/index.ts';
import type { IngestionSettingEvent } from '../domain/ingestion-setting/index.ts';
import type { SourceEvent } from '../domain/source/index.ts';
import type { IdempotencyEvent } from './idempotency.ts';

/** Every event that this program writes, in its newest shape. */
export type DomainEvent =
  | DataSourceEvent
  | IngestionSettingEvent
  | SourceEvent
  | ApiKeyEvent
  | IdempotencyEvent;
