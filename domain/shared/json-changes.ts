/** A difference between two JSON values. An absent side: there was nothing, or there is nothing any more. */
export interface JsonChange {
  /** JSON Pointer (RFC 6901); empty: the whole value. */
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

type Part = { readonly [name: string]: unknown };

/** What changed, member by member of objects and element by element of arrays, in the order of the fields. */
export const jsonChanges = (before: unknown, after: unknown, path = ''): readonly JsonChange[] => {
  if (isPart(before) && isPart(after) && Array.isArray(before) === Array.isArray(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) =>
      jsonChanges(before[name], after[name], `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    );
  }
  if (before === after) return [];
  return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }];
};

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null;
