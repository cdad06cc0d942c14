import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program on the `PATH`; null, which the output tells, where it is missing: its tests are skipped then. */
export const programHere = (name: string): string | null => {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found === undefined) console.warn(`${name} is not here: tests that need it are skipped`);
  return found ?? null;
};
