import type { TSchema } from 'typebox';
import { HEALTH_PATHS } from './health.ts';
import { describeOperation } from './openapi-operation.ts';
import { createSchemaEmitter, type Json } from './openapi-schema.ts';
import type { AnyRoute } from './route.ts';

/** The OpenAPI 3.1 document of the routes: what they validate is what it says. */
export const openApiDocument = (
  routes: readonly AnyRoute[],
  components: Readonly<Record<string, TSchema>>,
  basePath: string,
): Json => {
  const emit = createSchemaEmitter(components);
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = describeOperation(route, emit);
  const tags = [...new Set(routes.map(({ tag }) => tag)), 'service'];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Knowledger',
      version: '1.0.0',
      description: 'Ingestion, retrieval and the audit trail of every job.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: basePath }],
    tags: tags.map((name) => ({ name })),
    paths: { ...paths, ...HEALTH_PATHS },
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key; both at once must be equal' },
      },
      schemas: Object.fromEntries(
        Object.entries(components).map(([name, schema]) => [name, emit(schema, true)]),
      ),
    },
  };
};
