import { posix } from 'node:path';
import type { ModuleSource } from './module-source.ts';

/** Files by their path from the root of the project. */
export type Files = ReadonlyMap<string, ModuleSource>;

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
  clients: [],
  domain: [],
  application: ['domain'],
  adapters: ['domain', 'application', 'clients'],
  composition: ['domain', 'application', 'adapters', 'clients'],
};
/** Adapters that others may import; they themselves import none. */
const COMMON = new Set(['adapters/http-client', 'adapters/event-feed', 'adapters/system']);
const PURE = new Set(['domain', 'application']);

/** Rooms of `application`, lowest first: each may import those before it. */
const ROOMS = [
  'ports',
  'event-sourcing',
  'read-models',
  'access',
  'history',
  'redaction',
  'audit',
  'webhooks',
  'jobs',
  'sources',
  'search',
  'answers',
  'agents',
];
const ROOM = /^application\/([^/]+)\//;
const roomOf = (path: string): string | null => ROOM.exec(path)?.[1] ?? null;

/** Jobs run work of any kind, so they know no aggregate. */
const KNOWS_NO_AGGREGATE = 'jobs';
const AGGREGATE = /^domain\/(?!shared\/)[^/]+\//;

/** Kinds of sources that find their items in their own way: composition alone knows them, and none knows another. */
const CONNECTOR = /^application\/sources\/(crawl|local-files|push-connector)\//;
const connectorOf = (path: string): string | null => CONNECTOR.exec(path)?.[1] ?? null;

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
  const room = roomOf(path);
  const otherRoom = roomOf(target);
  if (layer === 'application' && (room === null || !ROOMS.includes(room))) {
    return `imports ${target} from no room of application`;
  }
  if (room !== null && otherRoom !== null && ROOMS.indexOf(otherRoom) > ROOMS.indexOf(room)) {
    return `imports ${target}: ${room} lies below ${otherRoom}`;
  }
  if (room === KNOWS_NO_AGGREGATE && AGGREGATE.test(target)) {
    return `imports ${target}: ${room} knows no aggregate`;
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
const INDEX_OF_CLIENT = 'clients/typescript/src/index.ts';

const ownViolations = ({ path, globals, readsEnvironment, isBarrel }: ModuleSource): readonly string[] => {
  const layer = layerOf(path);
  const isIndex = INDEX_OF_AGGREGATE.test(path) || path === INDEX_OF_CLIENT;
  return [
    ...(PURE.has(layer)
      ? globals.map((name) => `uses ${name}: time, chance and the world enter by ports`)
      : []),
    ...(readsEnvironment && layer !== 'composition' ? ['reads process.env: only composition may'] : []),
    ...(INDEX.test(path) && !isIndex ? ['is an index.ts outside an aggregate'] : []),
    ...(isBarrel && !isIndex ? ['is a barrel: it only re-exports'] : []),
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
