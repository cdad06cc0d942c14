/**
 * For one day texts that were kept together shared a row of the vault: one behind the other, each with the name of the row
 * and its place, in UTF-16 units, as its id: `<row>#<from>-<to>`. Nothing is written so any more; logs may hold such ids.
 */
const MARK = '#';

/** The row that a text lies in. */
export const rowOf = (id: string): string => id.split(MARK, 1)[0]!;

/** Texts by their ids, out of rows by their names; ids of rows that are not there are left out. */
export const textsIn = (
  rows: ReadonlyMap<string, string>,
  ids: readonly string[],
): ReadonlyMap<string, string> =>
  new Map(
    ids.flatMap((id) => {
      const text = rows.get(rowOf(id));
      return text === undefined ? [] : [[id, partOf(text, id)] as const];
    }),
  );

const partOf = (text: string, id: string): string => {
  const place = id.split(MARK)[1];
  if (place === undefined) return text;
  const [from, to] = place.split('-');
  return text.slice(Number(from), Number(to));
};
