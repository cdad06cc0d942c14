/** A cell of a notebook, and what its code has put out (nbformat 3 and 4). */
interface Cell {
  readonly cell_type?: unknown;
  readonly source?: unknown;
  /** In nbformat 3. */
  readonly input?: unknown;
  readonly level?: unknown;
  readonly outputs?: unknown;
}

/** A longer output, such as a log of training, is cut. */
const MOST_OUTPUT = 4_000;

/**
 * A Jupyter notebook as Markdown: its texts, its code and the texts that the code put out; null for text that is none.
 */
export const notebookText = (json: string): string | null => {
  const notebook = parsed(json);
  if (notebook === null) return null;
  const { cells, worksheets, metadata } = notebook;
  const all = Array.isArray(cells) ? cells : records(worksheets).flatMap((sheet) => records(sheet['cells']));
  if (!Array.isArray(cells) && !Array.isArray(worksheets)) return null;
  const { language_info: info, kernelspec } = record(metadata);
  const language = joined(record(info)['name'] ?? record(kernelspec)['language']);
  return records(all)
    .flatMap((cell) => cellText(cell, language))
    .filter((text) => text.trim() !== '')
    .join('\n\n');
};

const parsed = (json: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
};

const cellText = (cell: Cell & Record<string, unknown>, language: string): readonly string[] => {
  const text = joined(cell.source ?? cell.input);
  if (cell.cell_type === 'heading') return [`${'#'.repeat(Math.min(Number(cell.level) || 1, 6))} ${text}`];
  if (cell.cell_type !== 'code') return [text];
  const outputs = records(cell.outputs).map(outputText);
  return [fenced(text, language), ...outputs.map((output) => fenced(output.slice(0, MOST_OUTPUT), ''))];
};

/** Text that code printed or returned; a picture has none, and the trace of an error is for programmers. */
const outputText = (output: Record<string, unknown>): string => {
  const { output_type: type, ename, evalue, text } = output;
  if (type === 'error' || type === 'pyerr') return `${joined(ename)}: ${joined(evalue)}`;
  return joined(text ?? record(output['data'])['text/plain']).trimEnd();
};

const fenced = (text: string, language: string): string => {
  if (text.trim() === '') return '';
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((fence) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${/^[\w+-]+$/.test(language) ? language : ''}\n${text}\n${fence}`;
};

const joined = (lines: unknown): string =>
  Array.isArray(lines) ? lines.map(String).join('') : typeof lines === 'string' ? lines : '';

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const records = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.map(record) : [];
