import type { IdSource } from '../../application/ports/identity.ts';

/** UUIDs of version 7 in form, numbered from 1. */
export const countingIds = (): IdSource & { readonly made: () => number } => {
  let n = 0;
  return {
    newId: () => `01900000-0000-7000-8000-${String((n += 1)).padStart(12, '0')}`,
    made: () => n,
  };
};
