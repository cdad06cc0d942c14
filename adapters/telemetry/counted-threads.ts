import { metrics } from '@opentelemetry/api';

/** Counts threads that search and ended before they should: by themselves, or stopped as they gave no sign of life. */
export const countEndedThreads = (): ((why: { readonly silent: boolean }) => void) => {
  const ended = metrics.getMeter('knowledger').createCounter('knowledger_search_threads_ended', {
    description: 'threads that search and were replaced',
    unit: '{thread}',
  });
  return ({ silent }) => ended.add(1, { why: silent ? 'silent' : 'ended' });
};
