import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { PrincipalArguments } from './filter-arguments.ts';

const SCHEME = 'knowledger:';
const BASE = `${SCHEME}//contents/`;
const MAX_CHARACTERS = 1_000;
const PRINCIPAL = 'principal_id';
const POLICY = 'authz_policy';

/**
 * RFC 6570, level 3: `{id}` is the id of a content; the query says on whose behalf it is read, unless that is fixed.
 */
export const CONTENT_URI_TEMPLATE = `${BASE}{id}{?${PRINCIPAL},${POLICY}}`;

/**
 * Builds the URI of a content. It is valid as long as the content's id. Pass the principal and the policy of the request
 * that found the content: the URI is read on behalf of the same.
 */
export const contentUri = (id: string, { principalId, authzPolicy }: PrincipalArguments = {}): string => {
  const query = new URLSearchParams();
  if (principalId !== undefined) query.set(PRINCIPAL, principalId);
  if (authzPolicy !== undefined) query.set(POLICY, authzPolicy);
  return `${BASE}${id}${query.size === 0 ? '' : `?${query.toString()}`}`;
};

/** @throws DomainError invalid_request when `uri` is not the URI of a content */
export const readContentUri = (
  uri: string,
): { readonly id: string; readonly principal: PrincipalArguments } => {
  const url = uri.length > MAX_CHARACTERS ? null : URL.parse(uri);
  const id = url?.pathname.slice(1) ?? '';
  const isName = url?.protocol === SCHEME && url.host === 'contents' && url.hash === '';
  if (url === null || !isName || !UUID.test(id)) {
    throw new DomainError(
      'invalid_request',
      `this is not the URI of a content; its format is ${CONTENT_URI_TEMPLATE}`,
    );
  }
  const { searchParams } = url;
  const [principalId, authzPolicy] = [searchParams.get(PRINCIPAL), searchParams.get(POLICY)];
  return {
    id: id.toLowerCase(),
    principal: { ...(principalId !== null && { principalId }), ...(authzPolicy !== null && { authzPolicy }) },
  };
};
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
