/**
 * For one day, texts that were stored together shared a row of the vault. The id of such a text contains the name of
 * the row and the range of the text in UTF-16 units: `<row>#<from>-<to>`. New texts are not stored this way, but
 * existing logs may contain such ids.
 */
const MARK = '#';

/** The row that contains a text. */
export const rowOf = (id: string): string => id.split(MARK, 1)[0]!;

/** Texts by their ids, from rows by their names; skips ids of rows that do not exist. */
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
  const range = id.split(MARK)[1];
  if (range === undefined) return text;
  const [from, to] = range.split('-');
  return text.slice(Number(from), Number(to));
};
