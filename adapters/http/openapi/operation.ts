import type { TSchema } from 'typebox';
import { pathParametersOf } from '../parameters.ts';
import { POSITION } from '../request-headers.ts';
import { COMMON_HEADERS, headersOfAnswer } from './headers.ts';
import { describeProblems } from './problems.ts';
import type { EmitSchema, Json } from './schema.ts';
import type { AnyRoute } from '../route.ts';

type Fields = { [name: string]: Json };

/** One operation of the document. */
export const describeOperation = (route: AnyRoute, emit: EmitSchema): Fields => ({
  operationId: route.operationId,
  summary: route.summary,
  ...(route.description !== undefined && { description: route.description }),
  tags: [route.tag],
  security: [{ apiKey: [] }, { bearer: [] }],
  ...(route.scope !== null && { 'x-required-scope': route.scope }),
  parameters: [...pathParameters(route, emit), ...queryParameters(route, emit), ...headerParameters(route)],
  ...(route.body !== undefined && {
    requestBody: {
      required: route.bodyOptional !== true,
      description:
        'At most 1 MiB of UTF-8, counted after inflating; `Content-Encoding` may be gzip, deflate or br',
      content: { 'application/json': media(route.body, emit) },
    },
  }),
  ...(route.form !== undefined && {
    requestBody: {
      required: true,
      description: route.form.description,
      content: { 'multipart/form-data': media(route.form.schema, emit) },
    },
  }),
  ...(route.document !== undefined && {
    requestBody: {
      required: true,
      description: route.document.description,
      content: {
        '*/*': { schema: { type: 'string', format: 'binary' }, example: '# Ticket 7' },
        'multipart/form-data': media(route.document.form, emit),
      },
    },
  }),
  responses: { ...answers(route, emit), ...describeProblems(route) },
});

/** The first example of a schema where the document's readers look for it, so that each operation can be tried as it stands. */
const exampleOf = ({ examples }: { readonly examples?: readonly unknown[] }): Fields =>
  examples === undefined ? {} : { example: examples[0] as Json };

const media = (schema: TSchema, emit: EmitSchema): Fields => ({ schema: emit(schema), ...exampleOf(schema) });

const pathParameters = ({ path }: AnyRoute, emit: EmitSchema): Json[] =>
  Object.entries(pathParametersOf(path)).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    ...exampleOf(schema),
    schema: emit(schema),
  }));

const queryParameters = ({ query }: AnyRoute, emit: EmitSchema): Json[] => {
  const { properties = {}, required = [] } = (query ?? {}) as {
    properties?: Record<string, TSchema & { type?: string; description?: string; examples?: unknown[] }>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(schema.description !== undefined && { description: schema.description }),
    ...exampleOf(schema),
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
    const text = 'The same key with the same body repeats the first response';
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
    described[status] = {
      description: MEANINGS[status] ?? 'Done',
      headers: headersOfAnswer(route, status),
      content: {
        'application/json': { schema: emit(schema) },
        ...(status === '200' && streams(route, emit)),
      },
    };
  }
  if (route.noContent !== undefined)
    described['204'] = { description: route.noContent, headers: COMMON_HEADERS };
  for (const [status, answer] of Object.entries(route.otherResponses ?? {})) {
    const { headers, ...rest } = answer as { headers?: Fields };
    described[status] = { ...rest, headers: { ...COMMON_HEADERS, ...headers } };
  }
  return described;
};

/** OpenAPI 3.1 has no schema for the parts of a stream: `contentSchema` describes one line or one `data`. */
const streams = (route: AnyRoute, emit: EmitSchema): Fields =>
  Object.fromEntries(
    Object.entries(route.streams ?? {}).map(([type, { description, part }]) => [
      type,
      {
        schema: {
          type: 'string',
          description,
          ...(part !== undefined && { contentMediaType: 'application/json', contentSchema: emit(part) }),
        },
      },
    ]),
  );

const MEANINGS: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted; the work goes on',
};
