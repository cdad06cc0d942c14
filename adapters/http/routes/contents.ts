import type { SourceOperations } from '../../../application/sources/documents/operations.ts';
import { contentRecord } from './sources.ts';
import { ok } from '../json-response.ts';
import { onBehalfOfIn } from '../request-headers.ts';
import { type AnyRoute, route } from '../route.ts';
import { Content, ContentQuery } from '../schemas/source.ts';

export const contentRoutes = (sources: SourceOperations): readonly AnyRoute[] => [
  route({
    tag: 'contents',
    scope: 'knowledge:read',
    method: 'get',
    path: '/contents/{id}',
    operationId: 'getContent',
    summary: 'Get one indexed content chunk',
    description:
      'Its id lasts as long as its text: a sync that finds the same text keeps it, so that citations stay good.',
    query: ContentQuery,
    reads: ['catalog'],
    answers: { 200: Content },
    problems: ['authz_policy_not_found'],
    handler: async ({ caller, id, query }) =>
      ok(contentRecord(await sources.content(caller, id, onBehalfOfIn(query)))),
  }),
];
