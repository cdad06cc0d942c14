import type { LogFields, Logger } from '../../ports/logger.ts';

/** Since when something is so, and whether it has lasted long enough to be told. */
export interface Trouble {
  readonly kind: 'silent' | 'other log';
  readonly since: number;
  readonly reported: boolean;
  readonly reason: Error;
}

export interface ReportDeps {
  readonly log: Logger;
  /** The store, for the log; null where another watch tells of the same server. */
  readonly name: string | null;
  /** More to say at the end of an outage. */
  readonly summary?: () => LogFields;
}

const WHAT_TO_DO =
  'put the right log back, or follow "Log lost or exchanged" in docs/operations.md; nothing is written until then';

/** Tells the log of troubles that have lasted, at their beginning and at their end. */
export const createReport = ({ log, name, summary }: ReportDeps) => {
  const seconds = (ms: number): number => Math.round(ms / 100) / 10;
  return {
    begin: ({ kind, reason }: Trouble): void => {
      if (kind === 'other log')
        log.error('the event log has changed', { error: reason.message, do: WHAT_TO_DO });
      else if (name !== null) log.warn(`the ${name} is away`, { error: reason.message });
    },
    end: ({ kind, since }: Trouble, now: number): void => {
      const lasted = { seconds: seconds(now - since), ...summary?.() };
      if (kind === 'other log') log.info('the event log is the known one again', lasted);
      else if (name !== null) log.info(`the ${name} is back`, lasted);
    },
  };
};
