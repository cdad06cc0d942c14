import { posix } from 'node:path';
import type { ModuleSource } from './module-source.ts';

/** Files by their path from the root of the project. */
export type Files = ReadonlyMap<string, ModuleSource>;

const MOST_LINES = 250;
export const MANY_LINES = 150;

const layerOf = (path: string): string => path.slice(0, path.indexOf('/'));
/** `adapters/postgres`, whatever lies below it. */
const adapterOf = (path: string): string => path.split('/').slice(0, 2).join('/');
const isRelative = (specifier: string): boolean => specifier.startsWith('.');
/** `@scope/name` or `name`, without the path into the package. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const INJECTION = new Set(['inversify', 'reflect-metadata']);
/** Layers that a layer may import beside itself. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  application: ['domain'],
  adapters: ['domain', 'application'],
  composition: ['domain', 'application', 'adapters'],
};
/** What adapters of one kind have in common: they may import it, and it imports no adapter. */
const COMMON = new Set(['adapters/provider', 'adapters/event-feed', 'adapters/json-schema']);
const PURE = new Set(['domain', 'application']);

/**
 * Rooms that are for every feature, and the folders that they may import. `application/*` stands for the files that lie
 * directly there, `domain/` for every folder of it.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'application/work/': [
    'application/work/',
    'application/ports/',
    'application/folding/',
    'application/*',
    'domain/shared/',
  ],
  // Read models among others: a port says what it answers, and whoever makes that goes by the port.
  'application/ports/': ['application/ports/', 'application/content/', 'application/*', 'domain/'],
};
const FOLDER = /^[^/]+\/[^/]+\//;

/** `application/connectors/crawl`; null elsewhere. Nothing below composition knows one but its own files. */
const CONNECTOR = /^application\/connectors\/[^/]+/;
const connectorOf = (path: string): string | null => CONNECTOR.exec(path)?.[0] ?? null;

/** The file that a relative import means. */
const targetOf = (path: string, specifier: string): string => posix.join(posix.dirname(path), specifier);

const fileViolation = (path: string, specifier: string, files: Files): string | null => {
  const target = targetOf(path, specifier);
  const layer = layerOf(path);
  const other = layerOf(target);
  if (target.startsWith('..') || !(other === layer || BELOW[layer]?.includes(other) === true)) {
    return `imports ${target}: ${layer} may not know ${other}`;
  }
  const isReachable =
    adapterOf(path) === adapterOf(target) || (COMMON.has(adapterOf(target)) && !COMMON.has(adapterOf(path)));
  if (layer === 'adapters' && other === 'adapters' && !isReachable) {
    return `imports ${target}: adapters do not know each other`;
  }
  if (PURE.has(layer) && connectorOf(target) !== null && connectorOf(target) !== connectorOf(path)) {
    return `imports ${target}: only composition knows connectors, and none knows another`;
  }
  const [room, allowed] = Object.entries(ROOMS).find(([name]) => path.startsWith(name)) ?? [];
  const place = FOLDER.exec(target)?.[0] ?? `${other}/*`;
  if (allowed !== undefined && !allowed.some((one) => one === place || one === `${other}/`)) {
    return `imports ${target}: ${room} is for all features, and knows none`;
  }
  return files.has(target) ? null : `imports ${target}: there is no such file`;
};

const packageViolation = (path: string, specifier: string, packages: ReadonlySet<string>): string | null => {
  const layer = layerOf(path);
  if (PURE.has(layer)) return `imports ${specifier}: ${layer} knows no package and no node: module`;
  if (layer !== 'composition' && INJECTION.has(packageOf(specifier))) {
    return `imports ${specifier}: only composition injects`;
  }
  if (layer !== 'composition' && specifier === 'node:process') {
    return `imports ${specifier}: only composition reads the environment`;
  }
  const known = specifier.startsWith('node:') || packages.has(packageOf(specifier));
  return known ? null : `imports ${specifier}: not among the dependencies of package.json`;
};

const importViolation = (
  { path }: ModuleSource,
  specifier: string | null,
  files: Files,
  packages: ReadonlySet<string>,
): string | null => {
  if (specifier === null) {
    return PURE.has(layerOf(path)) ? 'imports a module whose name is computed' : null;
  }
  return isRelative(specifier)
    ? fileViolation(path, specifier, files)
    : packageViolation(path, specifier, packages);
};

const INDEX = /(^|\/)index\.ts$/;
const INDEX_OF_AGGREGATE = /^domain\/[^/]+\/index\.ts$/;

const ownViolations = ({
  path,
  globals,
  readsEnvironment,
  isBarrel,
  lines,
}: ModuleSource): readonly string[] => {
  const layer = layerOf(path);
  const isIndex = INDEX_OF_AGGREGATE.test(path);
  return [
    ...(PURE.has(layer)
      ? globals.map((name) => `uses ${name}: time, chance and the world enter by ports`)
      : []),
    ...(readsEnvironment && layer !== 'composition' ? ['reads process.env: only composition may'] : []),
    ...(INDEX.test(path) && !isIndex ? ['is an index.ts outside an aggregate'] : []),
    ...(isBarrel && !isIndex ? ['is a barrel: it only re-exports'] : []),
    ...(lines > MOST_LINES ? [`has ${lines} lines, more than ${MOST_LINES}`] : []),
  ];
};

/** Every breach of a rule, as `path what it does`. `packages`: the dependencies of package.json. */
export const violations = (files: Files, packages: ReadonlySet<string>): readonly string[] =>
  [...files.values()].flatMap((file) =>
    [
      ...file.imports.map((specifier) => importViolation(file, specifier, files, packages)),
      ...ownViolations(file),
    ].flatMap((found) => (found === null ? [] : [`${file.path} ${found}`])),
  );

/** Every cycle once, as the paths along it, the first repeated at the end. */
export const cycles = (files: Files): readonly string[] => {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path].join(' -> '));
    if (start >= 0 || done.has(path)) return;
    for (const specifier of files.get(path)?.imports ?? []) {
      if (specifier !== null && isRelative(specifier)) visit(targetOf(path, specifier), [...trail, path]);
    }
    done.add(path);
  };
  for (const path of files.keys()) visit(path, []);
  return found;
};
