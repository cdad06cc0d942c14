import { isAbsolute, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Packages of many small modules that every start needs. Other packages stay outside the bundle: some look for their
 * own files, some are optional. `@opentelemetry/api` must be the instance that its SDK registers with.
 */
const INSIDE = [
  'ajv',
  'ajv-formats',
  '@inversifyjs',
  'busboy',
  'express',
  'helmet',
  'htmlparser2',
  'inversify',
  'ipaddr.js',
  'kysely',
  '@opentelemetry/context-async-hooks',
  '@opentelemetry/core',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/semantic-conventions',
  'pg',
  're2js',
  'rrule',
  'typebox',
  'undici',
];

/** Matches `new URL('x.ts', import.meta.url)`, which names a module that starts in a thread or a process. */
const ENTRY = /new URL\(\s*'(\.{0,2}[^']+\.ts)',\s*import\.meta\.url,?\s*\)/g;

/**
 * Bundles the program into few files: a start then reads about ten files instead of 2,700 and takes a third of the CPU
 * time. Modules that are loaded only sometimes go into separate files.
 *
 * @param folder below the project's own folder, where packages are found; its existing files stay
 * @returns the path of the file to run instead of `composition/start.mjs`
 */
export const bundleProgram = async (folder: string): Promise<string> => {
  const bundle = await rolldown({
    input: { start: `${ROOT}composition/start.mjs` },
    platform: 'node',
    external: (id, importer) => isPackage(id) && !isInside(id) && !importer?.includes('/node_modules/'),
    plugins: [ownAddresses(folder)],
  });
  try {
    await bundle.write({
      dir: folder,
      format: 'esm',
      sourcemap: true,
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
    });
  } finally {
    await bundle.close();
  }
  return join(folder, 'start.mjs');
};

const isPackage = (id: string): boolean => !id.startsWith('.') && !isAbsolute(id);

const isInside = (id: string): boolean => INSIDE.some((name) => id === name || id.startsWith(`${name}/`));

/**
 * Keeps the addresses in our modules valid: files resolve relative to the source, and started modules resolve to the
 * bundle, which includes them.
 */
const ownAddresses = (folder: string): Plugin => ({
  name: 'own-addresses',
  async transform(code, id) {
    if (id.includes('/node_modules/') || !code.includes('import.meta.url')) return null;
    const references = new Map<string, string>();
    for (const [, path] of code.matchAll(ENTRY)) {
      const file = fileURLToPath(new URL(path!, pathToFileURL(id)));
      references.set(path!, this.emitFile({ type: 'chunk', id: file }));
    }
    const here = `new URL(${JSON.stringify(relative(folder, id))}, import.meta.url).href`;
    const rewritten = code
      .replaceAll(ENTRY, (_, path: string) => `new URL(import.meta.ROLLUP_FILE_URL_${references.get(path)})`)
      .replaceAll('import.meta.url', here);
    // Lines do not move, so no source map is needed.
    return { code: rewritten, map: null };
  },
});
