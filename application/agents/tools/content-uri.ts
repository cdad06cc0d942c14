import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { PrincipalArguments } from './filter-arguments.ts';

const SCHEME = 'knowledger:';
const PLACE = `${SCHEME}//contents/`;
const MAX_CHARACTERS = 1_000;
const PRINCIPAL = 'principal_id';
const POLICY = 'authz_policy';

/** RFC 6570, level 3: `{id}` of a content, and for whom it is read where that is not settled otherwise. */
export const CONTENT_URI_TEMPLATE = `${PLACE}{id}{?${PRINCIPAL},${POLICY}}`;

/**
 * The name of a content, which lasts as long as its id.
 *
 * @param asked for whom it was found, where the request said so: whoever reads it by this name reads it for the same
 */
export const contentUri = (id: string, { principalId, authzPolicy }: PrincipalArguments = {}): string => {
  const query = new URLSearchParams();
  if (principalId !== undefined) query.set(PRINCIPAL, principalId);
  if (authzPolicy !== undefined) query.set(POLICY, authzPolicy);
  return `${PLACE}${id}${query.size === 0 ? '' : `?${query.toString()}`}`;
};

/** @throws DomainError invalid_request for what is no name of a content */
export const readContentUri = (uri: string): { readonly id: string; readonly asked: PrincipalArguments } => {
  const url = uri.length > MAX_CHARACTERS ? null : URL.parse(uri);
  const id = url?.pathname.slice(1) ?? '';
  const isName = url?.protocol === SCHEME && url.host === 'contents' && url.hash === '';
  if (url === null || !isName || !UUID.test(id)) {
    throw new DomainError(
      'invalid_request',
      `this is no URI of a content; those are ${CONTENT_URI_TEMPLATE}`,
    );
  }
  const { searchParams } = url;
  const [principalId, authzPolicy] = [searchParams.get(PRINCIPAL), searchParams.get(POLICY)];
  return {
    id: id.toLowerCase(),
    asked: { ...(principalId !== null && { principalId }), ...(authzPolicy !== null && { authzPolicy }) },
  };
};
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
