import { type Caller, ownPrincipal } from '../../application/access/caller.ts';
import { HttpProblem } from './problem.ts';
import type { TSchema } from 'typebox';

/**
 * A query or body of a request, where its schema has `principal_id` with that of the caller, if there is one that the
 * caller must keep to.
 *
 * @throws HttpProblem insufficient_scope for another principal
 */
export const withOwnPrincipal = <T>(
  caller: Caller,
  schema: TSchema & { readonly properties?: object },
  given: T,
): T => {
  const own = ownPrincipal(caller);
  if (own === null || schema.properties === undefined || !('principal_id' in schema.properties)) return given;
  const { principal_id: named = own } = given as { readonly principal_id?: string };
  if (named === own) return { ...given, principal_id: own };
  throw new HttpProblem(
    'insufficient_scope',
    'you act as your own principal: leave out principal_id, since naming another needs the scope authz:grant',
  );
};
