import type { Body } from '../ports/vault.ts';

/**
 * Texts that are kept together share a row of the vault: one behind the other, each with the name of the row and its place,
 * in UTF-16 units, as its id: `<row>#<from>-<to>`. A text that is kept alone has the name of its row.
 */
const MARK = '#';

export interface SharedRow {
  readonly row: Body;
  /** Ids of the texts, in their order. */
  readonly ids: readonly string[];
}

/** @param name of the row; without `#` */
export const sharedRow = (name: string, texts: readonly string[]): SharedRow => {
  const [alone = ''] = texts;
  if (texts.length < 2) return { row: { id: name, text: alone }, ids: texts.map(() => name) };
  let end = 0;
  const ids = texts.map(({ length }) => {
    const from = end;
    end += length;
    return `${name}${MARK}${from}-${end}`;
  });
  return { row: { id: name, text: texts.join('') }, ids };
};

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
