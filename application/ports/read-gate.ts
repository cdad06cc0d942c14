import type { Position } from './event-store.ts';

export type ViewName =
  | 'data_source'
  | 'ingestion_setting'
  | 'api_key'
  | 'conversation'
  | 'catalog'
  | 'tag'
  | 'redaction_policy'
  | 'authz_policy'
  | 'authz_subject';

export interface ReadGate {
  /**
   * Resolves true when the live version of every named view holds all events up to `position`, false when that takes
   * longer than `timeoutMs`.
   */
  readonly reached: (views: readonly ViewName[], position: Position, timeoutMs: number) => Promise<boolean>;
}
