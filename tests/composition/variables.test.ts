import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KNOWN_VARIABLES, readConfig } from '../../composition/config/config.ts';
import { ConfigError } from '../../composition/config/environment.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const ours = (text: string): readonly string[] =>
  [...text.matchAll(/\bKNOWLEDGER_[A-Z0-9_]*[A-Z0-9]\b/g)].map(([name]) => name);
const unknown = (names: Iterable<string>): readonly string[] =>
  [...new Set(names)].filter(
    (name) => !name.startsWith('KNOWLEDGER_TEST') && !KNOWN_VARIABLES.some((known) => known === name),
  );

describe('variables that begin with KNOWLEDGER_', () => {
  it.each([
    ['KNOWLEDGER_AUHTZ', 'KNOWLEDGER_AUTHZ'],
    ['KNOWLEDGER_AUTH', 'KNOWLEDGER_AUTHZ'],
    ['KNOWLEDGER_DATADIR', 'KNOWLEDGER_DATA_DIR'],
    ['KNOWLEDGER_ROLE', 'KNOWLEDGER_ROLES'],
    ['KNOWLEDGER_DATABASE_URL', 'DATABASE_URL'],
    ['KNOWLEDGER_PORT', 'PORT'],
  ])('are refused as %s, with %s as the name that may be meant, and without their value', (name, meant) => {
    expect(() => readConfig({ [name]: 'on' }, true)).toThrow(
      new ConfigError(`${name} is not a variable of this program: did you mean ${meant}? Otherwise unset it`),
    );
  });

  it('are taken where they belong to the tests, or tell of services beside this one', () => {
    const env = {
      KNOWLEDGER_TEST_STORE: 'memory',
      KNOWLEDGER_PORT: 'tcp://10.0.0.1:3000',
      KNOWLEDGER_PORT_3000_TCP_ADDR: '10.0.0.1',
      KNOWLEDGER_API_SERVICE_HOST: '10.0.0.1',
      KNOWLEDGER_API_SERVICE_PORT_HTTP: '3000',
      OTHER_AUTHZ: 'on',
    };
    expect(() => readConfig(env, true)).not.toThrow();
  });

  it('are all known that the composition reads, or that documents, images and tests set', () => {
    const files = [
      ...globSync('{composition,docs}/**/*.{ts,mjs,md}', { cwd: ROOT }),
      'README.md',
      'compose.yaml',
      'Dockerfile',
      'tests/support/service.ts',
    ].filter((path) => !path.endsWith('config/variables.ts'));
    const found = files.flatMap((path) => ours(read(path)));
    expect(new Set(found).size).toBeGreaterThan(15);
    expect(unknown(found)).toEqual([]);
    const composed = files
      .filter((path) => path.startsWith('composition'))
      .flatMap((path) => ours(read(path)));
    const listed = KNOWN_VARIABLES.filter((name) => name.startsWith('KNOWLEDGER_'));
    expect(listed.filter((name) => !composed.includes(name))).toEqual([]);
  });

  it('are known as all others of the tables in docs/configuration.md, which list every one', () => {
    const rows = read('docs/configuration.md').matchAll(/^\| (`[A-Z].*?) \|/gm);
    const names = [...rows].flatMap(([, cell]) =>
      [...cell!.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name!),
    );
    expect(unknown(names)).toEqual([]);
    expect(KNOWN_VARIABLES.filter((known) => !names.includes(known))).toEqual([]);
  });
});
