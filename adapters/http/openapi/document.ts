import type { TSchema } from 'typebox';
import { publicPaths } from './docs.ts';
import { describeOperation } from './operation.ts';
import { type Json, schemaEmitterOf } from './schema.ts';
import { HEADER_COMPONENTS } from './headers.ts';
import { problemComponents } from './problems.ts';
import type { AnyRoute } from '../route.ts';
import { API_HEADERS } from '../request-headers.ts';

const HARDENING = [...new Set(API_HEADERS.map(([name]) => name))].toSorted().join(', ');
const DESCRIPTION =
  'Ingestion, retrieval and the audit trail of every job. Every path answers OPTIONS and HEAD beside GET; any other ' +
  'method is 405 with `allow`. Beside the headers of each answer there are those of the connection, ' +
  `those that keep browsers from doing anything with it (${HARDENING}), and, for origins that are let in, those of CORS ` +
  '(access-control-*, vary). Agents reach the same knowledge by the Model Context Protocol: streamable HTTP at `/mcp`, ' +
  'with the same keys, and the scope knowledge:read or inference:run.';

/** The OpenAPI 3.1 document of the routes, from the same schemas that validate requests. */
export const openApiDocument = (
  routes: readonly AnyRoute[],
  components: Readonly<Record<string, TSchema>>,
  basePath: string,
): Json => {
  const emit = schemaEmitterOf(components);
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = describeOperation(route, emit);
  const tags = [...new Set([...routes.map(({ tag }) => tag), 'service'])];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Knowledger',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: basePath }],
    tags: tags.map((name) => ({ name })),
    paths: { ...paths, ...publicPaths(emit) },
    components: {
      headers: HEADER_COMPONENTS,
      responses: problemComponents(routes, emit),
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The same key; both at once must be equal. Or the token of a person who signed in, a JSON Web Token of the issuer that the operator has configured',
        },
      },
      schemas: Object.fromEntries(
        Object.entries(components).map(([name, schema]) => [name, emit(schema, true)]),
      ),
    },
  };
};
