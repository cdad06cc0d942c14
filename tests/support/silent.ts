import type { Logger } from '../../application/ports/logger.ts';

/** Of its own, so that a test which needs no database imports none. */
export const silent: Logger = { info: () => {}, warn: () => {}, error: () => {} };
