import { useQuery } from '@tanstack/react-query';
import type { ListPage, ListQuery } from './list.tsx';

/** What became of a row of the past. */
export type Since = 'changed' | 'deleted' | undefined;

/** So many rows of today are read at most, a page at a time. */
const MAX_ROWS = 1_000;
/** What a record of the past shows as its last event told it, however it has moved since. */
const NOT_TOLD: ReadonlySet<string> = new Set(['last_seen_time', 'last_used_time', 'deleted_at']);

/** Whether a record has another value today in a field that the past tells. */
const differs = (then: object, now: object): boolean =>
  Object.entries(then).some(
    ([name, value]) =>
      !NOT_TOLD.has(name) && JSON.stringify(value) !== JSON.stringify((now as Record<string, unknown>)[name]),
  );

/**
 * Compares the rows of a list as it was with those of today: what became of each, and how many are new. Of a long list
 * what is known of the rows that have been read.
 *
 * @param past undefined: the list is shown as it is today
 */
export const useSince = <Row extends object>(
  key: readonly unknown[],
  past: { readonly rows: readonly Row[]; readonly isWhole: boolean } | undefined,
  read: (query: ListQuery, signal: AbortSignal) => Promise<ListPage<Row>>,
  keyOf: (row: Row) => string,
) => {
  const { data } = useQuery({
    queryKey: ['static', 'since', ...key],
    enabled: past !== undefined,
    queryFn: async ({ signal }) => {
      const rows: Row[] = [];
      for (let after: string | undefined; ;) {
        const page = await read({ limit: 100, ...(after !== undefined && { after }) }, signal);
        rows.push(...page.rows);
        after = page.pagination.has_more ? page.pagination.next_id : undefined;
        if (after === undefined || rows.length >= MAX_ROWS) return { rows, isWhole: after === undefined };
      }
    },
  });
  if (past === undefined) return undefined;
  const today = new Map(data?.rows.map((row) => [keyOf(row), row]));
  const became = (row: Row): Since => {
    if ('deleted_at' in row) return 'deleted';
    const now = today.get(keyOf(row));
    // A record that is there, but not in this list, no longer fits its filter.
    if (now === undefined) return data?.isWhole === true ? 'changed' : undefined;
    return differs(row, now) ? 'changed' : undefined;
  };
  const count = (what: Since): number => past.rows.filter((row) => became(row) === what).length;
  const known = new Set(past.rows.map(keyOf));
  return {
    became,
    told: data && {
      changed: count('changed'),
      deleted: count('deleted'),
      /** Undefined while not all rows of the past are there. */
      added: past.isWhole ? data.rows.filter((row) => !known.has(keyOf(row))).length : undefined,
    },
  };
};
