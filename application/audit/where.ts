import { canonicalJson } from '../../domain/proof/canonical-json.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import { traceIdOf } from '../../domain/trace-context.ts';
import { readMetadata } from '../event-sourcing/event-codec.ts';
import type { JsonValue, RecordedEvent } from '../ports/event-store.ts';

/**
 * Conditions on single values of an event as readers of the log see it: JSON Pointers (RFC 6901), and the value that each
 * leads to. All of them hold.
 */
export type Where = { readonly [pointer: string]: JsonValue };

/** An event as readers of the log see it, but for its place and time. */
export const shownEvent = ({ id, stream, revision, type, data, metadata }: RecordedEvent) => {
  const { actor, tenant, correlationId, causationId, traceparent } = readMetadata(metadata);
  return {
    id,
    stream,
    revision: Number(revision),
    type,
    actor: { ...actor, tenant },
    correlation_id: correlationId,
    causation_id: causationId,
    trace_id: traceIdOf(traceparent),
    data,
  };
};

const BEGINNINGS = [
  'id',
  'stream',
  'revision',
  'type',
  'actor',
  'correlation_id',
  'causation_id',
  'trace_id',
  'data',
];
const MAX_CONDITIONS = 20;
const EXAMPLE = '{"/data/job_id":"…","/actor/kind":"worker"}';

/** @throws DomainError invalid_request for a text that is no `Where` */
export const parseWhere = (text: string): Where => {
  const where = objectIn(text);
  const pointers = Object.keys(where);
  if (pointers.length === 0 || pointers.length > MAX_CONDITIONS)
    throw refusal(`has 1 to ${MAX_CONDITIONS} conditions, as ${EXAMPLE}`);
  for (const pointer of pointers) {
    if (!/^(\/([^~]|~[01])*)+$/.test(pointer))
      throw refusal(
        `names values by JSON Pointers (RFC 6901) such as /data/job_id, not ${JSON.stringify(pointer)}`,
      );
    if (!BEGINNINGS.includes(namesOf(pointer)[0]!))
      throw refusal(`looks into an event: ${pointer} must begin with one of /${BEGINNINGS.join(', /')}`);
  }
  return where;
};

const refusal = (rule: string): DomainError => new DomainError('invalid_request', `where ${rule}`);

const objectIn = (text: string): Where => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // As what is no object.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Where;
  throw refusal(`is an object of JSON, as ${EXAMPLE}`);
};

const namesOf = (pointer: string): readonly string[] =>
  pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Which events, by what no store looks for. */
export interface ShownFilter {
  readonly where?: Where;
  /** The beginning of the name of the stream. */
  readonly streamPrefix?: string;
}

/** Answers whether an event, without what its reader may not see, is asked for. */
export const createShownFilter = ({
  where = {},
  streamPrefix = '',
}: ShownFilter): ((event: RecordedEvent) => boolean) => {
  const conditions = Object.entries(where).map(([pointer, value]) => ({
    names: namesOf(pointer),
    text: canonicalJson(value),
  }));
  return (event) => {
    if (!event.stream.startsWith(streamPrefix)) return false;
    if (conditions.length === 0) return true;
    const shown = shownEvent(event);
    return conditions.every(({ names, text }) => {
      const value = valueAt(shown, names);
      return value !== undefined && canonicalJson(value) === text;
    });
  };
};

const valueAt = (value: unknown, names: readonly string[]): unknown => {
  for (const name of names) {
    const isMember = typeof value === 'object' && value !== null && Object.keys(value).includes(name);
    if (!isMember) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
};
