/**
 * Every phrase that this version uses as the title of a data source's error. They are stable: callers may go by them.
 * Events of other versions may hold others.
 */
export const JOB_ERROR_TITLES = [
  'Start URL not reachable',
  'Page not reachable',
  'Blocked by robots.txt',
  'Address not allowed',
  'Credentials rejected',
  'Not found at the provider',
  'Provider not reachable',
  'Timed out',
  'Too large',
  'Parser failed',
  'Not supported here',
  'Storage not available',
  'Unexpected error',
  'Worker lost',
  'Deletion failed',
] as const;
export type JobErrorTitle = (typeof JOB_ERROR_TITLES)[number];
