/** A table of Markdown. A cell is one line, in which a bar is no border. Shorter rows are filled up. */
export const table = (rows: readonly (readonly string[])[], hasHeader: boolean): string => {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  if (columns === 0) return '';
  const line = (cells: readonly string[]): string =>
    `| ${Array.from({ length: columns }, (_, i) => cell(cells[i] ?? '')).join(' | ')} |`;
  const [header = [], ...others] = hasHeader ? rows : [[], ...rows];
  return [line(header), `|${' --- |'.repeat(columns)}`, ...others.map(line)].join('\n');
};

const cell = (said: string): string =>
  said
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
    .trim();
