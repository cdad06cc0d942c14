import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../composition/bundling/bundle.ts';

/** Inside of the project, where the bundle finds the packages that it leaves out, and Node keeps what it compiles. */
const PLACE = fileURLToPath(new URL('../../node_modules/.cache/knowledger', import.meta.url));
const DAY_MS = 86_400_000;

/**
 * The program in a bundle, as `npm run bundle` makes it. Runs of the same sources share it, so that Node compiles it
 * once.
 *
 * @returns the path of its start.mjs
 */
export const prepareProgram = async (): Promise<string> => {
  await mkdir(PLACE, { recursive: true });
  const made = await mkdtemp(join(PLACE, 'new-'));
  await bundleProgram(made);
  const folder = join(PLACE, await nameOf(made));
  // Another run may have made the same one meanwhile.
  await rename(made, folder).catch(() => rm(made, { recursive: true, force: true }));
  await forgetOthers(folder);
  return join(folder, 'start.mjs');
};

/** The names of its files say what is in them, but that of the first. */
const nameOf = async (folder: string): Promise<string> => {
  const names = (await readdir(folder)).toSorted().join('\n');
  return createHash('sha256').update(names).digest('hex').slice(0, 16);
};

const forgetOthers = async (kept: string): Promise<void> => {
  for (const name of await readdir(PLACE)) {
    const folder = join(PLACE, name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
    if (folder !== kept && mtimeMs < Date.now() - DAY_MS) await rm(folder, { recursive: true, force: true });
  }
};
