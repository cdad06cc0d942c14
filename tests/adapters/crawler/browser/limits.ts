import type { PageLimits } from '../../../../adapters/crawler/browser/messages.ts';

const MB = 1_024 ** 2;

/** Of pages that a test opens. */
export const LIMITS: PageLimits = {
  timeoutMs: 20_000,
  readyMs: 5_000,
  quietMs: 300,
  requests: 40,
  bytes: 2 * MB,
  htmlBytes: MB,
  memoryBytes: 256 * MB,
};
