import type { Asked } from '../../application/authz/access.ts';

/** On whose behalf a request reads, from its query or its body. */
export const askedOf = ({
  authz_policy,
  principal_id,
}: {
  readonly authz_policy?: string;
  readonly principal_id?: string;
}): Asked => ({
  ...(authz_policy !== undefined && { authz_policy }),
  ...(principal_id !== undefined && { principal_id }),
});
