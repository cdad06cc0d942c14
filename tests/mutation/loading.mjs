// Loads the program and its tests in rounds, each with modules of its own.
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { collected } from './framework.mjs';

const ROOT = new URL('../../', import.meta.url).href;
const FRAMEWORK = new URL('./framework.mjs', import.meta.url).href;
const isOurs = (url) => url.startsWith(ROOT) && /\.ts(\?|$)/.test(url) && !url.includes('/node_modules/');
let round = 0;
/** JavaScript by file, loaded instead of the file. */
let replaced = {};

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'vitest') return { url: FRAMEWORK, shortCircuit: true };
    const found = next(specifier, context);
    return isOurs(found.url)
      ? { ...found, url: `${found.url.split('?')[0]}?round=${round}`, importAttributes: {} }
      : found;
  },
  load(url, context, next) {
    if (!url.includes('?round=')) return next(url, context);
    const file = fileURLToPath(url.split('?')[0]);
    const source = replaced[file] ?? stripTypeScriptTypes(readFileSync(file, 'utf8'));
    return { format: 'module', source, shortCircuit: true };
  },
});

/** From now on every module is loaded anew, with these programs in place of their files. */
export const loadAnew = (programs) => {
  replaced = programs;
  round += 1;
};

/** The tests that a file defines. */
export const testsIn = (file) =>
  collected(() => import(`${pathToFileURL(resolve(file)).href}?round=${round}`));
