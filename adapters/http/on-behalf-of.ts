import type { OnBehalfOf } from '../../application/access/authz/access.ts';

/** On whose behalf a request reads, from its query or its body. */
export const onBehalfOfIn = ({
  authz_policy: authzPolicy,
  principal_id: principalId,
}: {
  readonly authz_policy?: string;
  readonly principal_id?: string;
}): OnBehalfOf => ({
  ...(authzPolicy !== undefined && { authzPolicy }),
  ...(principalId !== undefined && { principalId }),
});
