import { headersOfProblem } from './headers.ts';
import type { EmitSchema, Json } from './schema.ts';
import { type ProblemType, STATUS_OF } from '../problem.ts';
import type { AnyRoute } from '../route.ts';
import { ErrorEnvelope } from '../schemas/common.ts';
import { refusalTypesOf } from '../validation.ts';

type Responses = { [name: string]: Json };

/** Problems of every operation, but for those `OF_SCOPES` where it needs no scope. */
const ALWAYS: readonly ProblemType[] = [
  ...([
    'invalid_request',
    'missing_api_key',
    'invalid_api_key',
    'expired_api_key',
    'invalid_token',
    'expired_token',
    'insufficient_scope',
  ] as const),
  ...(['key_restricted', 'rate_limited', 'internal_error', 'history_damaged'] as const),
  ...(['unavailable', 'event_log_changed'] as const),
];

/** Refusals by what the caller may do. */
const OF_SCOPES: readonly ProblemType[] = ['insufficient_scope', 'key_restricted'];

/** Refusals by the connection, before there is a request for an operation. */
const REFUSED_BEFORE: Readonly<Record<number, readonly [type: ProblemType, meaning: string]>> = {
  408: ['invalid_request', 'the request took too long to arrive'],
  417: ['invalid_request', 'Expect was something else than 100-continue'],
  431: ['payload_too_large', 'URL and headers were larger than 16 KiB'],
};

/** The error responses by status, as references to `problemComponents`. */
export const describeProblems = (route: AnyRoute): Responses => ({
  ...Object.fromEntries(
    problemsByStatus(route).map(([status, types]) => [status, refer(nameOf(status, types))]),
  ),
  ...REFUSED_BEFORE_REQUEST,
});

/** The error responses of all routes by name, each with its possible values of `error.type`. */
export const problemComponents = (routes: readonly AnyRoute[], emit: EmitSchema): Responses => {
  const described = routes.flatMap(problemsByStatus).map(([status, types]): [string, Json] => [
    nameOf(status, types),
    {
      description: types.join(', '),
      headers: headersOfProblem(status),
      content: envelope(emit, types),
    },
  ]);
  const refused = Object.entries(REFUSED_BEFORE).map(([status, [type, meaning]]): [string, Json] => [
    nameOf(Number(status), []),
    { description: `${type}: ${meaning}`, content: envelope(emit, [type]) },
  ]);
  return Object.fromEntries([...described, ...refused].toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

/** By the status, and by the types that not every operation has. */
const nameOf = (status: number, types: readonly ProblemType[]): string =>
  [`Problem${status}`, ...types.filter((type) => !ALWAYS.includes(type))].join('.');

const refer = (name: string): Json => ({ $ref: `#/components/responses/${name}` });

export const REFUSED_BEFORE_REQUEST: Responses = Object.fromEntries(
  Object.keys(REFUSED_BEFORE).map((status) => [status, refer(nameOf(Number(status), []))]),
);

/** The error envelope with the possible types, so that a client can switch over all of them. */
const envelope = (emit: EmitSchema, types: readonly ProblemType[]): Json => ({
  'application/json': {
    schema: {
      allOf: [emit(ErrorEnvelope), { properties: { error: { properties: { type: { enum: [...types] } } } } }],
    },
  },
});

/** Types in alphabetical order. */
const problemsByStatus = (
  route: AnyRoute,
): readonly (readonly [status: number, types: readonly ProblemType[]])[] => [
  ...Map.groupBy([...problemsOf(route)].toSorted(), (type) => STATUS_OF[type]),
];

const problemsOf = (route: AnyRoute): ReadonlySet<ProblemType> => {
  const types = new Set<ProblemType>([...ALWAYS, ...(route.problems ?? [])]);
  if (route.scope === null) for (const type of OF_SCOPES) types.delete(type);
  if (route.otherResponses === undefined) types.add('not_acceptable');
  if (/\{(?:thread_|run_)?id\}/.test(route.path)) types.add('invalid_id').add('not_found');
  if (route.writes) types.add('conflict');
  if (route.body !== undefined) {
    types.add('invalid_json').add('unsupported_media_type').add('payload_too_large');
  }
  if (route.form !== undefined || route.document !== undefined)
    types.add('unsupported_media_type').add('payload_too_large');
  for (const schema of [route.query, route.body]) {
    if (schema !== undefined) for (const type of refusalTypesOf(schema)) types.add(type);
  }
  return types;
};
