import type { Position } from './event-store.ts';

/** Every view. A name is that of its table in schema `read`, and what `npm run rebuild` and the health of it call it. */
export const VIEWS = [
  'data_source',
  'ingestion_setting',
  'api_key',
  'conversation',
  'agent_thread',
  'agent_run',
  'tag',
  'authz_policy',
  'authz_subject',
  'redaction_policy',
  'secret',
  'catalog',
] as const;
export type ViewName = (typeof VIEWS)[number];

export interface ReadGate {
  /**
   * Resolves true when the live version of every named view holds all events up to `position`, false when that takes
   * longer than `timeoutMs`, or when `signal` aborts before.
   */
  readonly reached: (
    views: readonly ViewName[],
    position: Position,
    timeoutMs: number,
    signal?: AbortSignal,
  ) => Promise<boolean>;
}

/** What has to be seen in the read models is not there in time: a projection stands still, or has much to do. */
export class ReadModelsBehind extends Error {
  override readonly name = 'ReadModelsBehind';
}
