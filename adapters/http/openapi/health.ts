import { PUBLIC_HEADERS } from './headers.ts';
import { describeRefusedBefore } from './problems.ts';
import type { EmitSchema, Json } from './schema.ts';
import { ErrorEnvelope } from '../schemas/common.ts';

const answer = (description: string, properties: { [name: string]: Json }): Json => ({
  description,
  headers: PUBLIC_HEADERS,
  content: {
    'application/json': { schema: { type: 'object', properties, required: Object.keys(properties) } },
  },
});
const status = { type: 'string' };
const reasons = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'What is not ready, and why',
};
const optional = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Parts that the service works without: `ready`, or why requests that need them are refused',
};

/** How the OpenAPI document describes what tells of the process: open to all, outside the base path. */
export const healthPaths = (emit: EmitSchema): { [path: string]: Json } => {
  const unreadable = {
    400: {
      description: 'invalid_request',
      headers: PUBLIC_HEADERS,
      content: { 'application/json': { schema: emit(ErrorEnvelope) } },
    },
    ...describeRefusedBefore(emit),
  };
  const operation = (
    operationId: string,
    summary: string,
    description: string,
    responses: Answers,
  ): Json => ({
    servers: [{ url: '/' }],
    get: {
      operationId,
      summary,
      description,
      tags: ['service'],
      security: [],
      responses: { ...responses, ...unreadable },
    },
  });
  return {
    '/healthz': operation(
      'getHealth',
      'Whether the process lives',
      'Looks at nothing else: a process that does not answer is to be started again.',
      { 200: answer('It does', { status }) },
    ),
    '/readyz': operation(
      'getReadiness',
      'Whether the service is ready for requests',
      'Looks at the stores and the read models; 503 says which of them is not ready, and why.',
      {
        200: answer('It is', { status, reasons, optional }),
        503: answer('It is not', { status, reasons, optional }),
      },
    ),
  };
};
type Answers = { [status: string]: Json };
