/** Where a command writes its results: a table for people, a line of JSON for each record for programs. */
export interface Output {
  /** Records of a list; columns and their order are those of `cells`. */
  readonly records: <R extends object>(
    records: AsyncIterable<R> | Iterable<R>,
    cells: Cells<R>,
  ) => Promise<void>;
  /** One record, as JSON where it is read by a program. */
  readonly record: (record: object, text: string) => void;
  /** A part of a text, as it comes, for people: programs get it with its record. */
  readonly text: (part: string) => unknown;
  /** Tells people of progress, on the error output. */
  readonly tell: (line: string) => void;
}

/** What people see of a record, by the heading of each column. */
export type Cells<R> = (record: R) => Readonly<Record<string, string>>;

/** Rows that are measured before they are printed: later ones keep these widths. */
const MEASURED = 100;
const WIDEST = 60;

export const createOutput = (
  write: (text: string) => void,
  tell: (line: string) => void,
  asJson: boolean,
): Output => ({
  records: async (records, cells) => {
    let rows: Readonly<Record<string, string>>[] = [];
    let widths: readonly number[] | undefined;
    const line = (texts: readonly string[]): void =>
      write(
        `${texts
          .map((text, i) => clipped(text).padEnd(widths![i] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
      );
    const print = (): void => {
      const names = Object.keys(rows[0] ?? {});
      if (widths === undefined && names.length > 0) {
        widths = names.map((name) =>
          Math.max(...[name, ...rows.map((row) => clipped(row[name] ?? ''))].map(lengthOf)),
        );
        line(names.map((name) => name.toUpperCase()));
      }
      for (const row of rows) line(Object.values(row));
      rows = [];
    };
    for await (const record of records) {
      if (asJson) {
        write(`${JSON.stringify(record)}\n`);
        continue;
      }
      rows.push(cells(record));
      if (rows.length >= MEASURED || widths !== undefined) print();
    }
    print();
  },
  record: (record, text) => write(asJson ? `${JSON.stringify(record)}\n` : `${text}\n`),
  text: (part) => asJson || write(part),
  tell,
});

const lengthOf = (text: string): number => text.length;
const clipped = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > WIDEST ? `${line.slice(0, WIDEST - 1)}…` : line;
};
