// Plain JavaScript on purpose: see start.mjs. Older Nodes have no compile cache, so nothing is imported by name.
import { statSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Lets Node cache compiled sources: the next start needs half the CPU time. The cache is in `node_modules`, which `npm
 * ci` empties, and is used only if that folder belongs to the user of this process: another user's folder is not
 * written to, and a temporary folder would let others plant code. `NODE_COMPILE_CACHE` names another folder.
 */
export const keepCompiled = (
  modules = fileURLToPath(new URL('../node_modules', import.meta.url)),
  user = process.getuid?.(),
) => {
  if (process.env.NODE_COMPILE_CACHE) return;
  const owner = statSync(modules, { throwIfNoEntry: false })?.uid;
  if (user === undefined || owner !== user) return;
  module.enableCompileCache(join(modules, '.cache', 'node'));
};
