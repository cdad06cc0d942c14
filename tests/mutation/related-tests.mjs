import { globSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';

const IMPORTED = /(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g;
/** Tests of what decides: they need no database and no service. */
const TESTS = 'tests/{domain,application}/**/*.test.ts';
/** Only with what starts a database or a service. */
const WITH_SERVERS =
  /tests\/support\/(ask-broker|postgres|global-|service|shared-service|s3-server|pglite)|tests\/application\/connectors\/(?!(?:crawl|local-files|push)\/)/;

/** Test files that import one of the files, directly or by others: those of the same folders, and the rest. */
export const relatedTests = (files) => {
  const imported = new Map();
  const direct = (file) => {
    if (!imported.has(file)) {
      const source = readFileSync(file, 'utf8');
      imported.set(
        file,
        [...source.matchAll(IMPORTED)].map(([, path]) => resolve(file, '..', path)),
      );
    }
    return imported.get(file);
  };
  const wanted = new Set(files);
  const related = globSync(TESTS)
    .toSorted()
    .map((file) => resolve(file))
    .filter((test) => {
      const seen = new Set([test]);
      for (const file of seen) for (const next of direct(file)) seen.add(next);
      return [...seen].some((file) => wanted.has(file)) && ![...seen].some((file) => WITH_SERVERS.test(file));
    });
  const folders = new Set(files.map(folderOf));
  const near = (test) => folders.has(folderOf(test));
  return { near: related.filter(near), far: related.filter((test) => !near(test)) };
};

/** `domain/tag`, of the program and of its tests; `application` of what is in no folder of it. */
const folderOf = (file) =>
  relative('.', file)
    .replace(/^tests\//, '')
    .split('/')
    .slice(0, -1)
    .slice(0, 2)
    .join('/');
