/**
 * All titles of a data source's errors in this version. They are stable, so callers may rely on them. Events of other
 * versions may contain others.
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
