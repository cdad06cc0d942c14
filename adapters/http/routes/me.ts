import Type from 'typebox';
import { SCOPES } from '../../../domain/api-key/decider.ts';
import { ok } from '../json-response.ts';
import { type AnyRoute, route } from '../route.ts';
import { Id } from '../schemas/common.ts';

export const Me = Type.Object({
  kind: Type.Enum(['api_key', 'person']),
  id: Type.String({ description: 'Of the key, or of the person: the `id` of the `actor` of events' }),
  name: Type.Optional(Type.String({ description: 'Absent: the token of the person tells none' })),
  scopes: Type.Array(Type.Enum([...SCOPES])),
  source_group_ids: Type.Optional(
    Type.Array(Id, { description: 'The only source groups that you reach; absent: all of them' }),
  ),
});

export const meRoutes: readonly AnyRoute[] = [
  route({
    tag: 'service',
    scope: null,
    method: 'get',
    path: '/me',
    operationId: 'getMe',
    summary: 'See who you are, and what you may do',
    description:
      'The key or the person that the request comes from. It needs no scope, so that a program can tell before it asks ' +
      'what it would be refused.',
    reads: [],
    answers: { 200: Me },
    handler: async ({ caller: { id, name, grant, context } }) => {
      const { scopes, sourceGroupIds } = grant;
      return ok({
        kind: context.actor.kind === 'person' ? ('person' as const) : ('api_key' as const),
        id,
        ...(name !== undefined && { name }),
        scopes: [...scopes],
        ...(sourceGroupIds !== null && { source_group_ids: [...sourceGroupIds] }),
      });
    },
  }),
];
