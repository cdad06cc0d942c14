import { readFileSync } from 'node:fs';

/** Of this program, as its package has it. */
export const programVersion = (): string => {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
};
