import { headersOfProblem } from './headers.ts';
import type { EmitSchema, Json } from './schema.ts';
import { type ProblemType, STATUS_OF } from '../problem.ts';
import type { AnyRoute } from '../route.ts';
import { ErrorEnvelope } from '../schemas/common.ts';
import { refusalTypesOf } from '../validation.ts';

type Answers = { [status: string]: Json };

/** Problems that every operation can have. */
const ALWAYS: readonly ProblemType[] = [
  ...([
    'invalid_request',
    'missing_api_key',
    'invalid_api_key',
    'expired_api_key',
    'insufficient_scope',
  ] as const),
  ...(['key_restricted', 'rate_limited', 'internal_error', 'unavailable', 'event_log_changed'] as const),
];

/** What is refused before a request is one: by the connection, which knows of no operation. */
const REFUSED_BEFORE: Readonly<Record<number, readonly [type: ProblemType, meaning: string]>> = {
  408: ['invalid_request', 'the request took too long to arrive'],
  417: ['invalid_request', 'Expect was something else than 100-continue'],
  431: ['payload_too_large', 'URL and headers were larger than 16 KiB'],
};

/** The error answers by status, each with the values of `error.type` that it can have. */
export const describeProblems = (route: AnyRoute, emit: EmitSchema): Answers => {
  const byStatus = Map.groupBy(problemsOf(route), (type) => STATUS_OF[type]);
  const described = [...byStatus].map(([status, types]): [string, Json] => [
    String(status),
    {
      description: types.toSorted().join(', '),
      headers: headersOfProblem(status),
      content: envelope(emit, types),
    },
  ]);
  return { ...Object.fromEntries(described), ...describeRefusedBefore(emit) };
};

export const describeRefusedBefore = (emit: EmitSchema): Answers =>
  Object.fromEntries(
    Object.entries(REFUSED_BEFORE).map(([status, [type, meaning]]) => [
      status,
      { description: `${type}: ${meaning}`, content: envelope(emit, [type]) },
    ]),
  );

/** The envelope with the types that there can be: a client that switches over them is told of each. */
const envelope = (emit: EmitSchema, types: readonly ProblemType[]): Json => ({
  'application/json': {
    schema: {
      allOf: [
        emit(ErrorEnvelope),
        { properties: { error: { properties: { type: { enum: types.toSorted() } } } } },
      ],
    },
  },
});

const problemsOf = (route: AnyRoute): ReadonlySet<ProblemType> => {
  const types = new Set<ProblemType>([...ALWAYS, ...(route.problems ?? [])]);
  if (route.otherAnswers === undefined) types.add('not_acceptable');
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
