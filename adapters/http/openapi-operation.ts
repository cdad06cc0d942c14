import type { TSchema } from 'typebox';
import { pathParametersOf } from './path-parameters.ts';
import { POSITION } from './request-headers.ts';
import type { EmitSchema, Json } from './openapi-schema.ts';
import { type ProblemType, STATUS_OF } from './problem.ts';
import type { AnyRoute } from './route.ts';
import { ErrorEnvelope } from './schemas/common.ts';

type Fields = { [name: string]: Json };

/** Problems that every operation can have. */
const ALWAYS: readonly ProblemType[] = [
  ...([
    'invalid_request',
    'missing_api_key',
    'invalid_api_key',
    'expired_api_key',
    'insufficient_scope',
  ] as const),
  ...(['key_restricted', 'rate_limited', 'internal_error', 'unavailable'] as const),
];

/** One operation of the document. */
export const describeOperation = (route: AnyRoute, emit: EmitSchema): Fields => ({
  operationId: route.operationId,
  summary: route.summary,
  ...(route.description !== undefined && { description: route.description }),
  tags: [route.tag],
  security: [{ apiKey: [] }, { bearer: [] }],
  'x-required-scope': route.scope,
  parameters: [...pathParameters(route, emit), ...queryParameters(route, emit), ...headerParameters(route)],
  ...(route.body !== undefined && {
    requestBody: {
      required: route.bodyOptional !== true,
      description:
        'At most 1 MiB of UTF-8, counted after inflating; `Content-Encoding` may be gzip, deflate or br',
      content: { 'application/json': { schema: emit(route.body) } },
    },
  }),
  responses: { ...answers(route, emit), ...problems(route, emit) },
});

const pathParameters = ({ path }: AnyRoute, emit: EmitSchema): Json[] =>
  Object.entries(pathParametersOf(path)).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema: emit(schema),
  }));

const queryParameters = ({ query }: AnyRoute, emit: EmitSchema): Json[] => {
  const { properties = {}, required = [] } = (query ?? {}) as {
    properties?: Record<string, TSchema & { type?: string; description?: string }>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(schema.description !== undefined && { description: schema.description }),
    ...(schema.type === 'array' && { style: 'form', explode: false }),
    schema: emit(schema),
  }));
};

const headerParameters = (route: AnyRoute): Json[] => {
  const header = (name: string, description: string, schema: Fields): Json => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', ...schema },
  });
  const own = Object.entries(route.headers ?? {}).map(([name, text]) => header(name, text, {}));
  if (route.idempotent) {
    const text = 'The same key with the same body gives the first answer again';
    own.push(header('idempotency-key', text, { pattern: '^[\\x21-\\x7e]{1,255}$' }));
  }
  if (route.reads !== undefined) {
    const text = 'The `x-position` of a write: the read waits, at most 2 s, until it is visible';
    own.push(header('x-min-position', text, { pattern: POSITION }));
  }
  return own;
};

const answers = (route: AnyRoute, emit: EmitSchema): Fields => {
  const described: Fields = {};
  for (const [status, schema] of Object.entries(route.answers as Record<string, TSchema>)) {
    const headers: Fields = {};
    if (status === '201') headers['location'] = text('Path of what was created');
    if (route.writes)
      headers['x-position'] = text('Where the write stands in the log: send it as x-min-position');
    const streams = Object.entries(status === '200' ? (route.streams ?? {}) : {}).map(
      ([type, description]) => [type, { schema: { type: 'string', description } }],
    );
    described[status] = {
      description: MEANINGS[status] ?? 'Done',
      ...(Object.keys(headers).length > 0 && { headers }),
      content: { 'application/json': { schema: emit(schema) }, ...Object.fromEntries(streams) },
    };
  }
  return { ...described, ...(route.otherAnswers as Fields | undefined) };
};

const MEANINGS: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted; the work goes on',
};
const text = (description: string): Json => ({ description, schema: { type: 'string' } });

/** The error answers by status, each naming the values of `error.type` that it can have. */
const problems = (route: AnyRoute, emit: EmitSchema): Fields => {
  const types = new Set<ProblemType>([...ALWAYS, ...(route.problems ?? [])]);
  if (route.otherAnswers === undefined) types.add('not_acceptable');
  if (route.path.includes('{id}')) types.add('invalid_id').add('not_found');
  if (route.writes) types.add('conflict');
  const query = Object.keys((route.query as { properties?: object } | undefined)?.properties ?? {});
  if (query.includes('limit')) types.add('invalid_limit');
  if (query.includes('next_id')) types.add('invalid_cursor');
  if (route.body !== undefined) {
    types.add('invalid_json').add('unsupported_media_type').add('payload_too_large').add('invalid_id');
  }
  const byStatus = Map.groupBy(types, (type) => STATUS_OF[type]);
  const described = [...byStatus].map(([status, some]): [string, Json] => [
    String(status),
    {
      description: some.toSorted().join(', '),
      ...((status === 429 || status === 503) && { headers: { 'retry-after': text('Seconds to wait') } }),
      content: { 'application/json': { schema: emit(ErrorEnvelope) } },
    },
  ]);
  return Object.fromEntries(described);
};
