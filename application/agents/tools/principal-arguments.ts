import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { OnBehalfOf } from '../../access/authz/access.ts';
import { snakeCase } from '../../../domain/shared/key-case.ts';
import { type JsonSchema, type Properties, text } from './argument-schema.ts';
import type { ToolCaller } from './knowledge-tool.ts';

/** As every operation that reads has them. */
export const PRINCIPAL: Properties = {
  principalId: text('On whose behalf to read; leave it out unless you were told one', { maxLength: 256 }),
  authzPolicy: text('The authorization policy to read by; leave it out unless you were told one', {
    minLength: 1,
    maxLength: 64,
  }),
};

export interface PrincipalArguments {
  readonly principalId?: string;
  readonly authzPolicy?: string;
}

/**
 * The caller with the principal and the policy of the arguments. What was given beforehand is not for arguments to
 * change.
 *
 * @throws DomainError invalid_request where they say another
 */
export const onBehalfOfArguments = (
  { caller, onBehalfOf: fixed }: ToolCaller,
  args: PrincipalArguments,
): ToolCaller => {
  const principalId = agreed('principal_id', fixed.principalId ?? undefined, args.principalId);
  const authzPolicy = agreed('authz_policy', fixed.authzPolicy, args.authzPolicy);
  return {
    caller,
    onBehalfOf: {
      ...(principalId !== undefined && { principalId }),
      ...(authzPolicy !== undefined && { authzPolicy }),
    },
  };
};

/** Arguments as they are offered where some of who reads is settled. Whoever sends that all the same must send the same. */
export const withoutSettled = (parameters: JsonSchema, settled: OnBehalfOf): JsonSchema => {
  const names = Object.entries(settled).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [snakeCase(name)],
  );
  const properties = Object.entries(parameters['properties'] as Properties);
  return {
    ...parameters,
    properties: Object.fromEntries(properties.filter(([name]) => !names.includes(name))),
  };
};

const agreed = (name: string, fixed: string | undefined, asked: string | undefined): string | undefined => {
  if (fixed === undefined || asked === undefined || fixed === asked) return fixed ?? asked;
  throw new DomainError('invalid_request', `${name} is settled for this connection: leave it out`);
};
