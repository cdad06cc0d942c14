import { type Extensions, isAtLeast } from '../adapters/postgres/extensions.ts';
import { type Graphs, LEAST_VERSION } from '../adapters/postgres/vectors/graph-tables.ts';
import type { Logger } from '../application/ports/logger.ts';

const NOT_USED = 'vectors are searched without pgvector';

/**
 * Where pgvector can be used; null, without a word, where the server does not have it. What a database administrator
 * can do is told once.
 */
export const vectorGraphs = ({ usable, refused }: Extensions, log: Logger): Graphs | null => {
  const reason = refused.get('vector');
  if (reason !== undefined)
    log.warn(NOT_USED, {
      reason,
      remedy: 'a superuser runs CREATE EXTENSION vector in this database; then restart',
    });
  const extension = usable.get('vector');
  if (extension === undefined) return null;
  const { version, schema } = extension;
  if (!isAtLeast(version, LEAST_VERSION)) {
    const remedy = `the owner of the extension runs ALTER EXTENSION vector UPDATE, to ${LEAST_VERSION} or later; then restart`;
    log.warn(NOT_USED, { version, remedy });
    return null;
  }
  return graphsIn(schema, log);
};

/** Graphs by pgvector of this schema. What is wrong with them is told once, until it is something else. */
export const graphsIn = (schema: string, log: Pick<Logger, 'warn'>): Graphs => {
  let told = '';
  return {
    schema,
    onError: ({ message }) => {
      if (message !== told) log.warn(NOT_USED, { reason: message });
      told = message;
    },
  };
};
