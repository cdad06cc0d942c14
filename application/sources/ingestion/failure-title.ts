import type { JobErrorTitle } from '../../../domain/data-source/index.ts';

/** The phrase for a job that ends because its documents could not be read; undefined for codes of other failures. */
export const titleOfReadFailure = (code: string): JobErrorTitle | undefined => TITLES.get(code);

const TITLES: ReadonlyMap<string, JobErrorTitle> = new Map([
  ['parser_failed', 'Parser failed'],
  ['out_of_memory', 'Parser failed'],
  ['encrypted', 'Parser failed'],
  ['empty', 'Parser failed'],
  ['mislabelled', 'Parser failed'],
  ['truncated', 'Parser failed'],
]);
