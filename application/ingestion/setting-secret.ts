import {
  changedParameters,
  type DefinedSetting,
  type IngestionSettingState,
  type ParameterChange,
  secretOf,
} from '../../domain/ingestion-setting/index.ts';
import { type Caller, mustBeUnrestricted } from '../caller.ts';
import type { Position } from '../ports/event-store.ts';
import type { SecretUses } from '../secret/uses.ts';
import { connectorOf, type Connectors } from './connector.ts';

interface SettingSecretDeps {
  readonly connectors: Connectors;
  readonly uses: SecretUses;
}

/**
 * Attaches the secret that the change names to the data source, before the setting names it.
 *
 * @throws DomainError secret_not_found, invalid_request for one of another type; key_restricted: secrets are the tenant's
 */
export const attachSecret = async (
  { connectors, uses }: SettingSecretDeps,
  caller: Caller,
  { parameters, dataSourceId }: DefinedSetting,
  change: ParameterChange | undefined,
): Promise<{ readonly undo: () => Promise<unknown> }> => {
  const [before, after] = [secretOf(parameters), secretOf(changedParameters(parameters, change ?? {}))];
  if (before === after || after === null) return { undo: async () => {} };
  mustBeUnrestricted(caller, 'naming another secret');
  const { secretTypes = [] } = connectorOf(connectors, parameters.kind);
  await uses.attach(caller.context, after, dataSourceId, secretTypes);
  return { undo: () => uses.detach(caller.context, after, dataSourceId) };
};

/** Detaches the secret that the setting named before, once it names it no more. Answers the position of that. */
export const letGoOfFormer = async (
  { uses }: Pick<SettingSecretDeps, 'uses'>,
  caller: Caller,
  before: IngestionSettingState,
  after: IngestionSettingState,
): Promise<Position | null> => {
  if (before.status === 'none' || after.status === 'none') return null;
  const [former, now] = [secretOf(before.parameters), secretOf(after.parameters)];
  if (former === null || former === now) return null;
  return uses.detach(caller.context, former, after.dataSourceId);
};
