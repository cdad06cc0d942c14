// How processes of trials load the program and its tests: in rounds, each with modules of its own.
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { collect } from './collected-tests.mjs';

const FRAMEWORK = new URL('./collected-tests.mjs', import.meta.url).href;
const ROOT = new URL('../../', import.meta.url).href;
const plain = new Map();
let round = 0;
/** JavaScript by file, instead of what the file holds. */
let instead = {};

const programOf = (file) => {
  const changed = instead[file];
  if (changed !== undefined) return changed;
  if (!plain.has(file)) plain.set(file, stripTypeScriptTypes(readFileSync(file, 'utf8')));
  return plain.get(file);
};

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'vitest') return { url: FRAMEWORK, shortCircuit: true };
    const found = next(specifier, context);
    const ours =
      found.url.startsWith(ROOT) && /\.ts(\?|$)/.test(found.url) && !found.url.includes('/node_modules/');
    return ours
      ? { ...found, url: `${found.url.split('?')[0]}?round=${round}`, importAttributes: {} }
      : found;
  },
  load(url, context, next) {
    if (!url.includes('?round=')) return next(url, context);
    return { format: 'module', source: programOf(fileURLToPath(url.split('?')[0])), shortCircuit: true };
  },
});

/** What loads from now on is this, wherever it is named, instead of what the files hold. */
export const beginRound = (programs) => {
  instead = programs;
  round += 1;
};

/** The tests of a file, with the modules of this round. */
export const testsIn = (file) => collect(() => import(`${pathToFileURL(resolve(file)).href}?round=${round}`));
